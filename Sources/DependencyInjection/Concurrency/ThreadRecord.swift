public import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// The state of a thread: its current read of shared storage, and its running factories.
///
/// The record is created when the thread first uses the library, and freed when the thread ends.
///
/// Unchecked: other threads only access the sequence, which is atomic.
@usableFromInline struct ThreadRecord: @unchecked Sendable {
    /// The part that other threads may access.
    @usableFromInline struct Fields: ~Copyable {
        /// Odd while the thread reads shared storage.
        @usableFromInline let sequence = Atomic<UInt>(0)
        /// Ends a read. It is called through memory: see ``ThreadRecord/endReading()``.
        // A variable, so that the optimizer can't identify the function.
        @usableFromInline var end: @convention(c) (UnsafeMutableRawPointer) -> Void

        init() {
            end = { fields in
                let fields = fields.assumingMemoryBound(to: Fields.self)
                PausePoint.readEnding.pass()
                let sequence = fields.pointee.sequence.load(ordering: .relaxed)
                fields.pointee.sequence.store(sequence &+ 1, ordering: .releasing)
            }
        }
    }

    /// The part that only the thread itself accesses.
    struct Own {
        /// The running factories, outermost first.
        var frames: [FactoryFrame] = []
        /// The call site of the request for the outermost factory.
        var origin: CallSite?
        /// See ``ThreadRecord/attachment``.
        var attachment: AnyObject?
        /// Work to run after the thread has left every queue: see ``ThreadRecord/runOutsideQueues(_:)``.
        var deferred: [() -> Void] = []
        /// See ``ThreadRecord/retainInsideQueues(_:)``.
        var retained = RetainedObjects()
        /// The number of the library's queues that the thread holds.
        var heldQueues: Int32 = 0
        var isOnMainQueue = false
        var isRunningDeferred = false
        /// See ``ThreadRecord/runOutsideFactories(_:)``.
        var isOutsideFactories = false
    }

    /// Both parts share one allocation of whole pairs of cache lines, because some processors fetch lines in pairs. The
    /// reads of one thread must not slow down another.
    private static let ownOffset = 64
    private static let size = 256

    var own: UnsafeMutablePointer<Own> {
        (UnsafeMutableRawPointer(pointer) + Self.ownOffset).assumingMemoryBound(to: Own.self)
    }

    @usableFromInline let pointer: UnsafeMutablePointer<Fields>

    @inlinable init(pointer: UnsafeMutablePointer<Fields>) {
        self.pointer = pointer
    }

    var identity: UInt { UInt(bitPattern: pointer) }
    var heldQueues: Int32 { own.pointee.heldQueues }

    /// The name of the thread in debuggers.
    var name: String { "0x" + String(withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) }, radix: 16) }

    var isOnMainQueue: Bool { own.pointee.isOnMainQueue }

    /// The record of the calling thread, created on first use.
    static var current: ThreadRecord {
        @inline(__always) get {
            let key = keyPlusOne.load(ordering: .acquiring)
            if key != 0, let known = pthread_getspecific(pthread_key_t(truncatingIfNeeded: key &- 1)) {
                return ThreadRecord(pointer: known.assumingMemoryBound(to: Fields.self))
            }
            return make()
        }
    }

    // MARK: Reading

    /// Runs work that reads shared storage, as one read.
    static func reading<Result>(_ body: () -> Result) -> Result { reading { _ in body() } }

    /// Runs work that reads shared storage, as one read, with the record of the calling thread.
    @inline(__always) static func reading<Result>(_ body: (ThreadRecord) -> Result) -> Result {
        let thread = current
        thread.beginReading()
        defer { thread.endReading() }
        return body(thread)
    }

    /// Announces a read. Every object reached through shared storage stays allocated until ``endReading()``.
    ///
    /// The store is sequentially consistent, as are the loads that follow and the exchange by a writer. So the reader
    /// finds the new object, or the writer finds the reader (invariants R1 and R4).
    @inline(__always) func beginReading() {
        let sequence = pointer.pointee.sequence.load(ordering: .relaxed)
        assert(sequence & 1 == 0, "A read within a read would end the protection of both.")
        pointer.pointee.sequence.store(sequence &+ 1, ordering: .sequentiallyConsistent)
        PausePoint.readAnnounced.pass()
    }

    /// Ends a read, after the caller has copied the required value (invariant R2). A copy retains the value.
    ///
    /// An atomic store releases nothing, so the compiler may move a retain past it, and for a moment the object would
    /// be unprotected. A function called through memory could do anything, so the compiler has to retain before the
    /// call. A noninlined function would cost the same, but the compiler analyzes functions of its own module.
    /// Retaining the box instead takes 40 % more instructions, and makes threads contend for the reference count.
    @inlinable func endReading() {
        pointer.pointee.end(pointer)
    }

    /// Returns after every earlier announced read has ended (invariant R4).
    ///
    /// A read runs no foreign code and never blocks, so it lasts nanoseconds unless its thread is preempted.
    static func waitForReaders() {
        withAll { records in
            for record in records {
                let sequence = record.pointer.pointee.sequence.load(ordering: .sequentiallyConsistent)
                guard sequence & 1 == 1 else { continue }
                var attempts = 0
                while record.pointer.pointee.sequence.load(ordering: .sequentiallyConsistent) == sequence {
                    attempts += 1
                    // A thread of lower priority is only scheduled if this thread really sleeps.
                    if attempts > 1_000 { usleep(50) } else { sched_yield() }
                }
            }
        }
    }

    // MARK: The records of all threads

    /// The records of all living threads.
    private final class All: Sendable {
        let records: Locked<[ThreadRecord]>

        init(_ records: [ThreadRecord]) { self.records = Locked(records) }
    }

    /// Only exchanged in a forked child process, which leaks the old list.
    private static let all = AtomicReference(All([]))

    /// Accesses the records of all living threads under a lock. A writer that waits for readers holds the lock, so that
    /// no record is freed during the wait (invariant R7).
    private static func withAll(_ body: (inout [ThreadRecord]) -> Void) {
        guard let all = all.load() else { preconditionFailure("There is always a list.") }
        all.with { $0.records.withLock(body) }
    }

    /// The thread-specific key plus 1, or 0 before the first use. Reading it is faster than reading a lazy global.
    private static let keyPlusOne = Atomic<UInt>(0)

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { value in
            let value: UnsafeMutableRawPointer? = value
            if let value { ThreadRecord(pointer: value.assumingMemoryBound(to: Fields.self)).free() }
        }
        precondition(status == 0, "The process has no thread-specific key left.")
        pthread_atfork(nil, nil, removeOtherThreads)
        return key
    }()

    /// Removes the records of all threads except the calling one, which is the only thread of a forked child process
    /// (invariant R11).
    ///
    /// Another thread may have held the lock when the process was forked, so the child gets a list with a new lock.
    private static let removeOtherThreads: @convention(c) () -> Void = {
        let own = pthread_getspecific(key).map { ThreadRecord(pointer: $0.assumingMemoryBound(to: Fields.self)) }
        // The old list is leaked, because another thread may have been changing it during the fork.
        _ = all.exchange(All(own.map { [$0] } ?? [])).map(Unmanaged.passRetained)
    }

    /// Creates the record of the calling thread and adds it to the list before the first read (invariant R6). A writer
    /// that doesn't find the record has unlinked its object earlier, so this thread can't find that object.
    // Not inlined, because every access to the record would be slower.
    @inline(never) private static func make() -> ThreadRecord {
        keyPlusOne.store(UInt(key) + 1, ordering: .releasing)
        precondition(MemoryLayout<Fields>.size <= ownOffset && MemoryLayout<Own>.size <= size - ownOffset)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: size)
        let record = ThreadRecord(pointer: memory.bindMemory(to: Fields.self, capacity: 1))
        record.pointer.initialize(to: Fields())
        record.own.initialize(to: Own())
        withAll { $0.append(record) }
        let status = pthread_setspecific(key, memory)
        precondition(status == 0, "The process has no memory left for thread-specific values.")
        return record
    }

    /// Frees the record when its thread ends (invariant R7).
    private func free() {
        // If the thread was canceled during a read, that read would block the writer that holds the lock.
        if pointer.pointee.sequence.load(ordering: .relaxed) & 1 == 1 { endReading() }
        Self.withAll { $0.removeAll { $0.pointer == pointer } }
        _ = own.move()
        pointer.deallocate()
    }
}
