/// Keeps what was replaced while a factory is using it, until that factory returns.
///
/// A call of a ``Lifetime/new`` factory retains neither the registration nor the default container; it names both in the
/// frame of its thread before its read ends, and takes them out when the factory has returned. Who replaces one of them
/// unlinks it, waits for the reads under way, and then looks at the frames of all threads. A call that began before the
/// unlinking is in them, and what it uses is kept; a later one cannot find it.
///
/// The thread is told to look again when its factory returns. If it returns in the very moment in which it is told, it may
/// miss that (a fence at each return would be dear), and the release waits for its next factory or the next replacement.
enum PostponedRelease {
    private static let queue = ReentrantSerialQueue(label: "DependencyInjection.PostponedRelease")
    // Sound: used on the queue only.
    nonisolated(unsafe) private static var postponed: [AnyObject] = []

    /// Keeps those of the objects that running factories use. They can no longer be found, and readers were waited for.
    static func keep(_ objects: [AnyObject]) {
        if !objects.isEmpty { settle(adding: objects) }
    }

    /// Releases what no running factory uses any more.
    static func sweep() { settle(adding: []) }

    private static func settle(adding objects: [AnyObject]) {
        // Foreign code that a release runs must not run on the queue.
        let done = queue.sync { () -> [AnyObject] in
            let candidates = postponed + objects
            var used: Set<UnsafeRawPointer> = []
            for thread in ThreadRecord.all {
                thread.mustSweep = true
                let usedThere = thread.used
                thread.mustSweep = candidates.contains { usedThere.contains(address(of: $0)) }
                used.formUnion(usedThere)
            }
            postponed = candidates.filter { used.contains(address(of: $0)) }
            return candidates.filter { !used.contains(address(of: $0)) }
        }
        withExtendedLifetime(done) {}
    }

    private static func address(of object: AnyObject) -> UnsafeRawPointer {
        UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }
}
