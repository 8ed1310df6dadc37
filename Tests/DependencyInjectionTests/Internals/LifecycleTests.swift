import Testing

@testable import DependencyInjection

/// The decisions of a lifecycle in each state, without threads. Each test reads the same table of states.
@Suite("Rule 20: a lifecycle decides by its state")
struct LifecycleTests {
    enum State: CaseIterable, Sendable {
        case open, sealed, closing, closingTest, closed, released, releasedTest

        /// Returns a lifecycle in the state.
        func lifecycle(closing closables: [Instance] = []) -> Lifecycle {
            var lifecycle = Lifecycle()
            for closable in closables { lifecycle.record(closable) }
            switch self {
            case .open: break
            case .sealed: lifecycle.seal(at: LifecycleTests.site)
            case .closing, .closingTest, .closed, .releasedTest:
                let isTest = self == .closingTest || self == .releasedTest
                _ = lifecycle.beginClosing(by: LifecycleTests.call, servesLateRequests: isTest)
                if self == .closed || self == .releasedTest { _ = lifecycle.endClosing(.success(())) }
            case .released: _ = lifecycle.release()
            }
            return lifecycle
        }
    }

    private static let site = CallSite(file: "App/Main.swift", line: 7)
    private static let call = CloseCall(function: "close()", site: site)
    private static let registration = Shared(Ticket(number: 1)).registrations[0]

    private static func closable() -> Instance {
        Instance(Box(Ticket(number: 1)), of: Entry(registration), builtBy: ContainerCore(), isCached: false)
    }

    /// Returns the refusal as a short text.
    private func text(_ refusal: Lifecycle.Refusal?) -> String {
        switch refusal {
        case nil: "permitted"
        case .sealed: "sealed"
        case .closed(let call, let isOver): "\(isOver ? "closed" : "closing") by \(call.function)"
        }
    }

    private func text(_ admission: Lifecycle.Admission) -> String {
        switch admission {
        case .cached: "cached"
        case .uncached: "uncached"
        case .refused(let refusal): text(refusal)
        }
    }

    private func texts(of decide: (Lifecycle) -> String) -> [State: String] {
        Dictionary(uniqueKeysWithValues: State.allCases.map { ($0, decide($0.lifecycle())) })
    }

    @Test("Changes are permitted, or refused by sealing or closing")
    func changes() {
        #expect(
            texts { text($0.refusalOfChange(isBuilding: false)) } == [
                .open: "permitted", .sealed: "sealed", .closing: "closing by close()", .closingTest: "permitted",
                .closed: "closed by close()", .released: "permitted", .releasedTest: "permitted",
            ])
        #expect(text(State.closing.lifecycle().refusalOfChange(isBuilding: true)) == "permitted")
    }

    @Test("Whether a request is a part of a build matters only while closing")
    func asking() {
        var asked: [State: Int] = [:]
        for state in State.allCases {
            func isBuilding() -> Bool {
                asked[state, default: 0] += 1
                return true
            }
            var lifecycle = state.lifecycle()
            _ = lifecycle.refusalOfChange(isBuilding: isBuilding())
            _ = lifecycle.refusalOfRequest(isBuilding: isBuilding())
            _ = lifecycle.admission(isBuilding: isBuilding())
            _ = lifecycle.begin(
                asyncBuild: ObjectIdentifier(Self.registration), of: Self.registration, isBuilding: isBuilding())
        }
        #expect(asked == [.closing: 4, .closingTest: 4])
    }

    @Test("A lifecycle stays sealed, and records the first call")
    func seal() {
        for state in State.allCases {
            var lifecycle = state.lifecycle()
            lifecycle.seal(at: Self.site)
            lifecycle.seal(at: CallSite(file: "App/Other.swift", line: 1))
            guard case .sealed(let site) = lifecycle.refusalOfChange(isBuilding: true) else {
                Issue.record("\(state)")
                continue
            }
            #expect("\(site)" == "App/Main.swift:7", "\(state)")
        }
    }

    @Test("Requests and builds are served cached, uncached or not at all")
    func builds() {
        #expect(
            texts { text($0.refusalOfRequest(isBuilding: false)) } == [
                .open: "permitted", .sealed: "permitted", .closing: "closing by close()", .closingTest: "permitted",
                .closed: "closed by close()", .released: "permitted", .releasedTest: "permitted",
            ])
        #expect(
            texts { text($0.admission(isBuilding: false)) } == [
                .open: "cached", .sealed: "cached", .closing: "closing by close()", .closingTest: "uncached",
                .closed: "closed by close()", .released: "uncached", .releasedTest: "uncached",
            ])
        #expect(
            texts { text($0.admission(isBuilding: true)) } == [
                .open: "cached", .sealed: "cached", .closing: "cached", .closingTest: "cached",
                .closed: "closed by close()", .released: "uncached", .releasedTest: "uncached",
            ])
    }

    @Test("Readers take the slow path in every state but the open one")
    func readStates() {
        #expect(
            texts { "\($0.readStates.rawValue)" } == [
                .open: "0", .sealed: "0", .closing: "1", .closingTest: "1", .closed: "1", .released: "8",
                .releasedTest: "8",
            ])
    }

    @Test("Cached instances are served until their handlers have run")
    func serving() {
        #expect(texts { "\($0.serves(closableID: nil))" }[.closed] == "false")
        #expect(texts { "\($0.serves(closableID: nil))" }.filter { $0.value == "true" }.keys.count == 6)
        for state in [State.closing, .closingTest] {
            let (first, second) = (Self.closable(), Self.closable())
            var lifecycle = state.lifecycle(closing: [first, second])
            #expect(lifecycle.serves(closableID: first.id) && lifecycle.serves(closableID: second.id), "\(state)")
            lifecycle.markHandled(second.id)
            #expect(lifecycle.serves(closableID: first.id) && !lifecycle.serves(closableID: second.id), "\(state)")
            #expect(lifecycle.serves(closableID: nil), "\(state)")
        }
    }

    @Test("Instances to close are recorded in order until closing ends")
    func closables() {
        let recorded = State.allCases.filter { state in
            var lifecycle = state.lifecycle()
            let (first, second) = (Self.closable(), Self.closable())
            lifecycle.record(first)
            lifecycle.record(second)
            let ids = lifecycle.closables.map(\.id)
            #expect(ids == [first.id, second.id] || ids.isEmpty)
            let taken = lifecycle.takeClosables().map(\.id)
            #expect(taken == ids && lifecycle.closables.isEmpty)
            return !ids.isEmpty
        }
        #expect(recorded == [.open, .sealed, .closing, .closingTest])
    }

    @Test("The first caller closes, and later ones wait or get the result")
    func closeActions() async {
        var lifecycle = Lifecycle()
        guard case .close = lifecycle.beginClosing(by: Self.call, servesLateRequests: false) else {
            Issue.record("The first caller doesn't close.")
            return
        }
        guard case .wait = lifecycle.beginClosing(by: Self.call, servesLateRequests: false) else {
            Issue.record("The second caller doesn't wait.")
            return
        }
        await #expect(throws: Sabotage.self) {
            try await withCheckedThrowingContinuation { continuation in
                if lifecycle.waitForClosing(continuation) != nil { Issue.record("Closing has ended.") }
                let waiters = lifecycle.endClosing(.failure(Sabotage()))
                #expect(waiters.count == 1)
                for waiter in waiters { waiter.resume(throwing: Sabotage()) }
            }
        }
        guard case .end(.failure(let error)) = lifecycle.beginClosing(by: Self.call, servesLateRequests: false) else {
            Issue.record("The third caller gets no result.")
            return
        }
        #expect(error is Sabotage)
        await #expect(throws: Sabotage.self) {
            try await withCheckedThrowingContinuation { continuation in
                if let result = lifecycle.waitForClosing(continuation) { continuation.resume(with: result) }
            }
        }
        if !lifecycle.endClosing(.success(())).isEmpty { Issue.record("Nothing waits any more.") }
    }

    @Test("Instances are released in reverse order of construction, with and without handlers")
    func lastUnreleased() {
        let instances = (0..<4).map { _ in Self.closable() }
        var lifecycle = State.closing.lifecycle(closing: [instances[0], instances[2]])
        lifecycle.unreleased = [instances[1], instances[3]]
        var released: [UInt] = []
        while let last = lifecycle.takeLastUnreleased() { released.append(last.id) }
        #expect(released == instances.reversed().map(\.id))
    }

    @Test("Closing waits for each asynchronous build that was admitted")
    func asyncBuilds() async {
        var lifecycle = Lifecycle()
        let builds = (0..<3).map { _ in Counter() }
        func begin(_ index: Int, isBuilding: Bool, _ expected: String) {
            let id = ObjectIdentifier(builds[index])
            let admission = lifecycle.begin(asyncBuild: id, of: Self.registration, isBuilding: isBuilding)
            #expect(text(admission) == expected)
        }
        begin(0, isBuilding: false, "cached")
        _ = lifecycle.beginClosing(by: Self.call, servesLateRequests: false)
        begin(1, isBuilding: true, "cached")
        begin(2, isBuilding: false, "closing by close()")
        #expect(Set(lifecycle.asyncBuilds.keys) == Set(builds[..<2].map { ObjectIdentifier($0) }))
        await withCheckedContinuation { continuation in
            let waits = lifecycle.waitForAsyncBuilds(continuation)
            #expect(waits)
            if !lifecycle.end(asyncBuild: ObjectIdentifier(builds[1])).isEmpty {
                Issue.record("Closing doesn't wait for the first build.")
            }
            for waiter in lifecycle.end(asyncBuild: ObjectIdentifier(builds[0])) { waiter.resume() }
        }
        await withCheckedContinuation { continuation in
            if !lifecycle.waitForAsyncBuilds(continuation) { continuation.resume() }
        }
    }

    @Test("Only an open or released container has instances to release")
    func releasing() {
        let released = State.allCases.filter { state in
            var lifecycle = state.lifecycle()
            return lifecycle.release()
        }
        #expect(released == [.open, .sealed, .released, .releasedTest])
    }
}
