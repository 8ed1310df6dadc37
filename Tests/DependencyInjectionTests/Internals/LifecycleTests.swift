import Testing

@testable import DependencyInjection

/// The decisions of a lifecycle in each state, without threads.
@Suite("Rule 20: a lifecycle decides by its state")
struct LifecycleTests {
    enum State: CaseIterable, Sendable {
        case open, sealed, closing, closingTest, closed, released, releasedSealed, releasedTest

        /// The decisions in the state.
        var decisions: String {
            switch self {
            case .open: "change permitted, build cached, part of a build cached, reads 0, closes"
            case .sealed: "change sealed, build cached, part of a build cached, reads 0, closes"
            case .closing: "change closing, build closing, part of a build cached, reads 1, waits"
            case .closingTest: "change permitted, build uncached, part of a build cached, reads 1, waits"
            case .closed: "change closed, build closed, part of a build closed, reads 1, ends"
            case .released, .releasedTest: "change permitted, build uncached, part of a build uncached, reads 8, closes"
            case .releasedSealed: "change sealed, build uncached, part of a build uncached, reads 8, closes"
            }
        }
    }

    fileprivate static let site = CallSite(file: "App/Main.swift", line: 7)
    fileprivate static let call = CloseCall(function: "close()", site: site)

    private static let registration = Shared(Ticket(number: 1)).registrations[0]

    /// A new instance for each access.
    private static var instance: Instance {
        Instance(Box(Ticket(number: 1)), of: Entry(registration), builtBy: ContainerCore(), isCached: false)
    }

    @Test("A change, a build and close() are permitted or refused", arguments: State.allCases)
    func decides(_ state: State) {
        var lifecycle = Lifecycle(in: state)
        let decisions = [
            "change \(lifecycle.refusalOfChange(isBuilding: false)?.text ?? "permitted")",
            "build \(lifecycle.admission(isBuilding: false).text)",
            "part of a build \(lifecycle.admission(isBuilding: true).text)",
            "reads \(lifecycle.readStates.rawValue)",
            lifecycle.beginClosing(by: Self.call, servesLateRequests: false).text,
        ]
        #expect(decisions.joined(separator: ", ") == state.decisions)
    }

    @Test("Only a closed container doesn't serve cached instances", arguments: State.allCases)
    func servingStates(_ state: State) {
        #expect(Lifecycle(in: state).serves(closableID: nil) == (state != .closed))
    }

    @Test("Cached instances are served until their handlers have run", arguments: [State.closing, .closingTest])
    func serving(_ state: State) {
        let (first, second) = (Self.instance, Self.instance)
        var lifecycle = Lifecycle(in: state, closing: [first, second])
        let ids = [first.id, second.id, nil]
        // A failed expectation prints only the results, because a lifecycle can't be printed.
        let before = ids.map { lifecycle.serves(closableID: $0) }
        #expect(before == [true, true, true])
        lifecycle.lastHandled = second.id
        let after = ids.map { lifecycle.serves(closableID: $0) }
        #expect(after == [true, false, true])
    }

    @Test("Instances to close are recorded until closing ends, and an unclosed container releases its instances")
    func recordingAndReleasing() {
        let recording = State.allCases.filter { state in
            var lifecycle = Lifecycle(in: state)
            lifecycle.record(Self.instance)
            return !lifecycle.closables.isEmpty
        }
        #expect(recording == [.open, .sealed, .closing, .closingTest])
        let releasing = State.allCases.filter { state in
            var lifecycle = Lifecycle(in: state)
            return lifecycle.release()
        }
        #expect(releasing == [.open, .sealed, .released, .releasedSealed, .releasedTest])
    }

    @Test("Instances are released in reverse order of construction, with and without handlers")
    func lastUnreleased() {
        let instances = (0..<4).map { _ in Self.instance }
        var lifecycle = Lifecycle(in: .closing, closing: [instances[0], instances[2]])
        lifecycle.unreleased = [instances[1], instances[3]]
        var released: [UInt] = []
        while let last = lifecycle.takeLastUnreleased() { released.append(last.id) }
        #expect(released == instances.reversed().map(\.id))
    }

    @Test("Closing waits for the last of the asynchronous builds")
    func asyncBuilds() async {
        var lifecycle = Lifecycle()
        let builds = [Counter(), Counter()]
        for build in builds {
            _ = lifecycle.begin(asyncBuild: ObjectIdentifier(build), of: Self.registration, isBuilding: false)
        }
        _ = lifecycle.beginClosing(by: Self.call, servesLateRequests: false)
        await withCheckedContinuation { continuation in
            let waits = lifecycle.waitForAsyncBuilds(continuation)
            let waiters = builds.reversed().map { lifecycle.end(asyncBuild: ObjectIdentifier($0)).count }
            #expect(waits)
            #expect(waiters == [0, 1])
            // Not by the lifecycle, so that no fault leaves the test waiting.
            continuation.resume()
        }
        await withCheckedContinuation { continuation in
            let waits = lifecycle.waitForAsyncBuilds(continuation)
            #expect(!waits)
            continuation.resume()
        }
    }

    @Test("A container of a test runs no handler for an instance that a request builds after closing has begun")
    func lateRequests() async throws {
        let (build, closed) = (Latch(), Counter())
        let container = DIContainer {
            Shared(async: { _ in try await build.opening(returning: Ticket(number: 1)) })
            Shared(Thing()).onClose { _ in closed.increment() }
            Shared(async: { _ in Diesel() }).onClose { _ in closed.increment() }
        }
        let request = Task { try await container.resolve.async(Ticket.self) }
        await build.isReached()
        // It waits for the build.
        let closing = Task {
            try await container.core.close(dueTo: nil, by: Self.call, servesLateRequests: true)
        }
        #expect(await eventually { container.core.isClosingOrClosed })
        _ = try container.resolve.orThrow(Thing.self)
        _ = try await container.resolve.async(Diesel.self)
        build.open()
        _ = try await (request.value, closing.value)
        #expect(closed.count == 0)
    }

    @Test("A caller of close() that would wait gets the result if closing has ended")
    func waitAfterEnd() async {
        var lifecycle = Lifecycle(in: .closed)
        await #expect(throws: Sabotage.self) {
            try await withCheckedThrowingContinuation { continuation in
                continuation.resume(with: lifecycle.waitForClosing(continuation) ?? .success(()))
            }
        }
    }
}

extension Lifecycle {
    /// Creates a lifecycle in the state.
    fileprivate init(in state: LifecycleTests.State, closing closables: [Instance] = []) {
        self.init()
        for closable in closables { record(closable) }
        if state == .sealed || state == .releasedSealed { seal(at: LifecycleTests.site) }
        switch state {
        case .open, .sealed: break
        case .closing, .closingTest, .closed, .releasedTest:
            let isTest = state == .closingTest || state == .releasedTest
            _ = beginClosing(by: LifecycleTests.call, servesLateRequests: isTest)
            if state == .closed || state == .releasedTest { _ = endClosing(.failure(Sabotage())) }
        case .released, .releasedSealed: _ = release()
        }
    }
}

extension Lifecycle.Refusal {
    fileprivate var text: String {
        switch self {
        case .sealed: "sealed"
        case .closed(_, let isOver): isOver ? "closed" : "closing"
        }
    }
}

extension Lifecycle.Admission {
    fileprivate var text: String {
        switch self {
        case .cached: "cached"
        case .uncached: "uncached"
        case .refused(let refusal): refusal.text
        }
    }
}

extension Lifecycle.CloseAction {
    fileprivate var text: String {
        switch self {
        case .close: "closes"
        case .wait: "waits"
        case .end: "ends"
        }
    }
}
