/// A call that closes a container, as named in error texts.
package final class CloseCall: Sendable, CustomStringConvertible {
    /// The function that was called, such as `close()`.
    let function: String
    let site: CallSite

    /// The call and its source location, such as "`close()` at App/Server.swift:42".
    package var description: String { "`\(function)` at \(site)" }

    package init(function: String, site: CallSite) {
        self.function = function
        self.site = site
    }
}

/// The lifecycle of a container, which determines what it may build, cache, resolve and change.
///
/// It is a value without locks or threads. Each function makes one decision, and returns the action for its caller. It
/// asks whether a request is a part of a build only while the container is closing, because the answer takes time.
///
/// | state | changes | cached instances | builds | new instances are cached |
/// | --- | --- | --- | --- | --- |
/// | open | yes, unless sealed | resolved | yes | yes |
/// | closing | in earlier builds | resolved until their handlers have run | as a part of earlier builds | yes |
/// | closed | no | none | no | no |
/// | released | yes, unless sealed | resolved until they are released | yes | no |
///
/// A test container is closed differently. While it is closing, it permits changes and builds late requests without
/// caching the instances. Afterwards, it is released.
struct Lifecycle: Sendable {
    enum State: Sendable {
        case open
        case closing(CloseCall)
        case closed(CloseCall, Result<Void, any Error>)
        case released
    }

    /// Whether a build may begin.
    enum Admission: Sendable {
        case cached
        /// The build may begin, but its result isn't cached.
        case uncached
        case refused(Refusal)
    }

    /// The reason to refuse a request or a change.
    enum Refusal: Sendable {
        case sealed(at: CallSite)
        case closed(by: CloseCall, isOver: Bool)
    }

    private(set) var state = State.open
    /// Whether the container, while it is closing, resolves late requests like a released container.
    private var servesLateRequests = false
    /// The other callers of `close()`, which wait for the same result.
    private(set) var closeWaiters: [CheckedContinuation<Void, any Error>] = []
    /// The caller that closes the container, if it waits for asynchronous builds.
    // An array, because the size of a continuation is unknown until run time, and so would be the lifecycle's.
    private var buildWaiters: [CheckedContinuation<Void, Never>] = []
    /// The ID of the closable instance whose handlers ran last. Those of later instances have run before.
    var lastHandled = UInt.max
    /// The call of `seal()`.
    private var seal: CallSite?
    /// The registrations of the asynchronous builds in progress, which closing waits for.
    private(set) var asyncBuilds = [ObjectIdentifier: Registration]()
    /// The instances whose registrations have `onClose` handlers, without decorators, in order of construction. The
    /// container retains them until closing.
    private(set) var closables: [Instance] = []
    /// The instances that a closing container has removed from its cache and not released, in order of construction.
    var unreleased: [Instance] = []

    // MARK: Requests and changes

    /// Returns the reason to refuse a change.
    ///
    /// - Parameter isBuilding: Whether the change is a part of a build that this container has admitted.
    func refusalOfChange(isBuilding: @autoclosure () -> Bool) -> Refusal? {
        if let seal { return .sealed(at: seal) }
        if case .refused(let refusal) = admission(isBuilding: isBuilding()) { return refusal }
        return nil
    }

    /// Returns whether a cached instance may be resolved.
    ///
    /// - Parameter closableID: Identifies its closable instance. `nil` if it has no `onClose` handler.
    func serves(closableID: UInt?) -> Bool {
        switch state {
        case .open: true
        case .closing: closableID.map { $0 < lastHandled } ?? true
        case .closed: false
        case .released: true
        }
    }

    /// Returns whether a build may begin, and whether its result is cached.
    ///
    /// - Parameter isBuilding: Whether the build is a part of a build that this container has admitted.
    func admission(isBuilding: @autoclosure () -> Bool) -> Admission {
        switch state {
        case .open: .cached
        case .closing(let call):
            if isBuilding() {
                .cached
            } else {
                servesLateRequests ? .uncached : .refused(.closed(by: call, isOver: false))
            }
        case .closed(let call, _): .refused(.closed(by: call, isOver: true))
        case .released: .uncached
        }
    }

    /// The states of the container's ``ReadGate``.
    var readStates: ReadGate.States {
        switch state {
        case .open: []
        case .closing, .closed: .closing
        case .released: .released
        }
    }

    mutating func seal(at site: CallSite) { seal = seal ?? site }

    // MARK: Builds

    /// Begins an asynchronous build, unless it is refused.
    mutating func begin(
        asyncBuild id: ObjectIdentifier, of registration: Registration, isBuilding: @autoclosure () -> Bool
    ) -> Admission {
        let admission = admission(isBuilding: isBuilding())
        if case .refused = admission { return admission }
        asyncBuilds[id] = registration
        return admission
    }

    /// Ends an asynchronous build.
    ///
    /// - Returns: The continuations to resume, if this was the last build.
    mutating func end(asyncBuild id: ObjectIdentifier) -> [CheckedContinuation<Void, Never>] {
        asyncBuilds[id] = nil
        if !asyncBuilds.isEmpty { return [] }
        defer { buildWaiters = [] }
        return buildWaiters
    }

    /// Waits for the end of all asynchronous builds.
    ///
    /// - Returns: Whether the continuation was stored. False if no build is in progress.
    mutating func waitForAsyncBuilds(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        if asyncBuilds.isEmpty { return false }
        buildWaiters.append(continuation)
        return true
    }

    /// Records an instance that a factory has returned, if the container is going to close it.
    mutating func record(_ closable: Instance) {
        switch state {
        case .open, .closing: closables.append(closable)
        case .closed, .released: break
        }
    }

    // MARK: Closing

    /// The action for a caller of `close()`.
    enum CloseAction {
        /// The caller closes the container.
        case close
        /// Another caller closes the container, and this one waits.
        case wait
        /// The container is closed.
        case end(Result<Void, any Error>)
    }

    mutating func beginClosing(by call: CloseCall, servesLateRequests: Bool) -> CloseAction {
        switch state {
        case .open, .released:
            state = .closing(call)
            self.servesLateRequests = servesLateRequests
            return .close
        case .closing: return .wait
        case .closed(_, let result): return .end(result)
        }
    }

    /// Stores the continuation of a caller that waits for the end of closing.
    ///
    /// - Returns: The result, if closing has ended.
    mutating func waitForClosing(_ continuation: CheckedContinuation<Void, any Error>) -> Result<Void, any Error>? {
        switch state {
        case .closing:
            closeWaiters.append(continuation)
            return nil
        case .closed(_, let result): return result
        case .open, .released: return .success(())
        }
    }

    /// Removes and returns the closable instances.
    mutating func takeClosables() -> [Instance] {
        defer { closables = [] }
        return closables
    }

    /// Removes and returns the instance that was built last, which the caller releases.
    mutating func takeLastUnreleased() -> Instance? {
        let isClosable = closables.last.map { $0.id > unreleased.last?.id ?? 0 } ?? false
        return isClosable ? closables.popLast() : unreleased.popLast()
    }

    /// Ends closing.
    ///
    /// - Returns: The continuations of the waiting callers.
    mutating func endClosing(_ result: Result<Void, any Error>) -> [CheckedContinuation<Void, any Error>] {
        guard case .closing(let call) = state else { return [] }
        state = servesLateRequests ? .released : .closed(call, result)
        defer { closeWaiters = [] }
        return closeWaiters
    }

    // MARK: Releasing

    /// Releases the container, because no code retains it any more.
    ///
    /// - Returns: Whether the caller has to release the instances.
    mutating func release() -> Bool {
        switch state {
        case .open, .released:
            state = .released
            return true
        case .closing, .closed: return false
        }
    }
}
