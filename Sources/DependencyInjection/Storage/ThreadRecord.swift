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

/// What the library keeps for each thread: where it reads, and which factories it is running.
///
/// Records are never freed, only handed on when their thread ends: there are as many as there were threads at one time.
@usableFromInline
struct ThreadRecord {
    /// What other threads may look at.
    @usableFromInline
    struct Fields: ~Copyable {
        /// Odd while the thread reads shared storage; see ``EntryTable`` for why that makes reads safe.
        @usableFromInline let sequence = Atomic<UInt>(0)
        /// Ends a read; see ``ThreadRecord/endReading()`` for why it is called through memory.
        @usableFromInline let end: @convention(c) (UnsafeMutableRawPointer) -> Void
        let isClaimed = Atomic<Bool>(true)
        let sweepBelow = Atomic<Int>(0)
        /// The next record in the list of all; immutable once the record is in the list.
        var next: UInt = 0

        init() {
            end = { fields in
                let fields = fields.assumingMemoryBound(to: Fields.self)
                let sequence = fields.pointee.sequence.load(ordering: .relaxed)
                fields.pointee.sequence.store(sequence &+ 1, ordering: .releasing)
            }
        }
    }

    /// What only the thread itself uses.
    struct Own {
        /// Instances that live until the outermost factory returns: see ``ThreadRecord/keepAlive(_:)``.
        var keptAlive: [Holder] = []
        var isOnMainQueue = false
        var isRunningDeferred = false
        /// How many of the library's queues the thread is inside.
        var heldQueues = 0
        /// What has to wait until that is none: see ``ThreadRecord/whenFree(_:)``.
        var deferred: [() -> Void] = []
    }

    /// All parts share one allocation of two cache lines, so that no thread's reads slow down another's (some processors
    /// fetch lines in pairs). The second line holds what other threads have no or seldom a reason to look at.
    private static let framesOffset = 64
    private static let ownOffset = 96
    private static let size = 128

    /// The factories that run on this thread.
    var frames: UnsafeMutablePointer<FrameStack> {
        @inline(__always) get {
            (UnsafeMutableRawPointer(pointer) + Self.framesOffset).assumingMemoryBound(to: FrameStack.self)
        }
    }

    var own: UnsafeMutablePointer<Own> {
        @inline(__always) get {
            (UnsafeMutableRawPointer(pointer) + Self.ownOffset).assumingMemoryBound(to: Own.self)
        }
    }

    @usableFromInline let pointer: UnsafeMutablePointer<Fields>

    @inlinable
    init(pointer: UnsafeMutablePointer<Fields>) {
        self.pointer = pointer
    }

    var identity: UInt { UInt(bitPattern: pointer) }
    /// The thread is to sweep when fewer factories than these are left: see ``PostponedRelease``.
    var sweepBelow: Int {
        @inline(__always) get { pointer.pointee.sweepBelow.load(ordering: .relaxed) }
        nonmutating set { pointer.pointee.sweepBelow.store(newValue, ordering: .sequentiallyConsistent) }
    }

    var isOnMainQueue: Bool { own.pointee.isOnMainQueue }

    /// The record of the calling thread, made at its first use.
    static var current: ThreadRecord {
        @inline(__always) get {
            let key = keyPlusOne.load(ordering: .acquiring)
            if key != 0, let known = pthread_getspecific(pthread_key_t(truncatingIfNeeded: key &- 1)) {
                return ThreadRecord(pointer: known.assumingMemoryBound(to: Fields.self))
            }
            return claim()
        }
    }

    // MARK: Reading

    /// Announces a read. Everything reached through shared storage stays allocated until ``endReading()``.
    ///
    /// Sequentially consistent, like the loads that follow and the stores of ``waitForReaders()``'s callers: either the
    /// reader sees the new storage, or the writer sees the reader.
    @inline(__always)
    func beginReading() {
        let sequence = pointer.pointee.sequence.load(ordering: .relaxed)
        pointer.pointee.sequence.store(sequence &+ 1, ordering: .sequentiallyConsistent)
    }

    /// Ends a read. What was found must have been copied, that is retained, or named in a frame before.
    ///
    /// The compiler may move a retain past code that cannot release anything, also past an atomic store, which would open
    /// a gap in which nothing protects the object. It cannot know what a function does that it finds in memory, and so
    /// must retain before the call.
    @inlinable @inline(__always)
    func endReading() {
        pointer.pointee.end(pointer)
    }

    /// Returns once every read that was under way has ended.
    ///
    /// A read runs no foreign code and waits for nothing that a caller of this may hold, so it lasts nanoseconds unless its
    /// thread loses the processor.
    static func waitForReaders() {
        for thread in all {
            let fields = thread.pointer
            let sequence = fields.pointee.sequence.load(ordering: .sequentiallyConsistent)
            guard sequence & 1 == 1 else { continue }
            var attempts = 0
            while fields.pointee.sequence.load(ordering: .sequentiallyConsistent) == sequence {
                attempts += 1
                // A reader of lower priority gets the processor only if this thread really sleeps.
                if attempts > 1_000 { usleep(50) } else { sched_yield() }
            }
        }
    }

    // MARK: The list of records

    /// The records of all threads, and of some that have ended.
    static var all: some Sequence<ThreadRecord> {
        sequence(state: records.load(ordering: .sequentiallyConsistent)) { next in
            guard let pointer = UnsafeMutablePointer<Fields>(bitPattern: next) else { return nil }
            next = pointer.pointee.next
            return ThreadRecord(pointer: pointer)
        }
    }

    /// The address of the newest record; the list only grows.
    private static let records = Atomic<UInt>(0)

    /// The thread-specific key and 1, or 0 before the first use: quicker to read than a lazy global.
    private static let keyPlusOne = Atomic<UInt>(0)

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { value in
            #if canImport(Darwin)
                let fields = value.assumingMemoryBound(to: Fields.self)
            #else
                let fields = value!.assumingMemoryBound(to: Fields.self)
            #endif
            fields.pointee.isClaimed.store(false, ordering: .releasing)
        }
        precondition(status == 0, "The process has no thread-specific key left.")
        return key
    }()

    @inline(never)
    private static func claim() -> ThreadRecord {
        keyPlusOne.store(UInt(key) + 1, ordering: .releasing)
        let record = reuse() ?? append()
        pthread_setspecific(key, record.pointer)
        return record
    }

    private static func reuse() -> ThreadRecord? {
        let record = all.first { thread in
            thread.pointer.pointee.isClaimed.compareExchange(
                expected: false, desired: true, ordering: .acquiringAndReleasing
            ).exchanged
        }
        // A thread that was made to exit inside a factory has left its state behind.
        record?.frames.pointee.removeAll()
        record?.own.pointee = Own()
        return record
    }

    private static func append() -> ThreadRecord {
        precondition(MemoryLayout<Fields>.size <= Self.framesOffset)
        precondition(MemoryLayout<FrameStack>.size <= Self.ownOffset - Self.framesOffset)
        precondition(MemoryLayout<Own>.size <= Self.size - Self.ownOffset)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.size, alignment: Self.size)
        let pointer = memory.initializeMemory(as: Fields.self, to: Fields())
        (memory + Self.framesOffset).initializeMemory(as: FrameStack.self, to: FrameStack())
        (memory + Self.ownOffset).initializeMemory(as: Own.self, to: Own())
        var head = records.load(ordering: .acquiring)
        while true {
            pointer.pointee.next = head
            let (exchanged, original) = records.compareExchange(
                expected: head, desired: UInt(bitPattern: pointer), ordering: .sequentiallyConsistent)
            if exchanged { return ThreadRecord(pointer: pointer) }
            head = original
        }
    }
}
