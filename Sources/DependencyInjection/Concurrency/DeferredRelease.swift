/// The objects that a change has unlinked from shared storage.
///
/// The `deinit` waits for the readers, then releases the objects in reverse order (invariants R3 and R4). While the
/// thread holds a queue, both are deferred until it has left every queue, because a foreign `deinit` must not run on a
/// queue (invariant Q6).
struct DeferredRelease: ~Copyable {
    /// A class, so that the release empties the only copy of the array.
    private final class Collection {
        var objects: [AnyObject] = []

        func release() { while objects.popLast() != nil {} }
    }

    private var collection: Collection?

    mutating func add(_ object: AnyObject) {
        let collection = collection ?? Collection()
        collection.objects.append(object)
        self.collection = collection
    }

    deinit { if let collection { Self.release(collection) } }

    // Not inlined: creating and releasing a container would take 5 % more instructions.
    @inline(never) private static func release(_ collection: Collection) {
        PausePoint.unlinked.pass()
        ThreadRecord.current.runOutsideQueues {
            ThreadRecord.waitForReaders()
            collection.release()
        }
    }
}

extension AtomicReference {
    /// Replaces or removes the object, and releases the old one after the reads that may have found it (invariant R3).
    func replace(with object: Object?) {
        guard let old = exchange(object) else { return }
        var retired = DeferredRelease()
        retired.add(old)
    }
}

extension ThreadRecord {
    /// Runs work immediately if the thread holds no queue, and otherwise after the thread has left every queue.
    func runOutsideQueues(_ work: @escaping () -> Void) {
        if heldQueues == 0 { work() } else { own.pointee.deferred.append(work) }
    }

    /// Runs the deferred work, unless the thread holds a queue.
    ///
    /// Has no effect during such work. Otherwise, the calls could nest without limit.
    func runDeferred() {
        guard heldQueues == 0, !own.pointee.deferred.isEmpty, !own.pointee.isRunningDeferred else { return }
        own.pointee.isRunningDeferred = true
        defer { own.pointee.isRunningDeferred = false }
        repeat {
            let batch = own.pointee.deferred
            own.pointee.deferred = []
            for work in batch { work() }
        } while !own.pointee.deferred.isEmpty
    }
}
