// The valid results and the valid errors.

import DependencyInjection

extension RandomTree {
    /// The known facts when a request begins.
    struct Begin {
        let time: Int
        let begun: Int
        let ended: Int
        /// The levels whose containers are closed.
        let closed: Set<Int>
    }

    func begin(_ level: Int) -> Begin {
        let ended = ended.count
        let begun = begun.count
        let closed = Set((0...level).filter { homes[$0].isClosed.count > 0 })
        return Begin(time: clock.increment(), begun: begun, ended: ended, closed: closed)
    }

    /// Checks a result.
    ///
    /// - Parameter isOwn: Whether the resolving container is retained, and is one of the tree's.
    func check(
        _ part: RandomTreePart, _ key: Int, at level: Int, since begin: Begin, isOwn: Bool = true,
        _ line: Int = #line
    ) {
        let end = clock.increment()
        let plan = part.record.plan
        // An open parent serves a closed child.
        let isServed = plan.lifetime.isOwned && !begin.closed.contains(plan.level)
        // An open child serves the instances that it has cached, even if a closed parent has registered them.
        let home = part.record.home
        let isOfOpenChild = plan.lifetime.isScoped && home.level > level && home.isClosed.count == 0
        if begin.closed.contains(level), !isServed, !isOfOpenChild {
            return randomTrees.fail("line \(line): \(plan) answered at \(level) after close()")
        }
        if !part.isWhole { return randomTrees.fail("answered after its release") }
        if plan.key != key { return randomTrees.fail("answered \(plan.key) for \(key)") }
        changes.withLock { changes in
            let own = changes[Place(level: plan.level, key: key)] ?? []
            guard let made = own.first(where: { $0.plan?.number == plan.number }) else {
                return randomTrees.fail("answered by what was never registered")
            }
            if made.begin > end { randomTrees.fail("answered by what was not yet registered") }
            if own.contains(where: { $0.begin > made.end && $0.end < begin.time }) {
                randomTrees.fail("line \(line): \(plan) answered at \(level), and was replaced: \(own.suffix(4))")
            }
            for nearer in RandomTree.levels(from: plan.level + 1, to: level)
            where isRegistered(changes, nearer, key, from: begin.time, to: end) {
                randomTrees.fail("line \(line): \(plan) answered at \(level), though \(nearer) has the key")
            }
        }
        guard isOwn, plan.lifetime.isCached, begin.begun == begin.ended else { return }
        var old: Results?
        defer { withExtendedLifetime(old) {} }
        results.withLock { results in
            // Nothing has changed since the request began.
            guard begun.count == begin.begun, results.epoch <= begin.begun else { return }
            if results.epoch < begin.begun {
                old = results
                results = Results(epoch: begin.begun)
            }
            let place = Place(level: level, key: key)
            if let known = results.parts[place], known !== part {
                randomTrees.fail("two instances: \(plan) at \(level)")
            }
            results.parts[place] = part
            randomTrees.comparisons.increment()
        }
    }

    /// Checks an error, or nil for a result of nil.
    func check(
        _ error: (any Error)?, _ key: Int, at level: Int, since begin: Begin,
        _ line: Int = #line
    ) {
        let end = clock.increment()
        let reason = error.map { ($0 as? ResolutionError)?.reason }
        switch reason {
        case .none, .notRegistered:
            if begin.closed.contains(level) { return randomTrees.fail("nil after close()") }
            changes.withLock { changes in
                for place in 0...level where isRegistered(changes, place, key, from: begin.time, to: end) {
                    randomTrees.fail("line \(line): \(key) of \(place) was not found at \(level)")
                }
            }
        case .closed:
            if changers.withLock({ $0 >= 0 }) { randomTrees.fail("closed too early: \(error!)") }
        case .asyncRequired: if begin.closed.contains(0) { randomTrees.fail("not closed after close()") }
        case .misplacedDecorator: if isDecorated.count == 0 { randomTrees.fail("\(error!)") }
        default: if !(error is CancellationError) { randomTrees.fail("\(error!)") }
        }
    }

    private static func levels(from first: Int, to last: Int) -> Range<Int> { first..<max(first, last + 1) }

    /// Whether something was registered at every moment.
    private func isRegistered(
        _ changes: [Place: [Change]], _ level: Int, _ key: Int, from begin: Int, to end: Int
    ) -> Bool {
        let own = changes[Place(level: level, key: key)] ?? []
        return own.contains { change in
            change.plan != nil && change.end < begin
                && !own.contains { $0.plan == nil && $0.end > change.begin && $0.begin < end }
        }
    }
}
