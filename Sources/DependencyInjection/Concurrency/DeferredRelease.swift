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

/// The objects that a thread retains until it has left every queue.
struct RetainedObjects {
    private static let smallestLimit = 512

    // Unmanaged, because adding an object to an array of strong references takes twice as long.
    private var objects: [Unmanaged<AnyObject>] = []
    /// The count at which duplicates are removed. A factory that runs for hours may resolve one type many times.
    private var limit = smallestLimit

    var count: Int { objects.count }

    /// Retains an object.
    mutating func add(_ object: Unmanaged<AnyObject>) {
        if objects.count == limit { removeDuplicates() }
        objects.append(object.retain())
    }

    private mutating func removeDuplicates() {
        var known: Set<UnsafeMutableRawPointer> = []
        objects.removeAll { object in
            if known.insert(object.toOpaque()).inserted { return false }
            // Another reference in the list remains.
            object.release()
            return true
        }
        limit = max(Self.smallestLimit, 2 * objects.count)
    }

    /// Removes and returns the object that was added last, which the caller releases. Returns `nil` if the list is
    /// empty.
    mutating func removeLast() -> Unmanaged<AnyObject>? {
        if let object = objects.popLast() { return object }
        // Frees the large array that a long factory may have needed.
        if limit > Self.smallestLimit { self = RetainedObjects() }
        return nil
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

    /// Retains an object until the thread has left every queue (invariant Q6). Has no effect outside of queues.
    ///
    /// Another thread may unlink and release the object concurrently. Without this, the release by this thread could be
    /// the last one, which would run a foreign `deinit` on the queue.
    @inline(__always) func retainInsideQueues<Object: AnyObject>(_ object: UnretainedReference<Object>) {
        if heldQueues > 0 { own.pointee.retained.add(.fromOpaque(object.reference.toOpaque())) }
    }

    private func releaseRetained() {
        // A release may run a foreign `deinit`, which may add objects to this list.
        while let object = own.pointee.retained.removeLast() { object.release() }
    }

    /// Releases the objects retained inside queues in reverse order, and runs the deferred work.
    ///
    /// Has no effect during such a release and during such work. Otherwise, the calls could nest without limit.
    func runDeferred() {
        guard heldQueues == 0, own.pointee.retained.count > 0 || !own.pointee.deferred.isEmpty,
            !own.pointee.isRunningDeferred
        else { return }
        own.pointee.isRunningDeferred = true
        defer { own.pointee.isRunningDeferred = false }
        repeat {
            releaseRetained()
            let batch = own.pointee.deferred
            own.pointee.deferred = []
            for work in batch { work() }
        } while own.pointee.retained.count > 0 || !own.pointee.deferred.isEmpty
    }
}
