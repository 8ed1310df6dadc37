import DependencyInjection
import Testing

@Suite("Optional resolution")
struct OptionalTests {
    @Test("Rule 8: an Optional is the instance, or nil if its type is not registered")
    func optional() throws {
        let container = DIContainer {
            Shared(Diesel(), as: (any Engine).self)
            New(Ticket(number: 1))
        }
        let engine: (any Engine)? = try container.resolve.orThrow()
        #expect(try isSame(engine!, container.resolve.orThrow(Diesel.self)))
        #expect(try container.resolve.orThrow(Ticket?.self)?.number == 1)
        #expect(try container.resolve.orThrow((any Starter)?.self) == nil)
        #expect(try container.resolve.orThrow(Ticket?.self, name: "other") == nil)
        #expect(try container.resolve.orThrow(Ticket??.self) == .some(.some(Ticket(number: 1))))
        #expect(try container.resolve.orThrow(Int??.self) == .some(.none))
    }

    @Test("Rule 8: an Optional whose registered type fails is an error")
    func optionalThatFails() throws {
        let container = DIContainer {
            Shared(autowiring: Car.init)
            Shared { _ -> Ticket in throw Sabotage() }
        }
        let missing = try #require(failure { _ = try container.resolve.orThrow(Car?.self) })
        #expect(missing.kind == "notRegistered")
        #expect(missing.key == "any Engine")
        let failing = try #require(failure { _ = try container.resolve.orThrow(Ticket?.self) })
        #expect(failing.kind == "factoryFailed")
    }

    @Test("Rule 8: a registered Optional type does not satisfy an Optional request")
    func registeredOptional() throws {
        let container = DIContainer {
            Shared { _ in Ticket(number: 1) as Ticket? }
            New { _ in Diesel() as Diesel? }
        }
        #expect(try container.resolve.orThrow(Ticket?.self) == nil)
        #expect(try container.resolve.orThrow(Diesel?.self) == nil)
        #expect(failure { _ = try container.resolve.orThrow(Ticket.self) }?.kind == "notRegistered")
        container.register(Shared(Ticket(number: 2)))
        #expect(try container.resolve.orThrow(Ticket?.self)?.number == 2)
    }

    @Test("Rule 8: the error of a request for T names the registration of the Optional of T")
    func registeredOptionalInError() throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared(Ticket(number: 1) as Ticket?)
            New(Diesel() as Diesel?, name: "x")
            Shared(FileTicket())
        }
        let text = try #require(failure { _ = try container.resolve.orThrow(Ticket.self) }).description
        #expect(text.contains("Nothing is registered for Ticket."))
        #expect(
            text.contains(
                """

                  Optional<Ticket> is registered, but no request resolves it  \
                (registered at \(#fileID):\(line))

                """), "\(text)")
        #expect(text.contains("\n    FileTicket  (registered at"), "\(text)")
        #expect(
            text.hasSuffix(
                """
                  fix: unwrap the value
                   or: register it only if it isn't nil: `if let value { Shared(value) }`
                """), "\(text)")
        #expect(!text.contains("\n    Optional<Ticket>"), "\(text)")
        let named = try #require(failure { _ = try container.resolve.orThrow(Diesel.self, name: "x") }).description
        #expect(named.contains("Optional<Diesel> named \"x\" is registered, but no request resolves it"), "\(named)")
        // The registration under another name isn't mentioned.
        for error in [
            failure { _ = try container.resolve.orThrow(Diesel.self) },
            failure { _ = try container.resolve.orThrow(Ticket.self, name: "x") },
        ] { #expect(try !#require(error).description.contains("no request resolves it")) }
    }

    @Test("Rule 8: the error names every kind of registered Optional, also a parent's")
    func everyForm() async throws {
        let forms: [any RegistrationConvertible] = [
            Shared(nil as Ticket?), New { Ticket?.none }, Graph { _ in Ticket?.none },
            Scoped(autowiring: Ticket.init(text:)), Shared(mainActor: Ticket?.none),
            Shared(async: { _ in Ticket?.none }), New { _, number in number as Int == 1 ? Ticket(number: 1) : nil },
        ]
        for form in forms {
            let container = DIContainer { Module(form) }
            for asked in [container, container.makeChild(), container.fork()] {
                let error = try #require(failure { _ = try asked.resolve.orThrow(Ticket.self) })
                #expect(
                    error.description.contains("Optional<Ticket> is registered, but no request resolves it"), "\(error)"
                )
                #expect(try asked.resolve.orThrow(Ticket?.self) == nil)
            }
        }
    }

    @Test("Rule 8: the error names a child's Optional before its parent's")
    func registeredOptionalInChild() throws {
        let parent = DIContainer { Shared(nil as Ticket?, file: "Parent.swift", line: 1) }
        let child = parent.makeChild { Shared(nil as Ticket?, file: "Child.swift", line: 2) }
        let error = try #require(failure { _ = try child.resolve.orThrow(Ticket.self) })
        #expect(error.description.contains("no request resolves it  (registered at Child.swift:2)"), "\(error)")
    }

    @Test("Rule 8: a decorated Optional or registered type is not a registered Optional")
    func noRegisteredOptional() throws {
        let decorated = DIContainer { Decorate(Ticket?.self) { base, _ in base } }
        let error = try #require(failure { _ = try decorated.resolve.orThrow(Ticket.self) })
        #expect(!error.description.contains("no request resolves it"), "\(error)")
        let container = DIContainer {
            Shared(nil as Ticket?)
            Shared { _ -> Ticket in throw Sabotage() }
        }
        let failing = try #require(failure { _ = try container.resolve.orThrow(Ticket.self) })
        #expect(failing.kind == "factoryFailed" && !failing.description.contains("no request resolves it"))
    }

    @Test("Rule 8: an Optional requested in generic code is still an Optional")
    func generic() {
        func ask<T>(_ type: T.Type, _ container: DIContainer) -> T { container.resolve() }
        let container = DIContainer { Shared(Ticket(number: 1)) }
        #expect(ask(Ticket?.self, container)?.number == 1)
        #expect(ask(Int?.self, container) == nil)
    }

    @Test("Rule 8: an Optional provider is nil if its type and name are unregistered")
    func namedOptionalProvider() throws {
        let container = DIContainer {
            New(name: "main") { _, number in Ticket(number: number) }
            New(Diesel())
        }
        #expect(try container.resolve.orThrow(Provider<Diesel>?.self)?().kind == "diesel")
        #expect(try container.resolve.orThrow(Provider<Ticket, Int>?.self, name: "main")?(9).number == 9)
        #expect(try container.resolve.orThrow(Provider<Ticket, Int>?.self) == nil)
        #expect(try container.resolve.orThrow(Provider<Ticket, Int>?.self, name: "other") == nil)
        #expect(try container.resolve.orThrow(Provider<Diesel>?.self, name: "main") == nil)
    }
}

private final class FileTicket: Sendable {}

extension Ticket {
    fileprivate init?(text: String?) { return nil }
}
