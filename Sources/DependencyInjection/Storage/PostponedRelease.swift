/// Keeps what was replaced while a factory is using it, until that factory returns.
///
/// A call of a ``Lifetime/new`` factory retains neither the registration nor the default container; it names both in the
/// frame of its thread before its read ends, and takes them out when the factory has returned. Who replaces one of them
/// unlinks it, waits for the reads under way, and then looks at the frames of all threads. A call that began before the
/// unlinking is in them or has returned; a later one cannot find what was unlinked. (Where it can be found in another place,
/// that place retains it.)
///
/// The thread is told to look again when the factory returns. If it returns in the very moment in which it is told, it may
/// miss that (a fence at each return would be dear), and the release waits for its next factory, the next owner of its record,
/// or the next replacement by any thread.
enum PostponedRelease {
    private static let queue = ReentrantSerialQueue(label: "DependencyInjection.PostponedRelease")
    // Sound: used on the queue only.
    nonisolated(unsafe) private static var postponed: [UnsafeRawPointer: AnyObject] = [:]

    /// Keeps those of the objects that running factories use. They were unlinked, and readers were waited for.
    static func keep(_ objects: [AnyObject]) {
        if !objects.isEmpty { settle(adding: objects) }
    }

    /// Releases what no running factory uses any more.
    static func sweep() { settle(adding: []) }

    private static func settle(adding objects: [AnyObject]) {
        let done = queue.sync { () -> [UnsafeRawPointer: AnyObject] in
            for object in objects {
                postponed[UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())] = object
            }
            var used: Set<UnsafeRawPointer> = []
            for thread in ThreadRecord.all {
                // Told first and asked then: a factory that returns in between is told.
                thread.sweepBelow = .max
                var innermost = -1
                thread.frames.pointee.forEachUsed { index, address in
                    guard postponed[address] != nil else { return }
                    used.insert(address)
                    innermost = index
                }
                thread.sweepBelow = innermost + 1
            }
            let done = postponed.filter { !used.contains($0.key) }
            postponed = postponed.filter { used.contains($0.key) }
            return done
        }
        // What this releases may run foreign code, which must not run on any queue.
        ThreadRecord.current.whenFree { withExtendedLifetime(done) {} }
    }
}
