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
        #expect(error.path.map(\.key) == ["Ticket", "Car"])
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
        #expect(error.path.map(\.key) == ["Connection", "Car"])
        #expect(error.description.contains("The factory of any Engine failed: sabotaged"))
        container.register(Shared(Diesel() as any Engine))
        #expect(try isSame(container.resolve.orThrow(Car.self).engine, container.resolve.orThrow((any Engine).self)))
        // The path of a later error contains no step of the earlier ones.
        #expect(container.error(of: Int.self)?.path.isEmpty == true)
    }

    @Test("Rules 4, 18: autowiring's requests have the place of the registration")
    func autowiredPlace() throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            New(autowiring: Car.init)
            Shared(autowiring: { (car: Car?) in Ticket(number: 1) })
        }
        let error = try #require(container.error(of: Car.self))
        #expect(error.key == "any Engine" && error.file == #fileID && error.line == line)
        let further = try #require(container.error(of: Ticket.self))
        #expect(further.path.map(\.line) == [line + 1, line] && further.line == line)
    }

    @Test("A failed factory's error has its place, a cycle's error in its path")
    func registeredAt() throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared { _ -> Ticket in throw Sabotage() }
            New { _, number in Diesel(kind: "\(number as Int)") }
            New { resolve in Car(engine: try resolve.orThrow(Car.self).engine) }
        }
        let failed = try #require(container.error(of: Ticket.self)).description
        #expect(failed.contains("\n  registered at \(#fileID):\(line)\n"))
        let mismatched = try #require(container.error(of: Diesel.self)).description
        #expect(mismatched.contains("\n  registered at \(#fileID):\(line + 1)\n"))
        let cyclic = try #require(container.error(of: Car.self)).description
        #expect(!cyclic.contains("\n  registered at"))
        #expect(cyclic.contains("Car  (registered at \(#fileID):\(line + 2))"))
    }

    @Test("A path of more than 30 steps omits and counts those in the middle", arguments: [30, 31, 47])
    func longPath(_ count: Int) throws {
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
            let ticket = line.firstMatch(of: #/^    Ticket named "(\d+)"  \(registered at/#)
            return ticket.map { "\($0.1)" } ?? (line.contains("…") ? String(line) : nil)
        }
        let all = (1...count).map { "\($0)" }
        #expect(steps == (count == 30 ? all : all.prefix(10) + ["    … \(count - 20) more"] + all.suffix(10)))
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
        #expect(error.path.map(\.key) == ["String", "Ticket", "Int", "Double"])
        let headline = try #require(error.description.split(separator: "\n").first)
        #expect(headline.hasSuffix(": Ticket → Int → Double → Ticket"))
        #expect(!headline.contains("String"))
    }

    @Test("Any and AnyObject are printed without an additional any")
    func anyAndAnyObject() throws {
        let empty = DIContainer()
        #expect(empty.error(of: Any.self)?.key == "Any")
        #expect(empty.error(of: AnyObject.self)?.key == "AnyObject")
        let container = DIContainer {
            New(1 as Any)
            New(Diesel() as AnyObject)
            Shared(Ticket(number: 2), as: Any.self)
        }
        #expect(try container.resolve.orThrow(Any.self) as? Ticket == Ticket(number: 2))
        #expect(try container.resolve.orThrow(AnyObject.self) is Diesel)
        #expect(try empty.resolve.orThrow(Any?.self) == nil && container.resolve.orThrow(AnyObject?.self) is Diesel)
        #expect(!container.isRegistered(Diesel.self) && !container.isRegistered(Int.self))
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

    /// Returns a child of a container that decorates the registration.
    private func decorating(_ registration: any RegistrationConvertible) -> DIContainer {
        DIContainer {
            registration
            Decorate(Diesel.self) { base, _ in base }
        }.makeChild()
    }

    @Test("a registration below a decorator, for every reason")
    func belowDecorator() async throws {
        let first: UInt = #line + 2
        let children = [
            decorating(Scoped(async: { _ -> Diesel in throw Sabotage() })),
            decorating(New { _ -> Diesel in throw Sabotage() }),
            decorating(Scoped(async: { _ in Diesel() })),
            decorating(New(async: { _ in Diesel() })),
            decorating(Shared(mainActor: Diesel())),
            decorating(Scoped(Diesel())),
            decorating(Scoped(Diesel())),
        ]
        _ = try children[6].resolve.orThrow(Diesel.self)
        let errors = [
            await #expect(throws: ResolutionError.self) { try await children[0].resolve.async(Diesel.self) },
            await #expect(throws: ResolutionError.self) { try await children[1].resolve.async(Diesel.self) },
            children[2].error(of: Diesel.self), children[3].error(of: Diesel.self),
            children[4].error(of: Diesel.self),
            failure { _ = try children[5].resolve.orThrow(Diesel.self, arguments: 7) },
            failure { _ = try children[6].resolve.orThrow(Diesel.self, arguments: 7) },
        ]
        let kinds = [
            "factoryFailed", "factoryFailed", "asyncRequired", "asyncRequired", "mainActorRequired", "argumentMismatch",
            "argumentMismatch",
        ]
        #expect(errors.map { $0?.kind } == kinds)
        for (error, line) in zip(errors, first...) {
            #expect(error?.description.contains("\n  registered at \(#fileID):\(line)\n") == true, "line \(line)")
        }
        let failures = await #expect(throws: PreparationError.self) { try await children[0].prepare() }?.failures
        #expect(failures?.map { $0.description.contains("\n  registered at \(#fileID):\(first)\n") } == [true])
    }

    @Test("a New behind its alias: the alias in the path, or the registered or requested name, observed or not")
    func newBehindAlias() {
        let container = DIContainer {
            New(as: (any Engine).self) { resolve in Diesel(kind: try resolve.orThrow((any Starter).self).start()) }
            New { resolve in Ticket(number: try resolve.orThrow((any Engine).self).kind.count) }
            New(name: "n", as: (any Engine).self, (any Equatable).self) { _ -> Diesel in Diesel() }
            New(name: "failing", as: (any Engine).self) { _ -> Diesel in throw Sabotage() }
        }
        for state in ["not observed", "observed"] {
            let missing = container.error(of: (any Engine).self)
            #expect(missing?.kind == "notRegistered", "\(state)")
            #expect(missing?.path.map(\.key) == ["any Engine", "Diesel"], "\(state)")
            let nested = container.error(of: Ticket.self)
            #expect(nested?.path.map(\.key) == ["Ticket", "any Engine", "Diesel"], "\(state)")
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
        let (gate, began) = (Gate(), Gate())
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared(async: { _ -> Diesel in
                began.open()
                try await gate.wait()
                throw Sabotage()
            })
        }
        let request = Task { try await container.resolve.async(Diesel.self) }
        try await began.wait()
        container.register(Shared(Diesel()))
        gate.open()
        let error = await #expect(throws: ResolutionError.self) { try await request.value }
        #expect(error?.description.contains("\n  registered at \(#fileID):\(line)\n") == true)
    }

    /// Returns the part of a text between the word "path" and the first registration.
    private func origin(_ error: ResolutionError?) throws -> String {
        let text = try #require(error).description
        let begin = try #require(text.firstRange(of: "\n  path:")).upperBound
        let end = try #require(text[begin...].firstRange(of: "\n    Ticket  (registered at")).lowerBound
        return String(text[begin..<end])
    }

    @Test("the outermost request, with which the path begins")
    func origin() async throws {
        let plain: KeyValuePairs = [
            "New": DIContainer { New { resolve in Ticket(number: try resolve.orThrow(Int.self)) } },
            "Shared": DIContainer { Shared { resolve in Ticket(number: try resolve.orThrow(Int.self)) } },
            "Shared(mainActor:)": DIContainer {
                Shared(mainActor: { resolve in Ticket(number: try resolve.orThrow(Int.self)) })
            },
        ]
        for (row, container) in plain {
            try await MainActor.run {
                let line: UInt = #line + 2
                let errors = [
                    failure { _ = try container.resolve.orThrow(Ticket.self) },
                    failure { _ = try container.resolve.orThrow(Ticket?.self) },
                ]
                let places = [line, line + 1].map { "\n    requested at \(#fileID):\($0)" }
                let origins = try errors.map(origin)
                #expect(origins == places, "\(row)")
            }
        }
        let awaited = DIContainer {
            Shared(async: { resolve in Ticket(number: try await resolve.async(String.self).count) })
            New(async: { resolve in "\(try resolve.orThrow(Int.self))" })
        }
        let asked: UInt = #line + 1
        let error = await #expect(throws: ResolutionError.self) { try await awaited.resolve.async(Ticket.self) }
        try #expect(origin(error) == "\n    requested at \(#fileID):\(asked)")
    }

    @Test("the outermost request only once if it failed itself")
    func originOfAlias() {
        let error = DIContainer { Shared(Ticket(number: 1), as: (any Engine).self) }.error(of: (any Engine).self)
        #expect(error?.path.map(\.key) == ["any Engine"])
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

    // MARK: Autowiring initializers of actors

    @MainActor final class Window {
        let engine: any Engine
        init(engine: any Engine, starter: (any Starter)?) { self.engine = engine }
    }

    private let container = DIContainer {
        Shared(Diesel() as any Engine)
        Shared(autowiring: Window.init)
        New(autowiring: Window.init, name: "new", as: AnyObject.self)
        Scoped(autowiring: Car.init)
        Shared(autowiring: { @Sendable (engine: any Engine) in engine.kind })
    }

    @Test("An initializer of the main actor creates a main-actor registration")
    @MainActor
    func mainActor() async throws {
        #expect(try container.resolve.orThrow(Window.self) === container.resolve.orThrow(Window.self))
        #expect(try container.resolve.orThrow(Window.self).engine is Diesel)
        #expect(try container.resolve.orThrow(AnyObject.self, name: "new") is Window)
        let errors = await Task.detached { [container] in
            [container.error(of: Window.self), container.error(of: AnyObject.self, name: "new")]
        }.value
        #expect(errors.map { $0?.kind } == ["mainActorRequired", "mainActorRequired"])
        // Initializers without isolation are called on any thread.
        let kinds = try await Task.detached { [container] in
            try [container.resolve.orThrow(Car.self).engine.kind, container.resolve.orThrow(String.self)]
        }.value
        #expect(kinds == ["diesel", "diesel"])
    }

    @Test("An alias of a function of the main actor is an error that names the function")
    @MainActor
    func alias() throws {
        let container = DIContainer { Shared(mainActor: Window.init, as: (any Starter).self) }
        let starter = try #require(container.error(of: (any Starter).self))
        #expect(starter.kind == "typeMismatch")
        #expect(starter.description.contains(" is registered as any Starter, to which it does not conform.\n"))
    }
}
