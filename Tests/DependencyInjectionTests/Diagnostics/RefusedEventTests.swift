import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

/// An observer gets the error before the program stops, as a crash reporter needs it.
@Suite("Rule 24: an error that stops the program is reported before", .timeLimit(.minutes(5)))
struct RefusedEventTests {
    /// The ways to fail.
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
        // The factory of the observed container requests plainly from a child.
        { _ = $0.resolve(Int.self) },
        { _ = $0.makeChild().resolve(Ticket.self) },
        { container in
            container.seal()
            container.register(Shared("late"))
        },
    ]

    @Sendable private static func fail(_ index: Int) {
        let container = DIContainer {
            Shared(autowiring: Car.init)
            Shared { _ in DIContainer.current.makeChild().resolve(Ticket.self).number }
        }
        let thread = ObjectIdentifier(Thread.current)
        container.observe { event in
            guard event.kind == .refused, let error = event.error as? ResolutionError else { return }
            // The line arrives although the program stops right afterwards.
            let line =
                "reported \(error.reason) of \(error.key) on the same thread: \(ObjectIdentifier(Thread.current) == thread)\n"
            FileHandle.standardError.write(Data(line.utf8))
        }
        failures[index](container)
    }

    @Test("Through every plain form and wrapper, once, and on the thread that stops", arguments: failures.indices)
    func refused(_ index: Int) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
            Self.fail(index)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let (reason, key) =
            [5: ("notRegistered", "any Engine"), 11: ("sealed", "String")][index] ?? ("notRegistered", "Ticket")
        let line = "reported \(reason) of \(key) on the same thread: true\n"
        #expect(text.components(separatedBy: line).count == 2, "\(text)")
        #expect(text.contains("Fatal error: "))
    }
}
