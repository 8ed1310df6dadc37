import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

@Suite("Rule 8: An Optional is nil only if the type is not registered")
struct OptionalTests {
    @Test("An Optional is the instance, or nil if its type is not registered")
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

    @Test("An Optional whose registered type fails is an error")
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

    @Test("A registered Optional type does not satisfy an Optional request")
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

    @Test("The fix for a request for T names the registered Optional of T with its name")
    func registeredOptionalInError() throws {
        let container = DIContainer {
            New(Diesel() as Diesel?, name: "x")
            Shared { _ -> Ticket in throw Sabotage() }
            Shared(nil as Ticket?)
        }
        let fixes = try errorMessage(from: #line) { try container.resolve.orThrow(Diesel.self, name: "x") }.fixes
        #expect(
            fixes == [
                "unwrap Optional<Diesel> named \"x\" before it is registered, because no request resolves an Optional"
            ])
        // Neither the registration under another name nor the Optional of a registered type is named.
        let unnamed = try errorMessage(from: #line) { try container.resolve.orThrow(Diesel.self) }
        #expect(unnamed.fixes == ["register Diesel"])
        #expect(failure { _ = try container.resolve.orThrow(Ticket.self) }?.reason == .factoryFailed)
    }

    @Test("The error and validation name every kind of registered Optional, also a parent's")
    func everyForm() async throws {
        let forms: [any RegistrationConvertible] = [
            Shared(nil as Ticket?), New { Ticket?.none }, Graph { _ in Ticket?.none },
            Scoped(autowiring: Ticket.init(text:)), Shared(mainActor: Ticket?.none),
            Shared(async: { _ in Ticket?.none }), New { _, number in number as Int == 1 ? Ticket(number: 1) : nil },
        ]
        let fix = "unwrap Optional<Ticket> before it is registered, because no request resolves an Optional"
        for form in forms {
            let container = DIContainer { Module(form) }
            for (row, asked) in [
                "container": container, "container.makeChild()": container.makeChild(),
                "container.fork()": container.fork(),
            ] as KeyValuePairs {
                #expect(
                    try errorMessage(from: #line) { try asked.resolve.orThrow(Ticket.self) }.fixes == [fix], "\(row)")
                #expect(try asked.resolve.orThrow(Ticket?.self) == nil, "\(row)")
                let finding = try only(asked)
                #expect(finding.kind == .optionalRegistration && finding.key == "Optional<Ticket>", "\(row)")
            }
        }
    }

    @Test("A decorated Optional is not a registered Optional")
    func noRegisteredOptional() throws {
        let decorated = DIContainer {
            Decorate(Ticket?.self) { base, _ in base }
            Shared(1)
        }
        let message = try errorMessage(from: #line) { try decorated.resolve.orThrow(Ticket.self) }
        #expect(message.fixes == ["register Ticket"])
    }

    @Test("An Optional requested in generic code is still an Optional")
    func generic() {
        func ask<T>(_ type: T.Type, _ container: DIContainer) -> T { container.resolve() }
        let container = DIContainer { Shared(Ticket(number: 1)) }
        #expect(ask(Ticket?.self, container)?.number == 1)
        #expect(ask(Int?.self, container) == nil)
    }

    @Test("An Optional provider is nil if its type and name are unregistered")
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

extension Ticket {
    fileprivate init?(text: String?) { return nil }
}

@Suite(
    "Rule 8: An Optional is nil only if the type is not registered (concurrent removal)", .mayHang, .serialized,
    .ownThread)
struct ConcurrentRemovalTests {
    /// Repeats a request while another thread registers and removes a type. Returns the kinds of the errors.
    private func errors(
        removing remove: @escaping @Sendable () -> Void, _ request: @escaping @Sendable () throws -> Void
    ) -> Set<String> {
        let isDone = Counter()
        return onThreads(2) { index -> Set<String> in
            var errors: Set<String> = []
            if index == 0 {
                for _ in 0..<5_000 { remove() }
                isDone.increment()
            }
            while isDone.count == 0 {
                do { try request() } catch { errors.insert(kind(of: error)) }
                // Lets the removing thread run on a machine with one core.
                sched_yield()
            }
            return errors
        }.reduce([]) { $0.union($1) }
    }

    private func kind(of error: any Error) -> String { (error as? ResolutionError)?.kind ?? "\(error)" }

    @Test("An alias and its target are removed by a reset")
    func alias() {
        let container = DIContainer()
        let remove = { @Sendable in
            container.register(Shared(Diesel(), as: (any Engine).self))
            container.reset()
        }
        #expect(errors(removing: remove) { _ = try container.resolve.orThrow((any Engine)?.self) } == [])
        #expect(errors(removing: remove) { _ = try container.resolve.orThrow.all((any Engine).self) } == [])
    }

    @Test("A decorated type is removed from a parent")
    func decorated() {
        let parent = DIContainer()
        let child = parent.makeChild()
        let remove = { @Sendable in
            parent.register(Shared(Diesel()), Decorate(Diesel.self) { base, _ in base })
            parent.unregister(Diesel.self)
        }
        #expect(errors(removing: remove) { _ = try child.resolve.orThrow(Diesel?.self) } == [])
        #expect(errors(removing: remove) { _ = try child.resolve.orThrow.all(Diesel.self) } == [])
    }
}
