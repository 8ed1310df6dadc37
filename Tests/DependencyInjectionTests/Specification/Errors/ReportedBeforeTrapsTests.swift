import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

extension ExitTests {
    /// An observer, such as a crash reporter, gets the error before the program stops.
    @Suite("Rule 24: An error that stops the program is reported first") struct RefusedEventTests {}
}

extension ExitTests.RefusedEventTests {
    /// The forms of failing requests.
    private static let failures: [@Sendable (DIContainer) -> Void] = [
        { _ = $0.resolve(Ticket.self) },
        { _ = $0.resolve(Ticket.self, arguments: 1) },
        { let _: Ticket = $0.resolve(1) },
        { _ = $0.resolve(Ticket.self) { (1, 2) } },
        { _ = $0.resolve(Provider<Ticket>.self)() },
        { _ = $0.resolve.all(Car.self) },
        { container in
            @Inject(from: container) var ticket: Ticket
            _ = ticket
        },
        { container in
            @LazyInject(from: container) var ticket: Ticket
            _ = ticket
        },
        { container in DIContainer.withContainer(container) { _ = DIContainer.resolve(Ticket.self) } },
        // The factory of the observed container makes a plain request to a child.
        { _ = $0.resolve(Int.self) },
        { _ = $0.makeChild().resolve(Ticket.self) },
        { container in
            container.seal()
            container.register(Shared("late"))
        },
        { container in
            @MutableInject(from: container) var ticket: Ticket
            _ = ticket
        },
        { container in
            @MutableLazyInject(from: container) var ticket: Ticket
            _ = ticket
        },
        { container in
            // The type is registered, and the factory requests plainly with its resolver.
            container.register(Shared { resolve in Ticket(number: Int(resolve() as Double)) })
            _ = container.resolve(Ticket?.self)
        },
        { container in
            DIContainer.shared = container
            let _: Ticket = DIContainer.resolve()
        },
        { container in
            DIContainer.shared = container
            @LazyInject var ticket: Ticket
            _ = ticket
        },
        { container in DIContainer.withContainer(container) { _ = DIContainer.resolve(Ticket.self, name: "named") } },
        { $0.unregister(Ticket.self) },
        { $0.reset() },
        { _ = $0.makeChild() },
    ]

    /// The calls of the last ones are changes of a closed container.
    private static let closedCount = 3

    @Sendable private static func fail(_ index: Int) async throws {
        let container = DIContainer {
            Shared(autowiring: Car.init)
            Shared { _ in DIContainer.current.makeChild().resolve(Ticket.self).number }
        }
        if index >= failures.count - closedCount { try await container.close() }
        run(index, container)
    }

    private static func run(_ index: Int, _ container: DIContainer) {
        observe(container)
        failures[index](container)
    }

    /// Reports each error on standard error.
    private static func observe(_ container: DIContainer) {
        let thread = ObjectIdentifier(Thread.current)
        container.observe { event in
            guard event.kind == .refused, let error = event.error as? ResolutionError else { return }
            // The line is written before the program stops.
            let line =
                "reported \(error.reason) of \(error.key) on the same thread: \(ObjectIdentifier(Thread.current) == thread)\n"
            FileHandle.standardError.write(Data(line.utf8))
        }
    }

    @Test("Through every plain form and wrapper, once, and on the thread that stops", arguments: failures.indices)
    func refused(_ index: Int) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
            try await Self.fail(index)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let isClosed = index >= Self.failures.count - Self.closedCount
        let others = [
            5: ("notRegistered", "any Engine"), 11: ("sealed", "String"), 14: ("notRegistered", "Double"),
            17: ("notRegistered", "Ticket named \"named\""),
            18: ("closed", "Ticket"),
        ]
        let (reason, key) = others[index] ?? (isClosed ? ("closed", "the container") : ("notRegistered", "Ticket"))
        let line = "reported \(reason) of \(key) on the same thread: true\n"
        #expect(text.components(separatedBy: line).count == 2, "\(text)")
        #expect(text.contains("Fatal error: "))
    }
}
