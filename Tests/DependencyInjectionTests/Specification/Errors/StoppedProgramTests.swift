import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

extension ExitTests {
    /// The table of calls that stop the program. An observer, such as a crash reporter, gets the error before.
    @Suite("Rule 24: An error that stops the program is reported first") struct RefusedEventTests {}
}

extension ExitTests.RefusedEventTests {
    /// A fault that stops the program. Some have the key of the request or of the change.
    enum Fault: Sendable {
        case missing(String), sealed(String), closed(String)
        case failed, superfluous, mismatched, nonconforming

        /// The reason and the key, which the observer of the container gets.
        var report: String {
            switch self {
            case .missing(let key): "notRegistered of \(key)"
            case .sealed(let key): "sealed of \(key)"
            case .closed(let key): "closed of \(key)"
            case .failed: "factoryFailed of Diesel named \"n\""
            case .superfluous: "argumentMismatch of Diesel named \"n\""
            case .mismatched: "argumentMismatch of Connection"
            case .nonconforming: "typeMismatch of any Engine"
            }
        }

        /// The first line of the text.
        var problem: String {
            switch self {
            case .missing(let key): "Nothing is registered for \(key)."
            case .sealed("the container"): "The container was sealed at App/Main.swift:1 and can no longer be changed."
            case .sealed(let key):
                "The container was sealed at App/Main.swift:1 and can no longer be changed for \(key)."
            case .closed("the container"): "The container was closed and can no longer be used."
            case .closed(let key): "The container was closed and can no longer be used for \(key)."
            case .failed: "The factory of Diesel named \"n\" failed: sabotaged"
            case .superfluous: "The factory of Diesel named \"n\" takes (), but the request supplied (Int)."
            case .mismatched: "The factory of Connection takes (String), but the request supplied (Int, String)."
            case .nonconforming: "Ticket is registered as any Engine, to which it does not conform."
            }
        }

        var isOfSealed: Bool { report.hasPrefix("sealed") }
        var isOfClosed: Bool { report.hasPrefix("closed") }
    }

    /// A call that stops the program.
    struct Call: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fault: Fault
        /// The line of the request.
        let line: UInt
        let perform: @Sendable (DIContainer) -> Void

        /// - Parameter below: The number of lines between the row's first line and the request.
        init(
            _ code: String, _ fault: Fault = .missing("Ticket"), below: UInt = 0, line: UInt = #line,
            perform: @escaping @Sendable (DIContainer) -> Void
        ) {
            testDescription = code
            self.fault = fault
            self.line = line + below
            self.perform = perform
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
        Call("a request with a name", .missing("Ticket named \"x\"")) { _ = $0.resolve(Ticket.self, name: "x") },
        Call("a request to the default container", below: 2) { container in
            DIContainer.shared = container
            let _: Ticket = DIContainer.resolve()
        },
        Call("a factory's request", .missing("Double"), below: 1) {
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

    static let factories = [
        Call("resolve(_:name:)", .failed) { _ = $0.resolve(Diesel.self, name: "n") },
        Call("resolve(name:)", .failed) { let _: Diesel = $0.resolve(name: "n") },
        Call("resolve(1, name:)", .superfluous) { let _: Diesel = $0.resolve(1, name: "n") },
        Call("resolve(_:name:arguments:)", .superfluous) { _ = $0.resolve(Diesel.self, name: "n", arguments: 1) },
        Call("resolve(_:name:) { 1 }", .superfluous) { _ = $0.resolve(Diesel.self, name: "n") { 1 } },
        Call("resolve(_:name:arguments: one)", .superfluous) { _ = $0.resolve(Diesel.self, name: "n", arguments: one) },
        Call("resolve(_:name:) as AnyObject", .failed) { _ = $0.resolve(Diesel.self, name: "n") as AnyObject },
        Call("resolve(_:name:) as AnyObject?", .failed) { _ = $0.resolve(Diesel.self, name: "n") as AnyObject? },
        Call("resolve.all(_:name:)", .failed) { _ = $0.resolve.all(Diesel.self, name: "n") },
        Call("a named Provider", .failed) { _ = $0.resolve(Provider<Diesel>.self, name: "n")() },
        Call("a collection", .nonconforming, below: 2) {
            $0.register(Shared(Ticket(number: 1)).into((any Engine).self))
            _ = $0.resolve([any Engine].self)
        },
    ]

    static let arguments = [
        Call("resolve(1, text) as Connection", .mismatched) { let _: Connection = $0.resolve(1, "a") },
        Call("resolve(_:arguments: 1, text)", .mismatched) { _ = $0.resolve(Connection.self, arguments: 1, "a") },
        Call("resolve(_:) { (1, text) }", .mismatched) { _ = $0.resolve(Connection.self) { (1, "a") } },
        Call("a Provider of arguments", .mismatched) { _ = $0.resolve(Provider<Connection, Int, String>.self)(1, "a") },
    ]

    static let refused = [
        Call("register(_:) after seal()", .sealed("Ticket")) { $0.register(Shared(Ticket(number: 2))) },
        Call("a decoration after seal()", .sealed("Ticket")) { $0.register(Decorate(Ticket.self) { base, _ in base }) },
        Call("a declaration after seal()", .sealed("Ticket")) { $0.register(ProvidedByChild(Ticket.self)) },
        Call("unregister(_:) after seal()", .sealed("Ticket")) { $0.unregister(Ticket.self) },
        Call("reset() after seal()", .sealed("the container")) { $0.reset() },
        Call("resetInstances() after seal()", .sealed("the container")) { $0.resetInstances() },
        Call("register(_:) after close()", .closed("Ticket")) { $0.register(Shared(Ticket(number: 2))) },
        Call("unregister(_:) after close()", .closed("Ticket")) { $0.unregister(Ticket.self) },
        Call("reset() after close()", .closed("the container")) { $0.reset() },
        Call("resetInstances() after close()", .closed("the container")) { $0.resetInstances() },
        Call("makeChild() after close()", .closed("the container")) { _ = $0.makeChild() },
        Call("DIContainer.register(_:) after close()", .closed("Int"), below: 1) { container in
            DIContainer.withContainer(container) { DIContainer.register(Shared(1)) }
        },
        Call("resolve(_:) after close()", .closed("Car")) { _ = $0.resolve(Car.self) },
        Call("DIContainer.resolve(_:) of an Optional after close()", .closed("Car"), below: 1) { container in
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
            if call.fault.isOfSealed {
                container.seal(file: "App/Main.swift", line: 1)
                // The text names the first call.
                container.seal()
            }
            if call.fault.isOfClosed { try await container.close(file: "App/Main.swift", line: 1) }
            Self.perform(call, in: container)
        }
        let text = result.standardError
        let reports = text.split(separator: "\n").filter { $0.hasPrefix("reported ") }
        #expect(reports == ["reported \(call.fault.report) on the same thread: true"])
        #expect(text.contains("\(#fileID):\(call.line): Fatal error: \(call.fault.problem)\n"), "\(text)")
        #expect(text.contains("requested at \(#fileID):\(call.line)"), "\(text)")
        #expect(text.contains("\n  fix: "), "\(text)")
        #expect(text.contains("closed by `close()` at App/Main.swift:1\n") == call.fault.isOfClosed)
        #expect(text.contains("`container.fork`") == (call.fault.isOfSealed || call.fault.isOfClosed))
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
    /// `.ci/run two-copies` checks the same with two images that both link the library.
    @Test("Rule 25: The error of a missing registration names the second copy, and the fix")
    static func reported() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let single = failure { _ = try DIContainer().resolve.orThrow(Ticket.self) }
            precondition(single?.description.contains("copies") == false)
            // Another copy reports itself in this way.
            let copy = _typeByName("19DependencyInjection9OtherCopyV") as? any LosslessStringConvertible.Type
            _ = copy?.init("")
            DIContainer.register(Shared { _ -> Double in throw Sabotage() })
            let failed = failure { _ = try DIContainer.resolve.orThrow(Double.self) }?.description
            precondition(failed?.contains("copies") == false, "The fault of a factory names the copies.")
            _ = DIContainer.resolve(Ticket.self)
        }
        let text = result.standardError
        #expect(
            text.contains(
                """
                , in the default container
                  the process contains two copies of the library, each with its own default container
                  fix: link the library once: see "Two copies of the library" in Troubleshooting
                   or: register Ticket
                """), "\(text)")
    }

    @Test(
        "Rules 18, 24: A factory's plain request stops the program, and each observer gets its error",
        arguments: [
            "the factory's container", "its parent's parent", "the requesting child", "the outermost container",
        ])
    static func reports(to observed: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [observed = observed as String] in
            let root = DIContainer()
            let parent = root.makeChild().makeChild { Shared { resolve in Car(engine: resolve()) } }
            let child = parent.makeChild { Scoped(Pool()) }
            let outer = DIContainer { New { _ in Ticket(number: child.resolve(Car.self).engine.kind.count) } }
            let containers = [
                "the factory's container": parent, "its parent's parent": root, "the requesting child": child,
                "the outermost container": outer,
            ]
            containers[observed]?.observe { event in
                guard event.kind == .refused, let error = event.error as? ResolutionError else { return }
                FileHandle.standardError.write(Data("reported \(error.key)\n".utf8))
            }
            _ = try? outer.resolve.orThrow(Ticket.self)
        }
        let text = result.standardError
        #expect(text.components(separatedBy: "reported any Engine\n").count == 2, "\(text)")
        #expect(text.contains("Nothing is registered for any Engine."))
        #expect(text.contains("Ticket  (registered at"))
        #expect(text.contains("Car  (registered at"))
    }
}
