import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

extension ExitTests {
    /// The table of calls that stop the program. An observer, such as a crash reporter, gets the error before.
    @Suite("Rule 24: An error that stops the program is reported first") struct RefusedEventTests {}
}

extension ExitTests.RefusedEventTests {
    enum State { case open, sealed, closed }

    /// A call that stops the program.
    struct Call: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let state: State
        /// The reason and the key that the observer of the container gets.
        let report: String
        /// The first sentence of the text.
        let problem: String
        /// The line of the request.
        let line: UInt
        let perform: @Sendable (DIContainer) -> Void

        /// - Parameter below: The number of lines between the row's first line and the request.
        init(
            _ code: String, in state: State = .open, reports report: String = "notRegistered of Ticket",
            _ problem: String = "Nothing is registered for Ticket.", below: UInt = 0, line: UInt = #line,
            perform: @escaping @Sendable (DIContainer) -> Void
        ) {
            testDescription = code
            self.state = state
            self.report = report
            self.problem = problem
            self.line = line + below
            self.perform = perform
        }

        /// A change or a request of a sealed or closed container.
        static func refused(
            _ code: String, in state: State, of key: String, below: UInt = 0, line: UInt = #line,
            perform: @escaping @Sendable (DIContainer) -> Void
        ) -> Call {
            let end = key == "the container" ? "." : " for \(key)."
            return Call(
                "\(code) after \(state == .sealed ? "seal()" : "close()")", in: state, reports: "\(state) of \(key)",
                state == .sealed
                    ? "The container was sealed at App/Main.swift:1 and can no longer be changed\(end)"
                    : "The container was closed and can no longer be used\(end)", below: below, line: line,
                perform: perform)
        }
    }

    private static let one: (@Sendable () -> Int)? = { 1 }

    static let missing = [
        Call("resolve(Ticket.self)") { _ = $0.resolve(Ticket.self) },
        Call("resolve(Ticket.self, arguments: 1)") { _ = $0.resolve(Ticket.self, arguments: 1) },
        Call("resolve(1) as Ticket") { let _: Ticket = $0.resolve(1) },
        Call("resolve(Ticket.self) { (1, 2) }") { _ = $0.resolve(Ticket.self) { (1, 2) } },
        Call("resolve(Provider<Ticket>.self)()") { _ = $0.resolve(Provider<Ticket>.self)() },
        Call("a request to a child") { _ = $0.makeChild().resolve(Ticket.self) },
        Call("a request to the current container", below: 1) { container in
            DIContainer.withContainer(container) { _ = DIContainer.resolve(Ticket.self) }
        },
        Call(
            "a request with a name", reports: "notRegistered of Ticket named \"named\"",
            "Nothing is registered for Ticket named \"named\".", below: 3
        ) { _ = $0.resolve(Ticket.self, name: "named") },
        Call("a request to the default container", below: 2) { container in
            DIContainer.shared = container
            let _: Ticket = DIContainer.resolve()
        },
        Call("a factory's request", reports: "notRegistered of Double", "Nothing is registered for Double.", below: 1) {
            $0.register(Shared { resolve in Ticket(number: Int(resolve() as Double)) })
            _ = $0.resolve(Ticket?.self)
        },
        Call("@Inject", below: 1) { container in
            @Inject(from: container) var ticket: Ticket
            _ = ticket
        },
        Call("@LazyInject", below: 1) { container in
            @LazyInject(from: container) var ticket: Ticket
            _ = ticket
        },
        Call("@MutableInject", below: 1) { container in
            @MutableInject(from: container) var ticket: Ticket
            _ = ticket
        },
        Call("@MutableLazyInject", below: 1) { container in
            @MutableLazyInject(from: container) var ticket: Ticket
            _ = ticket
        },
        Call("@LazyInject from the default container", below: 2) { container in
            DIContainer.shared = container
            @LazyInject var ticket: Ticket
            _ = ticket
        },
    ]

    /// The report and the problem of a factory that fails, and of factories that get other arguments.
    private static let failed = (
        "factoryFailed of Diesel named \"n\"", "The factory of Diesel named \"n\" failed: sabotaged"
    )
    private static let superfluous = (
        "argumentMismatch of Diesel named \"n\"",
        "The factory of Diesel named \"n\" takes (), but the request supplied (Int)."
    )
    private static let mismatched = (
        "argumentMismatch of Connection",
        "The factory of Connection takes (String), but the request supplied (Int, Int)."
    )

    private static func request(
        _ code: String, _ fault: (report: String, problem: String), line: UInt = #line,
        perform: @escaping @Sendable (Resolver) -> Void
    ) -> Call {
        Call(code, reports: fault.report, fault.problem, line: line) { perform($0.resolve) }
    }

    static let factories = [
        request("resolve(_:name:)", failed) { _ = $0(Diesel.self, name: "n") },
        request("resolve(name:)", failed) { let _: Diesel = $0(name: "n") },
        request("resolve(1, name:)", superfluous) { let _: Diesel = $0(1, name: "n") },
        request("resolve(_:name:arguments:)", superfluous) { _ = $0(Diesel.self, name: "n", arguments: 1) },
        request("resolve(_:name:) { 1 }", superfluous) { _ = $0(Diesel.self, name: "n") { 1 } },
        request("resolve(_:name:arguments: one)", superfluous) { _ = $0(Diesel.self, name: "n", arguments: one) },
        request("resolve(_:name:) as AnyObject", failed) { _ = $0(Diesel.self, name: "n") as AnyObject },
        request("resolve(_:name:) as AnyObject?", failed) { _ = $0(Diesel.self, name: "n") as AnyObject? },
        request("resolve.all(_:name:)", failed) { _ = $0.all(Diesel.self, name: "n") },
        request("a named Provider", failed) { _ = $0(Provider<Diesel>.self, name: "n")() },
        Call(
            "a collection", reports: "typeMismatch of any Engine",
            "Ticket is registered as any Engine, to which it does not conform.", below: 5
        ) {
            $0.register(Shared(Ticket(number: 1)).into((any Engine).self))
            _ = $0.resolve([any Engine].self)
        },
    ]

    static let arguments = [
        request("resolve(1, 2) as Connection", mismatched) { let _: Connection = $0(1, 2) },
        request("resolve(_:arguments: 1, 2)", mismatched) { _ = $0(Connection.self, arguments: 1, 2) },
        request("resolve(_:) { (1, 2) }", mismatched) { _ = $0(Connection.self) { (1, 2) } },
        request("a Provider of arguments", mismatched) { _ = $0(Provider<Connection, Int, Int>.self)(1, 2) },
    ]

    static let refused: [Call] = [
        .refused("register(_:)", in: .sealed, of: "Ticket") { $0.register(Shared(Ticket(number: 2))) },
        .refused("a decoration", in: .sealed, of: "Ticket") { $0.register(Decorate(Ticket.self) { base, _ in base }) },
        .refused("a declaration", in: .sealed, of: "Ticket") { $0.register(ProvidedByChild(Ticket.self)) },
        .refused("unregister(_:)", in: .sealed, of: "Ticket") { $0.unregister(Ticket.self) },
        .refused("reset()", in: .sealed, of: "the container") { $0.reset() },
        .refused("resetInstances()", in: .sealed, of: "the container") { $0.resetInstances() },
        .refused("register(_:)", in: .closed, of: "Ticket") { $0.register(Shared(Ticket(number: 2))) },
        .refused("unregister(_:)", in: .closed, of: "Ticket") { $0.unregister(Ticket.self) },
        .refused("reset()", in: .closed, of: "the container") { $0.reset() },
        .refused("resetInstances()", in: .closed, of: "the container") { $0.resetInstances() },
        .refused("makeChild()", in: .closed, of: "the container") { _ = $0.makeChild() },
        .refused("DIContainer.register(_:)", in: .closed, of: "Int", below: 1) { container in
            DIContainer.withContainer(container) { DIContainer.register(Shared(1)) }
        },
        .refused("resolve(_:)", in: .closed, of: "Car") { _ = $0.resolve(Car.self) },
        .refused("DIContainer.resolve(_:) of an Optional", in: .closed, of: "Car", below: 1) { container in
            DIContainer.withContainer(container) { _ = DIContainer.resolve(Car?.self) }
        },
    ]

    static let calls = missing + factories + arguments + refused

    @Test("The report comes once, on the thread that stops. The text names the place", arguments: calls)
    func reports(_ call: Call) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [name = call.testDescription as String] in
            let call = try #require(Self.calls.first { $0.testDescription == name })
            let container = DIContainer {
                Shared(autowiring: Car.init)
                Shared(name: "n") { _ -> Diesel in throw Sabotage() }
                New { (_, name: String) in Connection(name) }
            }
            switch call.state {
            case .open: break
            case .sealed:
                container.seal(file: "App/Main.swift", line: 1)
                // The text names the first call.
                container.seal()
            case .closed: try await container.close(file: "App/Main.swift", line: 1)
            }
            Self.perform(call, in: container)
        }
        let text = standardError(of: result)
        let reports = text.split(separator: "\n").filter { $0.hasPrefix("reported ") }
        #expect(reports == ["reported \(call.report) on the same thread: true"])
        #expect(text.contains("\(#fileID):\(call.line): Fatal error: \(call.problem)\n"), "\(text)")
        #expect(text.contains("requested at \(#fileID):\(call.line)"), "\(text)")
        #expect(text.contains("\n  fix: "), "\(text)")
        #expect(text.contains("closed by `close()` at App/Main.swift:1\n") == (call.state == .closed))
        #expect(text.contains("`container.fork`") == (call.state != .open))
    }

    /// Synchronous, so that the observer is added on the thread that makes the call.
    private static func perform(_ call: Call, in container: DIContainer) {
        let thread = ObjectIdentifier(Thread.current)
        container.observe { event in
            guard event.kind == .refused, let error = event.error as? ResolutionError else { return }
            let isSame = ObjectIdentifier(Thread.current) == thread
            let line = "reported \(error.reason) of \(error.key) on the same thread: \(isSame)\n"
            FileHandle.standardError.write(Data(line.utf8))
        }
        call.perform(container)
    }
}

extension ExitTests {
    @Suite("Rule 18: There is one type of error, and it names the fix (the text of a stopped program)")
    struct TrapTests {}
}

extension ExitTests.TrapTests {
    @Test("A plain request in a factory traps with the whole path")
    func plainRequestInFactory() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = DIContainer {
                Shared { resolve in Car(engine: resolve()) }
                New { resolve in Ticket(number: resolve(Car.self).engine.kind.count) }
            }
            _ = try? container.resolve.orThrow(Ticket.self)
        }
        #expect(standardError(of: result).contains("Nothing is registered for any Engine."))
        #expect(standardError(of: result).contains("Ticket  (registered at"))
        #expect(standardError(of: result).contains("Car  (registered at"))
    }

    @Test("Rule C11: a plain request in a factory that prepare(.all) runs traps with the text of the error")
    func preparation() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = DIContainer { Shared { resolve in Car(engine: resolve()) } }
            try await container.prepare(.all)
        }
        #expect(standardError(of: result).contains("Fatal error: Nothing is registered for any Engine."))
    }

    @Test("Rule 16: a cycle through @Inject in initializers traps with its path")
    func cycle() async {
        final class Chicken: Sendable {
            init() { @Inject var egg: Egg; _ = egg }
        }
        final class Egg: Sendable {
            init() { _ = DIContainer.resolve(Chicken.self) }
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            DIContainer.register {
                Shared(Chicken.init)
                New(Egg.init)
            }
            _ = DIContainer.resolve(Chicken.self)
        }
        #expect(standardError(of: result).contains("ExitTests.TrapTests.Chicken → ExitTests.TrapTests.Egg"))
        #expect(
            standardError(of: result).contains(
                "inject a `Provider<ExitTests.TrapTests.Chicken>`, and call it after the initializer"))
    }
}
