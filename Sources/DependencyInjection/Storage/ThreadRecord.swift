internal import Dispatch
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
        /// Odd while the thread reads shared storage; see ``AtomicTable`` for why that makes reads safe.
        @usableFromInline let sequence = Atomic<UInt>(0)
        /// Ends a read; see ``ThreadRecord/endReading()`` for why it is called through memory.
        @usableFromInline let end: @convention(c) (UnsafeMutableRawPointer) -> Void
        /// Where it is noted that a thread has the record.
        let block: UnsafeMutablePointer<Block>
        let index: Int

        init(_ block: UnsafeMutablePointer<Block>, _ index: Int) {
            self.block = block
            self.index = index
            end = { fields in
                let fields = fields.assumingMemoryBound(to: Fields.self)
                let sequence = fields.pointee.sequence.load(ordering: .relaxed)
                fields.pointee.sequence.store(sequence &+ 1, ordering: .releasing)
            }
        }
    }

    /// What only the thread itself uses.
    struct Own {
        var frames = FrameStack()
        /// See ``ThreadRecord/gathered``.
        var gathered: AnyObject?
        /// What a ``ReentrantSerialQueue`` used that is gone.
        var spareQueue: DispatchQueue?
        /// What has to wait until the thread is inside no queue: see ``ThreadRecord/whenFree(_:)``.
        var deferred: [() -> Void] = []
        var stack = StackSpace.unknown
        /// How many of the library's queues the thread is inside.
        var heldQueues: Int32 = 0
        var isOnMainQueue = false
        var isRunningDeferred = false
        /// Whether the last factory that was not entered found too little of the stack left.
        var foundNoSpace = false

        mutating func reset() {
            frames.removeAll()
            (gathered, spareQueue, deferred) = (nil, nil, [])
            (heldQueues, isOnMainQueue, isRunningDeferred) = (0, false, false)
            stack = .current
        }
    }

    /// Both parts share one allocation of two cache lines, so that no thread's reads slow down another's (some processors
    /// fetch lines in pairs).
    private static let ownOffset = 64
    private static let size = 128

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
    var heldQueues: Int32 { own.pointee.heldQueues }
    /// Whether the stack has room for another factory, which ``foundNoSpace`` tells afterwards.
    func checkStackSpace() -> Bool {
        own.pointee.foundNoSpace = !own.pointee.stack.isLeft
        return !own.pointee.foundNoSpace
    }
    var foundNoSpace: Bool { own.pointee.foundNoSpace }

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

    /// Looks at shared storage.
    static func reading<Result>(_ body: () -> Result) -> Result {
        let thread = current
        thread.beginReading()
        defer { thread.endReading() }
        return body()
    }

    /// Announces a read. Everything reached through shared storage stays allocated until ``endReading()``.
    ///
    /// Sequentially consistent, like the loads that follow and the stores of ``waitForReaders()``'s callers: either the
    /// reader sees the new storage, or the writer sees the reader.
    @inline(__always)
    func beginReading() {
        let sequence = pointer.pointee.sequence.load(ordering: .relaxed)
        pointer.pointee.sequence.store(sequence &+ 1, ordering: .sequentiallyConsistent)
    }

    /// Ends a read. What was found must have been copied, that is retained, before.
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
        for block in blocks {
            var claimed = block.pointee.claimed.load(ordering: .sequentiallyConsistent)
            while claimed != 0 {
                let fields = block.pointee.record(claimed.trailingZeroBitCount).pointer
                claimed &= claimed - 1
                let sequence = fields.pointee.sequence.load(ordering: .sequentiallyConsistent)
                guard sequence & 1 == 1 else { continue }
                spin { fields.pointee.sequence.load(ordering: .sequentiallyConsistent) == sequence }
            }
        }
    }

    /// Waits for something that another thread will do within nanoseconds, unless it loses the processor.
    static func spin(while isWaiting: () -> Bool) {
        var attempts = 0
        while isWaiting() {
            attempts += 1
            // A thread of lower priority gets the processor only if this one really sleeps.
            if attempts > 1_000 { usleep(50) } else { sched_yield() }
        }
    }

    // MARK: The records of all threads

    /// Room for as many records as a word has bits, and the threads that have one.
    @usableFromInline
    struct Block: ~Copyable {
        static let count = UInt64.bitWidth
        /// A bit for each record that belongs to a thread.
        ///
        /// A thread sets it before its first read, sequentially consistent as that: who does not see it has unlinked what it is
        /// about to release before the thread could find it.
        let claimed = Atomic<UInt64>(0)
        let records: UnsafeMutableRawPointer
        /// The block before; immutable once the block is in the list.
        var next: UInt = 0

        init() { records = .allocate(byteCount: Self.count * ThreadRecord.size, alignment: ThreadRecord.size) }

        func record(_ index: Int) -> ThreadRecord {
            let address = records + index * ThreadRecord.size
            return ThreadRecord(pointer: address.assumingMemoryBound(to: Fields.self))
        }
    }

    /// The blocks, the newest first.
    private static var blocks: some Sequence<UnsafeMutablePointer<Block>> {
        sequence(state: newestBlock.load(ordering: .sequentiallyConsistent)) { next in
            guard let block = UnsafeMutablePointer<Block>(bitPattern: next) else { return nil }
            next = block.pointee.next
            return block
        }
    }

    /// The address of the newest block; the list only grows.
    private static let newestBlock = Atomic<UInt>(0)

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
            let bit: UInt64 = 1 << fields.pointee.index
            fields.pointee.block.pointee.claimed.bitwiseXor(bit, ordering: .releasing)
        }
        precondition(status == 0, "The process has no thread-specific key left.")
        return key
    }()

    @inline(never)
    private static func claim() -> ThreadRecord {
        keyPlusOne.store(UInt(key) + 1, ordering: .releasing)
        while true {
            for block in blocks {
                guard let record = claim(in: block) else { continue }
                // A thread that was made to exit inside a factory has left its state behind.
                record.own.pointee.reset()
                pthread_setspecific(key, record.pointer)
                return record
            }
            addBlock()
        }
    }

    private static func claim(in block: UnsafeMutablePointer<Block>) -> ThreadRecord? {
        var claimed = block.pointee.claimed.load(ordering: .relaxed)
        while claimed != .max {
            let index = (~claimed).trailingZeroBitCount
            let (isClaimed, seen) = block.pointee.claimed.compareExchange(
                expected: claimed, desired: claimed | 1 << index, ordering: .sequentiallyConsistent)
            if isClaimed { return block.pointee.record(index) }
            claimed = seen
        }
        return nil
    }

    private static func addBlock() {
        precondition(MemoryLayout<Fields>.size <= ownOffset && MemoryLayout<Own>.size <= size - ownOffset)
        let block = UnsafeMutablePointer<Block>.allocate(capacity: 1)
        block.initialize(to: Block())
        for index in 0..<Block.count {
            let record = block.pointee.record(index)
            record.pointer.initialize(to: Fields(block, index))
            record.own.initialize(to: Own())
        }
        var head = newestBlock.load(ordering: .acquiring)
        while true {
            block.pointee.next = head
            let (exchanged, original) = newestBlock.compareExchange(
                expected: head, desired: UInt(bitPattern: block), ordering: .sequentiallyConsistent)
            if exchanged { return }
            head = original
        }
    }
}
