import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Rule 18: the places that errors name", .mayHang)
struct ErrorPlaceTests {
    /// Returns a child of a container that decorates the registration.
    private func decorating(_ registration: any RegistrationConvertible) -> DIContainer {
        DIContainer {
            registration
            Decorate(Diesel.self) { base, _ in base }
        }.makeChild()
    }

    private func registered(at line: UInt) -> String { "\n  registered at \(#fileID):\(line)\n" }

    @Test("a factory that failed, below a decorator")
    func failed() async throws {
        let line: UInt = #line + 2
        let children = [
            decorating(Scoped(async: { _ -> Diesel in throw Sabotage() })),
            decorating(New { _ -> Diesel in throw Sabotage() }),
        ]
        for (child, line) in zip(children, line...) {
            let error = await #expect(throws: ResolutionError.self) { try await child.resolve.async(Diesel.self) }
            #expect(error?.description.contains(registered(at: line)) == true)
        }
        let failures = await #expect(throws: PreparationError.self) { try await children[0].prepare() }?.failures
        #expect(failures?.map { $0.description.contains(registered(at: line)) } == [true])
    }

    @Test("an asynchronous factory that was not awaited, below a decorator")
    func asyncRequired() {
        let line: UInt = #line + 1
        for child in [decorating(Scoped(async: { _ in Diesel() })), decorating(New(async: { _ in Diesel() }))] {
            let error = failure { _ = try child.resolve.orThrow(Diesel.self) }
            #expect(error?.kind == "asyncRequired" && error?.description.contains(registered(at: line)) == true)
        }
    }

    @Test("a main-actor registration below a decorator")
    func mainActor() async {
        let line: UInt = #line + 1
        let child = decorating(Shared(mainActor: Diesel()))
        let error = await Task.detached { failure { _ = try child.resolve.orThrow(Diesel.self) } }.value
        #expect(error?.kind == "mainActorRequired" && error?.description.contains(registered(at: line)) == true)
    }

    @Test("a New with a missing dependency has its alias in the path, observed or not")
    func aliasOfNew() {
        let container = DIContainer { New({ Driver(starter: try $0.orThrow()) }, as: (any Engine).self) }
        for _ in 0..<2 {
            let error = failure { _ = try container.resolve.orThrow((any Engine).self) }
            #expect(
                error?.kind == "notRegistered" && error?.path.map(\.key) == ["any Engine", "ErrorPlaceTests.Driver"])
            container.observe { _ in }
        }
    }

    @Test("a failed New has its registered name, and an alias its requested one")
    func nameBehindAlias() {
        let container = DIContainer {
            New(name: "n", as: (any Engine).self, (any Equatable).self) { _ -> Diesel in Diesel() }
            New(name: "failing", as: (any Engine).self) { _ -> Diesel in throw Sabotage() }
        }
        for _ in 0..<2 {
            let failed = failure { _ = try container.resolve.orThrow((any Engine).self, name: "failing") }
            #expect(failed?.kind == "factoryFailed" && failed?.key == "Diesel named \"failing\"")
            let alien = failure { _ = try container.resolve.orThrow((any Equatable).self, name: "n") }
            #expect(alien?.kind == "typeMismatch" && alien?.key == "any Equatable named \"n\"")
            container.observe { _ in }
        }
    }

    private final class Driver: Engine {
        let kind = "driver"
        init(starter: any Starter) {}
    }

    @Test("a registration without arguments below a decorator, before and after the build")
    func arguments() throws {
        let line: UInt = #line + 1
        let child = decorating(Scoped(Diesel()))
        for _ in 0..<2 {
            let error = failure { _ = try child.resolve.orThrow(Diesel.self, arguments: 7) }
            #expect(error?.kind == "argumentMismatch" && error?.description.contains(registered(at: line)) == true)
            _ = try child.resolve.orThrow(Diesel.self)
        }
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
        #expect(error?.description.contains(registered(at: line)) == true)
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
        let plain = [
            DIContainer { New { resolve in Ticket(number: try resolve.orThrow(Int.self)) } },
            DIContainer { Shared { resolve in Ticket(number: try resolve.orThrow(Int.self)) } },
            DIContainer { Shared(mainActor: { resolve in Ticket(number: try resolve.orThrow(Int.self)) }) },
        ]
        for container in plain {
            try await MainActor.run {
                let asked: UInt = #line + 1
                let error = failure { _ = try container.resolve.orThrow(Ticket.self) }
                try #expect(origin(error) == "\n    requested at \(#fileID):\(asked)")
                let again: UInt = #line + 1
                let second = failure { _ = try container.resolve.orThrow(Ticket?.self) }
                try #expect(origin(second) == "\n    requested at \(#fileID):\(again)")
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
        let container = DIContainer { Shared(Ticket(number: 1), as: (any Engine).self) }
        let error = failure { _ = try container.resolve.orThrow((any Engine).self) }
        #expect(error?.path.map(\.key) == ["any Engine"])
        #expect(error?.description.split(separator: "\n").count { $0.contains("requested at") } == 1)
    }

    @Test("a type requested as an object has the place of that request")
    func object() {
        let line: UInt = #line + 2
        let errors = [
            failure { _ = try DIContainer().resolve.orThrow(Ticket.self) as AnyObject },
            failure { _ = try DIContainer().resolve.orThrow(Ticket.self) as AnyObject? },
        ]
        #expect(errors.map { $0?.line } == [line, line + 1])
        #expect(errors.allSatisfy { $0?.file == #fileID })
    }

    @Test("a failure in prepare() has the place of that call")
    func preparation() async {
        let container = DIContainer { Shared(async: { _ -> Ticket in throw Sabotage() }) }
        let line: UInt = #line + 1
        let error = await #expect(throws: PreparationError.self) { try await container.prepare() }
        #expect(error?.failures.map(\.line) == [line] && error?.failures.first?.file == #fileID)
    }
}
