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
        ThreadRecord.current.runOutsideQueues {
            ThreadRecord.waitForReaders()
            collection.release()
        }
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

    /// Runs the deferred work. Does nothing if that work itself calls it, because the calls would nest without end.
    func runDeferred() {
        guard heldQueues == 0, !own.pointee.deferred.isEmpty, !own.pointee.isRunningDeferred else { return }
        own.pointee.isRunningDeferred = true
        defer { own.pointee.isRunningDeferred = false }
        while !own.pointee.deferred.isEmpty {
            let batch = own.pointee.deferred
            own.pointee.deferred = []
            for work in batch { work() }
        }
    }
}
