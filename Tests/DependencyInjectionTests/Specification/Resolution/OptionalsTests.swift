import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Rule 8: An Optional is nil only if the type is not registered", .serialized, .mayHang, .ownThread)
struct OptionalTests {
    @Test("An Optional is the instance, nil if its type is not registered, and an error if its type fails")
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
        // Also in generic code
        func request<T>(_ type: T.Type) -> T { container.resolve() }
        #expect(request(Ticket?.self)?.number == 1)
        #expect(request(Int?.self) == nil)

        let failing = DIContainer {
            Shared(autowiring: Car.init)
            Shared { _ -> Ticket in throw Sabotage() }
        }
        let missing = failing.error(of: Car?.self)
        #expect(missing?.kind == "notRegistered" && missing?.key == "any Engine")
        #expect(failing.error(of: Ticket?.self)?.kind == "factoryFailed")
    }

    @Test("The fix for a request for T names the registered Optional of T with its name")
    func registeredOptionalInError() throws {
        let container = DIContainer {
            New(Diesel() as Diesel?, name: "x")
            Shared { _ -> Ticket in throw Sabotage() }
            Shared(nil as Ticket?)
        }
        let fixes = try Message(from: #line) { try container.resolve.orThrow(Diesel.self, name: "x") }.fixes
        #expect(
            fixes == [
                "unwrap Optional<Diesel> named \"x\" before it is registered, because no request resolves an Optional"
            ])
        // Neither the registration under another name nor the Optional of a registered type is named.
        let unnamed = try Message(from: #line) { try container.resolve.orThrow(Diesel.self) }
        #expect(unnamed.fixes == ["register Diesel"])
        #expect(container.error(of: Ticket.self)?.reason == .factoryFailed)
        // A decorated Optional is not a registered Optional.
        container.register(Decorate(Int?.self) { base, _ in base })
        let decorated = try Message(from: #line) { try container.resolve.orThrow(Int.self) }
        #expect(decorated.fixes == ["register Int"])
    }

    @Test("A registered Optional satisfies no request. The error and validation name every kind, also a parent's")
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
                "container": container, "child": container.makeChild(), "fork": container.fork(),
            ] as KeyValuePairs {
                let message = try Message(from: #line) { try asked.resolve.orThrow(Ticket.self) }
                #expect(message.fixes == [fix], "\(row)")
                #expect(try asked.resolve.orThrow(Ticket?.self) == nil, "\(row)")
                let finding = try only(asked)
                #expect(finding.kind == .optionalRegistration && finding.key == "Optional<Ticket>", "\(row)")
                asked.register(New(Ticket(number: 2)))
                #expect(try asked.resolve.orThrow(Ticket?.self)?.number == 2, "\(row)")
                asked.unregister(Ticket.self)
            }
        }
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

    // MARK: Concurrent removal

    @Test(
        "An Optional and a collection never fail while an alias and its target, or a decorated type, are removed",
        arguments: [false, true])
    func removal(isDecorated: Bool) {
        let parent = DIContainer()
        let container = isDecorated ? parent.makeChild() : parent
        let isFine = reading(on: 1) {
            for _ in 0..<5_000 {
                if isDecorated {
                    parent.register(Shared(Diesel()), Decorate(Diesel.self) { base, _ in base })
                    parent.unregister(Diesel.self)
                } else {
                    parent.register(Shared(Diesel(), as: (any Engine).self))
                    parent.reset()
                }
            }
        } _: { _ in
            failure {
                _ = try container.resolve.orThrow(Diesel?.self)
                _ = try container.resolve.orThrow.all(Diesel.self)
                _ = try container.resolve.orThrow((any Engine)?.self)
                _ = try container.resolve.orThrow.all((any Engine).self)
            } == nil
        }
        #expect(isFine)
    }
}

extension Ticket {
    fileprivate init?(text: String?) { return nil }
}
