import DependencyInjection
import DependencyInjectionDiagnostics
import Synchronization
import Testing

// The trap of the article "Servers".

@Suite("The forgotten child")
struct ForgottenChildTests {
    struct Request: Sendable { let number: Int }
    final class Orders: Sendable {
        let committed = Mutex<[Int]>([])
    }
    final class Unit: Sendable {
        let numbers = Mutex<[Int]>([])
        init() {}
        init(request: Request) {}
    }
    struct Handler: Sendable {
        let unit: Unit
        func handle(_ number: Int) throws {
            unit.numbers.withLock { $0.append(number) }
            if number % 2 == 1 { throw Sabotage() }
        }
    }

    private func app(_ orders: Orders, @RegistrationBuilder _ unit: () -> [Registration]) -> DIContainer {
        DIContainer {
            Shared(orders)
            unit()
            New(autowiring: Handler.init)
        }
    }

    @Test("A unit that needs nothing of a request is shared by all that forget the child, and commits what failed")
    func shared() async throws {
        let orders = Orders()
        let app = app(orders) {
            Scoped { Unit() }.onClose { unit, failure in
                guard failure == nil else { return }
                let numbers = unit.numbers.withLock { $0 }
                orders.committed.withLock { $0 += numbers }
            }
        }
        for number in 0..<100 { try? app.resolve(Handler.self).handle(number) }
        try await app.close()
        #expect(orders.committed.withLock { $0 } == Array(0..<100))
    }

    @Test("Rule 22: a unit that takes the request can be built in its child only, and the others are errors")
    func tied() async throws {
        let orders = Orders()
        let app = app(orders) {
            Expected(Request.self)
            Scoped(autowiring: Unit.init(request:)).onClose { unit, failure in
                guard failure == nil else { return }
                let numbers = unit.numbers.withLock { $0 }
                orders.committed.withLock { $0 += numbers }
            }
        }
        #expect(try app.validate().isEmpty)
        let error = try #require(failure { _ = try app.resolve.orThrow(Handler.self) })
        #expect(error.kind == "notRegistered" && error.label.type == Request.self)
        #expect(error.description.contains("child"))
        for number in 0..<100 {
            try? await app.withChild {
                Shared(Request(number: number))
            } operation: { request in
                try request.resolve.orThrow(Handler.self).handle(number)
            }
        }
        #expect(orders.committed.withLock { $0 } == (0..<100).filter { $0 % 2 == 0 })
        try await app.close()
    }

    @Test("Rule 22: validation finds what the application would keep with a unit")
    func validation() {
        let app = app(Orders()) {
            Expected(Request.self)
            Scoped(autowiring: Unit.init(request:))
            Shared(autowiring: Handler.init, name: "kept")
        }
        let error = #expect(throws: DIContainer.ValidationError.self) { try app.validate() }
        #expect(
            error?.findings.contains { $0.kind == .error(.notRegistered) && $0.description.contains("Request") } == true
        )
    }
}
