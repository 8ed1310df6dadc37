import DependencyInjection
import Testing

/// `New` factories run on the calling thread without holding the queue, even through a lazy wrapper.
@Suite("Lazy wrappers of New registrations", .mayHang, .ownThread)
struct LazyNewTests {
    final class Owner: @unchecked Sendable {  // The wrapped properties are only read.
        @LazyInject var ticket: Ticket
        @MutableLazyInject var mutable: Ticket
    }

    @Test("Rules 15, C4: during a lazy New factory, the container builds and registers", arguments: 0..<2)
    func takesNoQueue(_ wrapper: Int) {
        let began = Latch()
        let mayEnd = Latch()
        let container = DIContainer {
            New { _ in
                began.open()
                mayEnd.wait()
                return Ticket(number: 1)
            }
            Shared(Diesel())
        }
        let owner = DIContainer.withContainer(container) { Owner() }
        let reading = BackgroundThread { wrapper == 0 ? owner.ticket.number : owner.mutable.number }
        began.wait()
        let built = BackgroundThread { container.resolve(Diesel.self).kind }.result()
        let registered = BackgroundThread {
            container.register(Shared("text"))
            return container.resolve(String.self)
        }.result()
        mayEnd.open()
        #expect(built == "diesel")
        #expect(registered == "text")
        #expect(reading.result() == 1)
    }
}

extension ExitTests {
    @Suite("Lazy wrappers of New registrations, in another process") struct LazyNewExitTests {}
}

extension ExitTests.LazyNewExitTests {
    @Test("Rule 15: New factories that read each other's lazy values don't deadlock")
    func noDeadlock() async {
        // In a process of its own, because this process couldn't end after a deadlock.
        await #expect(processExitsWith: .success) {
            let entered = Counter()
            let bothRun = Latch()
            let first = DIContainer()
            let second = DIContainer()
            for (container, other) in [(first, second), (second, first)] {
                container.register {
                    New(Ticket(number: 1), name: "inner")
                    New { [weak other] _ in
                        if entered.increment() == 2 { bothRun.open() }
                        bothRun.wait()
                        @LazyInject(from: other!, name: "inner") var inner: Ticket
                        return Ticket(number: inner.number + 1)
                    }
                }
            }
            let threads = [first, second].map { container in
                let owner = DIContainer.withContainer(container) { LazyNewTests.Owner() }
                return BackgroundThread { owner.ticket.number }
            }
            precondition(threads.map { $0.result() } == [2, 2], "the two wait for each other")
        }
    }
}
