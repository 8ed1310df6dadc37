// What Diagnostics stands on, beside `RegistrationSnapshot`: a hook for what happens, and building in a copy.

extension DIContainer {
    /// Calls a closure for all that happens in this container, until the returned closure is called.
    package func observeOccurrences(
        _ observer: @escaping @Sendable (ContainerOccurrence) -> Void
    ) -> @Sendable () -> Void {
        let observer = Observer(call: observer)
        core.changeObservers { $0.append(observer) }
        return { [core] in core.changeObservers { all in all.removeAll { $0.id == observer.id } } }
    }
}

extension DIContainer {
    /// Makes a copy with a copy of its parent, so that each registration is built by the container that owns it.
    ///
    /// - Parameter earlier: Another copy, whose instances of asynchronous factories the new one keeps, too.
    package func copiedTree(takingOverFrom earlier: DIContainer? = nil) -> DIContainer {
        // Goes by cores: a front that `DIContainer.current` made in a factory has no parent, but its core has one.
        let earlier = earlier.map { Array($0.core.chain) }
        var copy: DIContainer?
        for (level, core) in core.chain.enumerated().reversed() {
            let next = DIContainer(core: core.copy(under: copy?.core), parent: copy)
            if let earlier { next.core.keepAwaited(of: earlier[level]) }
            copy = next
        }
        guard let copy else { preconditionFailure("A container is the first of its chain.") }
        return copy
    }

    /// Builds what is registered, and returns what failed. It awaits nothing.
    package func buildFailure(of registration: Registration, _ arguments: [any Sendable]) -> ResolutionError? {
        do {
            _ = try core.box(for: Request(for: registration, arguments, at: nil))
            return nil
        } catch { return error }
    }

    /// Builds what is registered, with all that it needs and awaits, and returns what failed.
    package func awaitedBuildFailure(
        of registration: Registration, _ arguments: [any Sendable]
    ) async -> ResolutionError? {
        await core.awaitedFailure(of: Request(for: registration, arguments, at: nil))
    }

    /// Closes what a copy that ``copiedTree(takingOverFrom:)`` made has opened, and its parents, and returns what failed. It goes on
    /// answering, since a factory may have left a task behind that asks.
    package func failuresOfClosingTree() async -> [CloseError.Failure] {
        var failures: [CloseError.Failure] = []
        for core in core.chain {
            failures += await core.closeOpened(after: nil, at: CallSite(file: #fileID, line: #line))
        }
        return failures
    }
}

extension ResolutionError {
    /// What declares that children register what is missing; nil if it was needed by what a parent keeps, which never sees them.
    package var expectation: Registration? { report.keptDependent == nil ? report.expectation : nil }

    /// The asynchronous registration that has to be built before the request can be answered.
    package var neededBuild: Registration? { pending?.entry.registration }

    /// Builds what has to be built before the request can be answered, and returns what failed.
    package func failureOfNeededBuild() async -> ResolutionError? {
        guard let pending else { return nil }
        do {
            _ = try await AsyncBuilds.shared.wait(for: pending)
            return nil
        } catch { return ResolutionError(wrapping: error, pending.request, in: pending.core) }
    }
}

extension ContainerCore {
    /// Keeps the instances that asynchronous factories have made for another copy of this container.
    fileprivate func keepAwaited(of earlier: ContainerCore) {
        for instance in ThreadRecord.reading({ earlier.keptInstances }) where instance.entry.registration.isAsync {
            // The copies have the same entries.
            guard let box = instance.box,
                let owner = chain.first(where: { core in
                    ThreadRecord.reading { core.found(instance.entry) != nil }
                })
            else { continue }
            _ = exclusively {
                Build(instance.entry, of: owner, for: self, keptBy: .container(Borrowed(self))).keep(box)
            }
        }
    }
}

/// Tells threads apart.
package enum CurrentThread {
    package static var identity: UInt { ThreadRecord.current.identity }
}
