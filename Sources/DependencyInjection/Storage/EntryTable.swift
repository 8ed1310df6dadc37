internal import Synchronization

/// A hash table from keys to entries that any thread may read at any time without a lock.
///
/// One writer at a time (the container's queue) changes it; readers only announce themselves. The rules that make it safe:
///
/// - A reader calls ``ThreadRecord/beginReading()``, looks up, copies (retains) what it found or names it in a frame (see
///   ``PostponedRelease``), then calls ``ThreadRecord/endReading()``. In between, it runs no foreign code and never waits.
/// - The writer unlinks first (a sequentially consistent store of a slot or of the buffer), then calls
///   ``ThreadRecord/waitForReaders()``, and only then releases what it unlinked. The announcement and the loads that
///   follow it are sequentially consistent as well. In the single order of these operations either the announcement comes
///   first, and the writer waits for that read to end; or the unlinking does, and the reader cannot find the old memory.
///   So a read touches no freed memory, and what was replaced is released by the time that the writer returns, unless it
///   is inside a queue, or a factory that is running still uses it.
/// - The bits of a slot are written once, after its entry; a reader that sees the bits sees the entry.
/// - A writer that only adds releases nothing and waits for nobody.
struct EntryTable: ~Copyable {
    fileprivate struct Slot: ~Copyable {
        let bits = Atomic<UInt>(0)
        /// A retained entry, or nil where one was removed.
        let entry = Atomic<UnsafeRawPointer?>(nil)
    }

    fileprivate struct Buffer {
        let shift: UInt
        let mask: Int
        let slots: UnsafeMutablePointer<Slot>

        init(capacity: Int) {
            mask = capacity - 1
            shift = UInt(UInt.bitWidth - capacity.trailingZeroBitCount)
            slots = .allocate(capacity: capacity)
            for index in 0..<capacity { (slots + index).initialize(to: Slot()) }
        }

        /// Metadata addresses differ in their middle bits; the multiplication carries these to the top.
        @inline(__always)
        func start(_ bits: UInt) -> Int {
            Int(truncatingIfNeeded: (bits &* UInt(truncatingIfNeeded: 0x9e37_79b9_7f4a_7c15 as UInt64)) &>> shift)
        }

        @inline(__always)
        func next(_ index: Int) -> Int { (index &+ 1) & mask }

        func deallocate() {
            slots.deinitialize(count: mask + 1)
            slots.deallocate()
        }
    }

    /// What a change took out of the table, to be released when no reader can see it any more.
    final class Retired {
        private var entries: [Entry] = []
        private var buffers: [UnsafeMutablePointer<Buffer>] = []
        private var decorators: [Registration] = []

        fileprivate func take(_ entry: UnsafeRawPointer) {
            entries.append(Unmanaged<Entry>.fromOpaque(entry).takeRetainedValue())
        }

        fileprivate func take(_ buffer: UnsafeMutablePointer<Buffer>) {
            buffers.append(buffer)
        }

        /// Decorators are not in the table, but may have captured as much.
        func take(_ decorators: [Registration]) {
            self.decorators += decorators
        }

        deinit {
            guard !(entries.isEmpty && buffers.isEmpty) else { return }
            ThreadRecord.waitForReaders()
            // Whoever calls a factory of another lifetime retains the entry.
            PostponedRelease.keep(entries.map { $0.registration }.filter { $0.lifetime == .new })
            for buffer in buffers {
                buffer.pointee.deallocate()
                buffer.deallocate()
            }
        }
    }

    private let buffer: Atomic<UnsafeMutablePointer<Buffer>>
    /// Slots in use, those of removed entries included. Only the writer uses it; atomic so that changing the table needs
    /// no exclusive access to it.
    private let used = Atomic<Int>(0)

    init(capacity: Int = 4) {
        buffer = Atomic(Self.allocate(capacity: capacity))
    }

    /// No factory is running by an entry: a call keeps its container, and with it the parents.
    deinit {
        let buffer = buffer.load(ordering: .sequentiallyConsistent)
        for index in 0...buffer.pointee.mask {
            if let entry = buffer.pointee.slots[index].entry.load(ordering: .sequentiallyConsistent) {
                Unmanaged<Entry>.fromOpaque(entry).release()
            }
        }
        buffer.pointee.deallocate()
        buffer.deallocate()
    }

    private static func allocate(capacity: Int) -> UnsafeMutablePointer<Buffer> {
        let pointer = UnsafeMutablePointer<Buffer>.allocate(capacity: 1)
        pointer.initialize(to: Buffer(capacity: capacity))
        return pointer
    }

    // MARK: Reading

    /// Finds the entry of a type without a name. Only during a read.
    @inline(__always)
    func find(_ type: UInt) -> Unmanaged<Entry>? {
        let buffer = buffer.load(ordering: .sequentiallyConsistent).pointee
        var index = buffer.start(type)
        while true {
            let found = buffer.slots[index].bits.load(ordering: .acquiring)
            if found == type {
                return buffer.slots[index].entry.load(ordering: .sequentiallyConsistent).map(Unmanaged.fromOpaque)
            }
            if found == 0 { return nil }
            index = buffer.next(index)
        }
    }

    /// Finds the entry of a type and a name. Only during a read.
    func find(_ type: ObjectIdentifier, _ name: RegistrationName) -> Unmanaged<Entry>? {
        let bits = Key.bits(type, name)
        let buffer = buffer.load(ordering: .sequentiallyConsistent).pointee
        var index = buffer.start(bits)
        while true {
            let found = buffer.slots[index].bits.load(ordering: .acquiring)
            if found == bits,
                let address = buffer.slots[index].entry.load(ordering: .sequentiallyConsistent)
            {
                let entry = Unmanaged<Entry>.fromOpaque(address)
                if entry._withUnsafeGuaranteedRef({
                    $0.registration.key.type == type && $0.registration.key.name == name
                }) {
                    return entry
                }
            }
            if found == 0 { return nil }
            index = buffer.next(index)
        }
    }

    // MARK: Writing

    /// The entry of a key, for the writer.
    func entry(_ key: Key) -> Entry? {
        guard let name = key.name else { return find(key.bits)?.takeUnretainedValue() }
        return find(key.type, name)?.takeUnretainedValue()
    }

    /// All entries in no order; during a read, or for the writer.
    var entries: [Entry] {
        let buffer = buffer.load(ordering: .sequentiallyConsistent).pointee
        return (0...buffer.mask).compactMap { index in
            buffer.slots[index].entry.load(ordering: .sequentiallyConsistent)
                .map { Unmanaged<Entry>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    /// Puts `entry` in the place of `key`, or empties that place.
    func replace(_ key: Key, with entry: Entry?, retired: Retired) {
        var place = slot(of: key)
        if place == nil {
            guard entry != nil else { return }
            reserve(1, retired: retired)
            place = emptySlot(key.bits)
        }
        let buffer = buffer.load(ordering: .sequentiallyConsistent).pointee
        let new = entry.map { UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) }
        let index = place.unsafelyUnwrapped
        if let old = buffer.slots[index].entry.exchange(new, ordering: .sequentiallyConsistent) { retired.take(old) }
        if buffer.slots[index].bits.load(ordering: .relaxed) == 0 {
            used.wrappingAdd(1, ordering: .relaxed)
            buffer.slots[index].bits.store(key.bits, ordering: .releasing)
        }
    }

    func removeAll(retired: Retired) {
        let buffer = buffer.load(ordering: .sequentiallyConsistent).pointee
        for index in 0...buffer.mask {
            if let old = buffer.slots[index].entry.exchange(nil, ordering: .sequentiallyConsistent) {
                retired.take(old)
            }
        }
    }

    /// The slot that holds `key`, or held something with the same bits that was removed.
    private func slot(of key: Key) -> Int? {
        let buffer = buffer.load(ordering: .sequentiallyConsistent).pointee
        var index = buffer.start(key.bits)
        var vacant: Int?
        while true {
            let bits = buffer.slots[index].bits.load(ordering: .relaxed)
            if bits == 0 { return vacant }
            if bits == key.bits {
                guard let entry = buffer.slots[index].entry.load(ordering: .relaxed) else {
                    vacant = vacant ?? index
                    index = buffer.next(index)
                    continue
                }
                // Without a name, the bits are the whole key.
                if key.name == nil
                    || Unmanaged<Entry>.fromOpaque(entry)._withUnsafeGuaranteedRef({ $0.registration.key == key })
                {
                    return index
                }
            }
            index = buffer.next(index)
        }
    }

    private func emptySlot(_ bits: UInt) -> Int {
        let buffer = buffer.load(ordering: .sequentiallyConsistent).pointee
        var index = buffer.start(bits)
        while buffer.slots[index].bits.load(ordering: .relaxed) != 0 { index = buffer.next(index) }
        return index
    }

    /// Makes room for more entries, at least half of the slots being kept empty so that a search ends soon.
    func reserve(_ additional: Int, retired: Retired) {
        let old = buffer.load(ordering: .sequentiallyConsistent)
        let capacity = old.pointee.mask + 1
        guard (used.load(ordering: .relaxed) + additional) * 2 > capacity else { return }
        let count = entries.count
        var newCapacity = capacity
        // Twice what is needed now, so that removed entries and later ones do not make it grow again at once.
        while newCapacity < (count + additional) * 3 { newCapacity *= 2 }
        let new = Self.allocate(capacity: newCapacity)
        for index in 0..<capacity {
            guard let entry = old.pointee.slots[index].entry.load(ordering: .relaxed) else { continue }
            let bits = old.pointee.slots[index].bits.load(ordering: .relaxed)
            var index = new.pointee.start(bits)
            while new.pointee.slots[index].bits.load(ordering: .relaxed) != 0 { index = new.pointee.next(index) }
            new.pointee.slots[index].entry.store(entry, ordering: .relaxed)
            new.pointee.slots[index].bits.store(bits, ordering: .relaxed)
        }
        used.store(count, ordering: .relaxed)
        buffer.store(new, ordering: .sequentiallyConsistent)
        retired.take(old)
    }
}
