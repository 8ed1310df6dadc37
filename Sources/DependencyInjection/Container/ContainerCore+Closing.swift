// Closing a container: refusing requests, waiting for builds, and running what `OnClose` says.

internal import Dispatch
internal import Synchronization

extension ContainerCore {
    // MARK: What may still be asked

    /// Whether the container is closed, or is being closed.
    var isClosing: Bool { closing.load() != nil }

    /// Whether this container or a parent is closed.
    var isCutOff: Bool { isAnywhere { $0.isClosing } }

    /// Whether this task or, if it is on the queue, this thread builds something that this container keeps.
    func isBuilding(isOnQueue: Bool) -> Bool { isOnQueue || AsyncStep.all.contains { $0.isBuilding(for: self) } }

    /// Throws if this container is closed, unless what asks is a build that began before.
    func checkOpen(_ request: borrowing Request) throws(ResolutionError) {
        try checkOpen(request, upTo: Borrowed(self))
    }

    /// Throws if this container or any parent is closed.
    func checkAllOpen(_ request: borrowing Request) throws(ResolutionError) { try checkOpen(request, upTo: nil) }

    /// Throws if this container is closed, or a parent up to the last one.
    func checkOpen(_ request: borrowing Request, upTo last: Borrowed<ContainerCore>?) throws(ResolutionError) {
        let closed = nearest(upTo: last) { core in
            core.with { $0.isClosing && !$0.isBuilding(isOnQueue: $0.isHeldByCurrentThread) ? $0 : nil }
        }
        if let closed { throw ResolutionError(request, closed.closedCause, in: closed) }
    }

    /// Throws if this container is closed and this is not part of a build that began before. Runs on the queue, before
    /// something is built that is kept.
    ///
    /// - Parameter isNested: Whether the thread was on the queue before.
    func checkMayKeep(_ request: borrowing Request, isNested: Bool) throws(ResolutionError) {
        if isClosing, isDrained || !isBuilding(isOnQueue: isNested) {
            throw ResolutionError(request, closedCause, in: self)
        }
    }

    /// Why this container, which is closed, refuses requests.
    var closedCause: ResolutionError.Cause {
        guard let closing = closing.load() else { preconditionFailure("An open container answers.") }
        return closing.with { .closed(at: $0.site, isOver: $0.isOver) }
    }

    // MARK: What has to be closed

    /// The container's own `OnClose` statements. Use it during a read, or on the queue.
    var ownClosers: [Registration] { closers.load()?.with { $0.value } ?? [] }

    /// Adds the `OnClose` statements among registrations, each that the container does not have. Runs on the queue.
    func addClosers(among registrations: [Registration]) {
        let added = registrations.filter(\.isCloser)
        if added.isEmpty { return }
        // At once, since each exchange waits for readers.
        closers.replace(with: Box(added.reduce(into: ownClosers) { $0 += [$1].without($0) }))
    }

    /// Keeps an instance that an `OnClose` concerns until the container is closed. Runs on the queue.
    func keepForClosing(_ instance: Instance) {
        if isAbandoned { return }
        let statements = statements(about: instance)
        if !statements.isEmpty { unclosed.append(Closable(instance: instance, statements: statements)) }
    }

    /// The `OnClose` statements that concern an instance: those of this container first, and the last that was registered
    /// before the others.
    private func statements(about instance: Instance) -> [Registration] {
        let owner = instance.owner
        if !instance.traits.isDisjoint(with: [.isWeak, .isMadeOfForeign]) || !hasClosers(upTo: owner) { return [] }
        let key = instance.entry.key
        return ThreadRecord.reading {
            var statements: [Registration] = []
            // A parent may have changed meanwhile what the key leads to, and nobody tells its children.
            let isOutdated = outermost(key) == Borrowed(instance) && !isReachable(instance.entry)
            for core in chain {
                for closer in core.ownClosers.reversed() where !statements.contains(where: closer.isSame) {
                    let isOfOutdated = isOutdated && core === self && closer.key == key
                    if isOfOutdated || core.leads(from: closer.key, to: key, of: owner) { statements.append(closer) }
                }
                if Borrowed(core) == owner { break }
            }
            return statements
        }
    }

    /// Whether there is any `OnClose` here or in a parent, up to the one given.
    private func hasClosers(upTo owner: Borrowed<ContainerCore>? = nil) -> Bool {
        isAnywhere(upTo: owner) { $0.closers.load() != nil }
    }

    /// Keeps all instances that an `OnClose` concerns, since they are about to be dropped. Runs on the queue.
    func keepAllForClosing() {
        guard hasClosers() else { return }
        for instance in keptInstances { keepForClosing(instance) }
    }

    /// Whether a request for a key leads to another, of this owner, by no more than aliases.
    private func leads(from key: Key, to wanted: Key, of owner: Borrowed<ContainerCore>) -> Bool {
        // What the owner built for the key, also if the key leads nowhere by now.
        if key == wanted, Borrowed(self) == owner { return true }
        var key = key
        for _ in 0..<Self.longestForwarding {
            guard let found = nearestEntry(key) else { return false }
            guard let target = found.entry.with({ $0.isDecorated ? nil : $0.target }) else {
                return key == wanted && found.owner == owner
            }
            key = target.with { $0.key }
        }
        return false
    }

    /// What the container keeps, and what it has kept in order to close it, in the order in which it was built.
    private var closables: [Closable] {
        let kept = keptInstances.map { Closable(instance: $0, statements: statements(about: $0)) }
        if unclosed.isEmpty { return withoutRepetitions(kept) }
        var merged: [Closable] = []
        merged.reserveCapacity(kept.count + unclosed.count)
        // What concerns an instance now, or when it was dropped, goes before what did when it was built.
        for closable in (kept + unclosed.reversed()).sorted(by: { $0.instance.serial < $1.instance.serial }) {
            guard let last = merged.last, last.instance === closable.instance else {
                merged.append(closable)
                continue
            }
            let others = closable.statements.filter { !last.statements.contains(where: $0.isSame) }
            merged[merged.count - 1].statements += others
        }
        return withoutRepetitions(merged)
    }

    /// Removes from each instance the statements that also concern what decorators made of it.
    private func withoutRepetitions(_ all: [Closable]) -> [Closable] {
        guard all.contains(where: { $0.instance.sourceSerial != nil }) else { return all }
        var result = all
        let places = Dictionary(all.indices.map { (all[$0].instance.serial, $0) }, uniquingKeysWith: { $1 })
        for outer in all {
            guard let source = outer.instance.sourceSerial, let inner = places[source] else { continue }
            result[inner].statements.removeAll { outer.statements.contains(where: $0.isSame) }
        }
        return result
    }

    /// Says what is not closed, because nobody holds the container any more.
    private func complainOfUnclosed(_ closables: [Closable]) {
        let statements = closables.compactMap(\.statements.first)
        if statements.isEmpty { return }
        let lines = TypeNames(statements.map(\.type)).lines(statements)
        StandardError.print(
            """
            A container went without being closed, and so did what it had opened:\(lines)
              fix: call `try await container.close()`, or use `withChild { … } operation: { … }`.
            """)
    }

    /// Says what is not closed, because nobody holds the container any more, and lets go of it; what was built last goes
    /// first.
    func forgetUnclosed() {
        let isReported = _isDebugAssertConfiguration() && !isCopy
        if isClosing || unclosed.isEmpty && !(isReported && hasClosers()) { return }
        // It outlives the list, so that nothing goes before its turn.
        var retired = Retirement()
        let closables = closables
        if isReported { complainOfUnclosed(closables) }
        if unclosed.isEmpty { return }
        for closable in closables { retired.add(closable.instance) }
        slots.removeInstances()
        unclosed = []
    }

    // MARK: Closing

    /// Closes the container, or waits until whoever closes it is done.
    @concurrent func close(after failure: (any Error)?, at site: CallSite) async throws {
        // What is built in an overlay is built for its container.
        if AsyncStep.all.contains(where: { $0.core === self || $0.core?.overlaid === self }) {
            throw CloseError([], at: site)
        }
        let closing = Closing(at: site)
        guard self.closing.setIfEmpty(closing) else {
            try await self.closing.load()?.object.wait()
            return
        }
        // From now on readers find nothing. Builds under way take the slow path, which does.
        slots.hide()
        var awaitsNothing = false
        if !hasAsyncBuilds.load(ordering: .sequentiallyConsistent) {
            _ = tryExclusively {
                takeInstances()
                awaitsNothing = unclosed.allSatisfy { $0.statements.isEmpty }
            }
        }
        if awaitsNothing {
            // This takes no task.
            try await closeTaken(closing, after: failure)
        } else {
            try await Self.uncancelledTask { [self] in
                await waitForBuilds(toCloseAt: site)
                try await closeTaken(closing, after: failure)
            }.value
        }
    }

    /// Makes a task that nobody else knows, and so nobody cancels. Where the system can, it begins on this thread, so that work which
    /// waits for nothing needs no other (SE-0472). The caller is on no actor.
    private static func uncancelledTask(
        _ work: @escaping @concurrent @Sendable () async throws -> Void
    ) -> Task<Void, any Error> {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { return Task.immediate(operation: work) }
        return Task(operation: work)
    }

    /// Waits for the builds under way, and takes out what the container keeps.
    private func waitForBuilds(toCloseAt site: CallSite) async {
        await waitForAsyncBuilds(toCloseAt: site)
        if tryExclusively({ takeInstances() }) { return }
        // A thread that waits for the queue must not be one of those that run tasks.
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                exclusively { takeInstances() }
                continuation.resume()
            }
        }
    }

    /// Takes out all that the container keeps, in the order in which it was built, and lets it keep nothing more. Runs on the
    /// queue.
    private func takeInstances() {
        if isDrained { return }
        isDrained = true
        var retired = Retirement()
        let all = closables
        // They are closed when no reader can look at them any more.
        dropInstances(&retired)
        unclosed = all
    }

    /// Closes and releases what was taken out, one instance after the other.
    private func closeTaken(_ closing: Closing, after failure: (any Error)?) async throws {
        var failures: [CloseError.Failure] = []
        var closables = exclusively {
            defer { unclosed = [] }
            return unclosed
        }
        while let last = closables.popLast() {
            for statement in last.statements {
                do { try await run(statement, about: last.instance, after: failure, at: closing.site) } catch {
                    failures.append(CloseError.Failure(of: last.instance.entry.subject, by: statement, error))
                }
            }
            reportRelease(last.instance)
        }
        let error = failures.isEmpty ? nil : CloseError(failures, at: closing.site)
        reportClosed(error)
        closing.end(error.map { .failure($0) } ?? .success(()))
        if let error { throw error }
    }

    /// Runs an `OnClose` with an instance, or with the view of it that an alias gives.
    private func run(
        _ statement: Registration, about instance: Instance, after failure: (any Error)?, at site: CallSite
    ) async throws {
        guard case .closer(let closer) = statement.kind else { preconditionFailure("Only an `OnClose` closes.") }
        guard let box = instance.box else { return }
        guard let view = statement.key == instance.entry.key ? box : statement.converted(box) else { return }
        let wait = LongWait {
            """
            `close()` at \(site) has waited \($0) ms for the `OnClose` of \(TypeNames.short.label(statement)), registered at \(statement.place).
              fix: let no `OnClose` wait without end; give what it awaits a timeout.
            """
        }
        defer { withExtendedLifetime(wait) {} }
        try await AsyncStep(.closing(by: statement), in: self, at: site).run { try await closer.run(view, failure) }
    }
}
