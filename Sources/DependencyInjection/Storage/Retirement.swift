/// Collects what a change has unlinked from shared storage. When the collection goes, it releases everything that no
/// reader can see any more, what was added last first: at once or, since foreign `deinit`s must not run on a queue, when
/// the thread has left every queue.
struct Retirement: ~Copyable {
    /// The objects are in a class, so that nobody but the one who releases them holds them.
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

    // Not inlined: a container that is made and dropped would need 5 % more instructions.
    @inline(never) private static func release(_ collection: Collection) {
        PausePoint.unlinked.pass()
        ThreadRecord.current.runOutsideQueues {
            ThreadRecord.waitForReaders()
            collection.release()
        }
    }
}

/// The objects that a thread retains until it is inside no queue.
struct KeptObjects {
    private static let smallestLimit = 512

    private var objects: [AnyObject] = []
    /// The count at which duplicates are removed: a factory that runs for hours may resolve one type again and again.
    private var limit = smallestLimit

    var count: Int { objects.count }

    mutating func add(_ object: AnyObject) {
        if objects.count == limit {
            var known: Set<ObjectIdentifier> = []
            objects.removeAll { !known.insert(ObjectIdentifier($0)).inserted }
            limit = max(Self.smallestLimit, 2 * objects.count)
        }
        objects.append(object)
    }

    /// Returns the object that was added last; nil if none is left.
    mutating func removeLast() -> AnyObject? {
        if let object = objects.popLast() { return object }
        if limit > Self.smallestLimit { self = KeptObjects() }
        return nil
    }
}

extension AtomicReference {
    /// Sets another object, or none, and releases the old one when no reader can see it any more.
    func replace(with object: Object?) {
        guard let old = exchange(object) else { return }
        var retired = Retirement()
        retired.add(old)
    }
}

extension ThreadRecord {
    /// Runs work once the thread is inside no queue: at once, or when it leaves the outermost.
    func runOutsideQueues(_ work: @escaping () -> Void) {
        if heldQueues == 0 { work() } else { own.pointee.deferred.append(work) }
    }

    /// Retains an object until the thread is inside no queue. Does nothing if the thread is inside none.
    ///
    /// Another thread may unlink and release the object while this thread is inside a queue. The release by this thread
    /// would then be the last one, and would run a foreign `deinit` on the queue.
    func keepInsideQueues<Object: AnyObject>(_ object: Borrowed<Object>) {
        if heldQueues > 0 { own.pointee.kept.add(object.reference.takeUnretainedValue()) }
    }

    /// Releases the kept objects, the last one first, and runs the deferred work. Does nothing if a release or that work
    /// calls this function, because the calls would nest without end.
    func runDeferred() {
        guard heldQueues == 0, own.pointee.kept.count > 0 || !own.pointee.deferred.isEmpty,
            !own.pointee.isRunningDeferred
        else { return }
        own.pointee.isRunningDeferred = true
        defer { own.pointee.isRunningDeferred = false }
        repeat {
            while own.pointee.kept.removeLast() != nil {}
            let batch = own.pointee.deferred
            own.pointee.deferred = []
            for work in batch { work() }
        } while own.pointee.kept.count > 0 || !own.pointee.deferred.isEmpty
    }
}
