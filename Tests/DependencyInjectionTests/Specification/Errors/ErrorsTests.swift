import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

@Suite("Rule 18: There is one type of error, and it names the fix", .mayHang)
struct ResolutionErrorTests {
    @Test("Rules 4, 18: an error has key, place, path, suggestions and fix")
    func text() throws {
        let here: UInt = #line
        let container = DIContainer {
            Shared(autowiring: Car.init)
            Shared(Diesel())
            New { resolve in Ticket(number: try resolve.orThrow(Car.self).engine.kind.count) }
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Ticket.self) })
        #expect(error.reason == .notRegistered)
        #expect(error.key == "any Engine")
        #expect("\(error.file):\(error.line)" == "\(#fileID):\(here + 2)")
        #expect(error.path.map(\.id.description) == ["Ticket", "Car"])
        #expect(error.path.map { "\($0.file):\($0.line)" } == ["\(#fileID):\(here + 4)", "\(#fileID):\(here + 2)"])
        #expect(
            error.description.replacing("\(#fileID):", with: "+") == """
                Nothing is registered for any Engine.
                  requested at +\(here + 2)
                  path:
                    requested at +\(here + 6)
                    Ticket  (registered at +\(here + 4))
                    Car  (registered at +\(here + 2))
                    → any Engine
                  similar registrations:
                    Diesel  (registered at +\(here + 3))
                  fix: add `as: (any Engine).self` to the registration at +\(here + 3)
                """)
    }

    @Test("An error passes unchanged through initializers and factories, and leaves the container as it was")
    func passes() throws {
        let container = DIContainer {
            Shared(autowiring: Car.init)
            New { resolve in Connection(try resolve.orThrow(Car.self).engine.kind) }
            Shared(Ticket(number: 1))
        }
        #expect(container.error(of: Car.self)?.kind == "notRegistered")
        #expect(try container.resolve.orThrow(Ticket.self).number == 1)
        container.register(Shared { _ -> any Engine in throw Sabotage() })
        let error = try #require(container.error(of: Connection.self))
        #expect(error.kind == "factoryFailed")
        #expect(error.path.map(\.id.description) == ["Connection", "Car"])
        #expect(error.description.contains("The factory of any Engine failed: sabotaged"))
        container.register(Shared(Diesel() as any Engine))
        #expect(try isSame(container.resolve.orThrow(Car.self).engine, container.resolve.orThrow((any Engine).self)))
        // The path of a later error contains no step of the earlier ones.
        #expect(container.error(of: Int.self)?.path.isEmpty == true)
    }

    @Test("Rule 16: a long path is shown whole") func longPath() throws {
        let count = 47
        let container = DIContainer {
            for number in 1...count {
                New(name: RegistrationName("\(number)")) { resolve in
                    try resolve.orThrow(Ticket.self, name: RegistrationName("\(number + 1)"))
                }
            }
        }
        let error = try #require(container.error(of: Ticket.self, name: "1"))
        #expect(error.path.count == count)
        // The nearest suggestions are shown after the path, and are not counted here.
        let text = error.description.components(separatedBy: "→ Ticket named \"\(count + 1)\"")[0]
        let steps = text.split(separator: "\n").compactMap { line -> String? in
            line.firstMatch(of: #/^    Ticket named "(\d+)"  \(registered at/#).map { "\($0.1)" }
        }
        #expect(steps == (1...count).map { "\($0)" })
    }

    @Test("Rule 16: the first line of a cycle shows only the cycle, without its entry")
    func cycleHeadline() throws {
        let container = DIContainer {
            New { resolve in "\(try resolve.orThrow(Ticket.self))" }
            New { resolve in Ticket(number: try resolve.orThrow(Int.self)) }
            New { resolve in try resolve.orThrow(Double.self) > 1 ? 1 : 0 }
            New { resolve in Double(try resolve.orThrow(Ticket.self).number) }
        }
        let error = try #require(container.error(of: String.self))
        #expect(error.path.map(\.id.description) == ["String", "Ticket", "Int", "Double"])
        let headline = try #require(error.description.split(separator: "\n").first)
        #expect(headline.hasSuffix(": Ticket → Int → Double → Ticket"))
        #expect(!headline.contains("String"))
    }

    @Test("Reasons are equal if they are of one kind")
    func reasons() throws {
        let container = DIContainer { Shared(Diesel(), as: Ticket.self, Car.self) }
        let ticket = try #require(container.error(of: Ticket.self)?.reason)
        let car = try #require(container.error(of: Car.self)?.reason)
        #expect(ticket == car && ticket == .typeMismatch && ticket != .weakValueType)
        #expect("\(ticket)" == "typeMismatch")
        #expect(ticket.underlyingError == nil)
    }

    // MARK: The places that errors name

    @Test("a registration below a decorator, for every reason")
    func belowDecorator() async {
        /// Expects that a request to a child fails, with the place of the registration.
        func check(
            _ kind: String, _ registration: any RegistrationConvertible, line: UInt = #line,
            _ request: (Resolver) async throws -> Diesel
        ) async {
            let parent = DIContainer {
                registration
                Decorate(Diesel.self) { base, _ in base }
            }
            let error = await #expect(throws: ResolutionError.self) { try await request(parent.makeChild().resolve) }
            #expect(error?.kind == kind, "line \(line)")
            #expect(error?.description.contains("\n  registered at \(#fileID):\(line)\n") == true, "line \(line)")
        }
        await check("factoryFailed", Scoped(async: { _ -> Diesel in throw Sabotage() })) { try await $0.async() }
        await check("factoryFailed", New { _ -> Diesel in throw Sabotage() }) { try await $0.async() }
        await check("asyncRequired", Scoped(async: { _ in Diesel() })) { try $0.orThrow() }
        await check("asyncRequired", New(async: { _ in Diesel() })) { try $0.orThrow() }
        await check("mainActorRequired", Shared(mainActor: Diesel())) { try $0.orThrow() }
        await check("argumentMismatch", Scoped(Diesel())) { try $0.orThrow(arguments: 7) }
        await check("argumentMismatch", Scoped(Diesel())) { resolve in
            _ = try resolve.orThrow(Diesel.self)
            return try resolve.orThrow(arguments: 7)
        }
    }

    @Test("a New behind its alias: the alias in the path, or the registered or requested name, observed or not")
    func newBehindAlias() {
        let container = DIContainer {
            New(as: (any Engine).self) { resolve in Diesel(kind: try resolve.orThrow((any Starter).self).kind) }
            New { resolve in Ticket(number: try resolve.orThrow((any Engine).self).kind.count) }
            New(name: "n", as: (any Engine).self, (any Equatable).self) { _ -> Diesel in Diesel() }
            New(name: "failing", as: (any Engine).self) { _ -> Diesel in throw Sabotage() }
        }
        for state in ["not observed", "observed"] {
            let missing = container.error(of: (any Engine).self)
            #expect(missing?.kind == "notRegistered", "\(state)")
            #expect(missing?.path.map(\.id.description) == ["any Engine", "Diesel"], "\(state)")
            let nested = container.error(of: Ticket.self)
            #expect(nested?.path.map(\.id.description) == ["Ticket", "any Engine", "Diesel"], "\(state)")
            let failed = container.error(of: (any Engine).self, name: "failing")
            #expect(failed?.kind == "factoryFailed" && failed?.key == "Diesel named \"failing\"", "\(state)")
            let alien = container.error(of: (any Equatable).self, name: "n")
            #expect(alien?.kind == "typeMismatch" && alien?.key == "any Equatable named \"n\"", "\(state)")
            container.observe { _ in }
        }
    }

    @Test("decorators and declarations")
    func decoratorsAndDeclarations() {
        let registrations =
            Decorate(Diesel.self, name: "n", file: "Form.swift", line: 1) { base, _ in base }.registrations
            + Decorate(Diesel.self, name: "n", file: "Form.swift", line: 2, mainActor: { base, _ in base })
            .registrations
            + ProvidedByChild(Diesel.self, Car.self, name: "n", file: "Form.swift", line: 3).registrations
        #expect(
            registrations.map { "\($0.type) named \($0.name?.rawValue ?? "nothing") at \($0.file):\($0.line)" } == [
                "Diesel named n at Form.swift:1", "Diesel named n at Form.swift:2", "Diesel named n at Form.swift:3",
                "Car named n at Form.swift:3",
            ])
    }

    typealias Handler = Row<@Sendable (Shared<Diesel>) -> Shared<Diesel>>

    static let handlers = [
        Handler("{ _ in }") { $0.onClose(file: "Form.swift", line: 7) { _ in throw Sabotage() } },
        Handler("{ _, _ in }") { $0.onClose(file: "Form.swift", line: 7) { _, _ in throw Sabotage() } },
        Handler("mainActor: { _ in }") {
            $0.onClose(mainActor: { _ in throw Sabotage() }, file: "Form.swift", line: 7)
        },
        Handler("mainActor: { _, _ in }") {
            $0.onClose(mainActor: { _, _ in throw Sabotage() }, file: "Form.swift", line: 7)
        },
    ]

    @Test("an `onClose` handler that fails", arguments: handlers)
    func handler(_ handler: Handler) async throws {
        let container = DIContainer { handler.value(Shared(Diesel())) }
        _ = try container.resolve.orThrow(Diesel.self)
        let error = await #expect(throws: CloseError.self) { try await container.close() }
        #expect(error?.description.contains("Form.swift:7") == true)
    }

    @Test("an asynchronous factory that failed after another registration had replaced it")
    func replacedWhileAwaited() async throws {
        let build = Latch()
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared(async: { _ -> Diesel in
                try await build.opening()
                throw Sabotage()
            })
        }
        let request = Task { try await container.resolve.async(Diesel.self) }
        await build.isReached()
        container.register(Shared(Diesel()))
        build.open()
        let error = await #expect(throws: ResolutionError.self) { try await request.value }
        #expect(error?.description.contains("\n  registered at \(#fileID):\(line)\n") == true)
    }

    @Test("a factory that failed after it had replaced its own registration")
    func replacedByItsFactory() throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared { _ -> Diesel in
                DIContainer.current.register(Shared(Diesel()))
                throw Sabotage()
            }
        }
        let error = try #require(container.error(of: Diesel.self))
        #expect(error.description.contains("\n  registered at \(#fileID):\(line)\n"))
    }

    @Test("the outermost request, with which the path begins")
    @MainActor func origin() async throws {
        for (row, container) in [
            "New": DIContainer { New { resolve in Ticket(number: try resolve.orThrow(Int.self)) } },
            "Shared": DIContainer { Shared { resolve in Ticket(number: try resolve.orThrow(Int.self)) } },
            "Shared(mainActor:)": DIContainer {
                Shared(mainActor: { resolve in Ticket(number: try resolve.orThrow(Int.self)) })
            },
        ] as KeyValuePairs {
            let line: UInt = #line + 1
            let error = failure { _ = try container.resolve.orThrow(Ticket?.self) }
            #expect(error?.origin == "\(#fileID):\(line)", "\(row)")
        }
        let awaited = DIContainer {
            Shared(async: { resolve in Ticket(number: try await resolve.async(String.self).count) })
            New(async: { resolve in "\(try resolve.orThrow(Int.self))" })
        }
        let line: UInt = #line + 1
        let error = await #expect(throws: ResolutionError.self) { try await awaited.resolve.async(Ticket.self) }
        #expect(error?.origin == "\(#fileID):\(line)")
    }

    @Test("the outermost request only once if it failed itself")
    func originOfAlias() {
        let error = DIContainer { Shared(Ticket(number: 1), as: (any Engine).self) }.error(of: (any Engine).self)
        #expect(error?.path.map(\.id.description) == ["any Engine"])
        #expect(error?.description.split(separator: "\n").count { $0.contains("requested at") } == 1)
    }

    @Test("a request for an object, and a failure in prepare(), has the place of that call")
    func objectAndPreparation() async {
        let line: UInt = #line + 2
        let errors = [
            failure { _ = try DIContainer().resolve.orThrow(Ticket.self) as AnyObject },
            failure { _ = try DIContainer().resolve.orThrow(Ticket.self) as AnyObject? },
        ]
        let container = DIContainer { Shared(async: { _ -> Ticket in throw Sabotage() }) }
        let error = await #expect(throws: PreparationError.self) { try await container.prepare() }
        let all = errors.compactMap { $0 } + (error?.failures ?? [])
        #expect(all.map(\.line) == [line, line + 1, line + 4])
        #expect(all.allSatisfy { $0.file == #fileID })
    }
}

extension ResolutionError {
    /// The place between the word "path" and the registration of the ticket.
    fileprivate var origin: Substring? {
        description.firstMatch(of: #/\n  path:\n    requested at (\S+)\n    Ticket  \(registered at/#)?.1
    }
}
