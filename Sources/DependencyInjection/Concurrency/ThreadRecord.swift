internal import CDependencyInjection
public import Synchronization

/// The state of a thread: its current read of shared storage, and its running factories.
///
/// The record is created when the thread first uses the library. When the thread ends, another thread may take it over.
/// Records are never freed.
///
/// Unchecked: other threads only access the sequence, which is atomic.
@frozen @usableFromInline package struct ThreadRecord: @unchecked Sendable {
    /// The part that other threads may access.
    @usableFromInline struct Fields: ~Copyable {
        /// Odd while the thread reads shared storage.
        @usableFromInline let sequence = Atomic<UInt>(0)
        /// Whether the thread of the record lives.
        let isInUse = Atomic<Bool>(true)
        /// The next record in the list of all records. Set once, before the record is in the list.
        var next: UnsafeMutablePointer<Fields>?
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
        /// The number of the library's queues that the thread holds.
        var heldQueues: Int32 = 0
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

    package var identity: UInt { UInt(bitPattern: pointer) }
    var heldQueues: Int32 { own.pointee.heldQueues }

    /// The name of the thread in debuggers.
    var name: String { "0x" + String(withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) }, radix: 16) }

    /// The record of the calling thread, created on first use.
    package static var current: ThreadRecord {
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
    package static func reading<Result>(_ body: () -> Result) -> Result {
        let thread = current
        thread.beginReading()
        defer { thread.endReading() }
        return body()
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
    /// be unprotected. A function in C could do anything, so the compiler has to retain before the call. Retaining the
    /// box instead takes 40 % more instructions, and makes threads contend for the reference count.
    // Not inlinable, so that clients don't import the module in C.
    @inline(__always) @usableFromInline func endReading() {
        PausePoint.readEnding.pass()
        // The sequence is the first field.
        di_end_read(pointer)
    }

    /// Returns after every earlier announced read has ended (invariant R4).
    ///
    /// A read runs no foreign code and never blocks, so it lasts nanoseconds unless its thread is preempted.
    static func waitForReaders() {
        for record in all {
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

    // MARK: The records of all threads

    /// The first record in the list of all records. The list only grows, so reading it takes no lock (invariant R7).
    // Sound: all access is atomic.
    nonisolated(unsafe) private static let first = Atomic<UnsafeMutablePointer<Fields>?>(nil)

    private static var all: some Sequence<ThreadRecord> {
        sequence(state: first.load(ordering: .sequentiallyConsistent)) { next in
            defer { next = next?.pointee.next }
            return next.map { ThreadRecord(pointer: $0) }
        }
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
    /// (invariant R11). They are leaked, because the threads may have been changing them during the fork.
    private static let removeOtherThreads: @convention(c) () -> Void = {
        let own = pthread_getspecific(key)?.assumingMemoryBound(to: Fields.self)
        own?.pointee.next = nil
        first.store(own, ordering: .sequentiallyConsistent)
    }

    /// Takes over the record of a thread that has ended, or adds a record to the list before the first read (invariant
    /// R6). A writer that doesn't find the record has unlinked its object earlier, so this thread can't find that
    /// object.
    // Not inlined, because every access to the record would be slower.
    @inline(never) private static func make() -> ThreadRecord {
        keyPlusOne.store(UInt(key) + 1, ordering: .releasing)
        let record =
            all.first { !$0.pointer.pointee.isInUse.exchange(true, ordering: .acquiringAndReleasing) } ?? added()
        record.own.initialize(to: Own())
        let status = pthread_setspecific(key, record.pointer)
        precondition(status == 0, "The process has no memory left for thread-specific values.")
        return record
    }

    private static func added() -> ThreadRecord {
        precondition(MemoryLayout<Fields>.size <= ownOffset && MemoryLayout<Own>.size <= size - ownOffset)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: size)
        let record = ThreadRecord(pointer: memory.bindMemory(to: Fields.self, capacity: 1))
        record.pointer.initialize(to: Fields())
        repeat {
            record.pointer.pointee.next = first.load(ordering: .relaxed)
        } while !first.compareExchange(
            expected: record.pointer.pointee.next, desired: record.pointer, ordering: .sequentiallyConsistent
        ).exchanged
        return record
    }

    /// Leaves the record to another thread when its thread ends (invariant R7).
    private func free() {
        // If the thread was canceled during a read, that read would block every writer.
        if pointer.pointee.sequence.load(ordering: .relaxed) & 1 == 1 { endReading() }
        _ = own.move()
        pointer.pointee.isInUse.store(false, ordering: .releasing)
    }
}
