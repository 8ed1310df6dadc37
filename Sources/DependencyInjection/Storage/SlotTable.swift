internal import Synchronization

/// A hash table from words to slots, each with an entry, an instance or both, which any thread may read at any time without a lock.
///
/// Slots may have the same word; the caller then tells them apart. Only one thread at a time changes the table. Readers
/// announce themselves and take no lock. These rules make it safe:
///
/// - A reader calls ``ThreadRecord/beginReading()``, looks up, copies (retains) what it needs, then calls
///   ``ThreadRecord/endReading()``. In between it runs no foreign code, and waits for nothing but a lock that is held for a moment.
/// - The writer unlinks first (a sequentially consistent store), and adds what it unlinked to a list that is released after
///   ``ThreadRecord/waitForReaders()``: see ``Retirement``. The announcement and the loads that follow it are sequentially
///   consistent as well. In the single order of these operations either the announcement comes first, and the writer waits
///   for that read to end; or the unlinking does, and the reader cannot find the old object.
/// - The word of a slot is written once, after its first object; a reader that sees the word sees the object.
/// - A writer that only adds releases nothing and waits for nobody.
/// - Any thread may hide the contents, once and for good. Readers then find nothing, but ``search(_:where:)`` and the writer
///   still do. A flag keeps this from happening in the middle of a change.
struct SlotTable<EntryObject: AnyObject & Sendable, InstanceObject: AnyObject & Sendable>: ~Copyable, Sendable {
    typealias Contents = Slots<EntryObject, InstanceObject>
    typealias Slot = Contents.Slot

    private let visible: AtomicReference<Contents>
    /// The contents in place of the visible ones, once they are hidden.
    private let hidden = AtomicReference<Contents>()
    private let isChanging = Atomic<Bool>(false)

    init(_ contents: Contents? = nil) { visible = AtomicReference(contents) }

    // MARK: Reading

    /// Finds the slot that has the word and is meant. Call it during a read, or as the writer.
    @inline(__always) func find(_ word: UInt, where isMeant: (Slot) -> Bool) -> Slot? {
        guard let visible = visible.load() else { return nil }
        return visible.with { $0.find(word, where: isMeant) }
    }

    /// Finds the slot as ``find(_:where:)`` does, also if it is hidden. Call it during a read, or as the writer.
    @inline(__always) func search(_ word: UInt, where isMeant: (Slot) -> Bool) -> Slot? {
        guard let contents else { return nil }
        return contents.with { $0.find(word, where: isMeant) }
    }

    /// The contents, also if they are hidden. Between the first two loads, another thread may have hidden them.
    private var contents: Borrowed<Contents>? { hidden.load() ?? visible.load() ?? hidden.load() }

    /// Whether nothing was ever put in, or everything removed. Use it during a read, or as the writer.
    var isEmpty: Bool { contents == nil }

    /// The entries that are picked, in no order. Use it during a read, or as the writer.
    func entries(where isPicked: (EntryObject) -> Bool = { _ in true }) -> [EntryObject] {
        contents?.with { $0.entries(where: isPicked) } ?? []
    }

    /// Calls a function with each instance, in no order. Use it during a read, or as the writer.
    func forEachInstance(_ body: (InstanceObject) -> Void) { contents?.with { $0.forEachInstance(body) } }

    /// The entries, without the instances, as another table may begin with them. Use it during a read, or as the writer.
    func copiedEntries() -> Contents? {
        contents?.with { Contents(copyingEntriesOf: $0) }
    }

    // MARK: Writing

    /// Sets the entry of a slot, or removes it.
    func put(
        entry: EntryObject?, at word: UInt, where isMeant: (Slot) -> Bool, retiring retired: inout Retirement
    ) {
        alone {
            let slot = slot(word, where: isMeant, isAdded: entry != nil, &retired)
            if let old = slot?.put(entry: entry, as: word) { retired.add(old) }
        }
    }

    /// Sets the instance of a slot, or removes it; returns the old one, which the caller retires.
    func put(
        instance: InstanceObject?, at word: UInt, where isMeant: (Slot) -> Bool, retiring retired: inout Retirement
    ) -> InstanceObject? {
        alone {
            guard let slot = slot(word, where: isMeant, isAdded: instance != nil, &retired) else { return nil }
            return slot.put(instance: instance, as: word)
        }
    }

    /// The slot that is meant, or a new one.
    private func slot(
        _ word: UInt, where isMeant: (Slot) -> Bool, isAdded: Bool, _ retired: inout Retirement
    ) -> Slot? {
        if let slot = search(word, where: isMeant) { return slot }
        guard isAdded else { return nil }
        makeRoom(1, retiring: &retired)
        return contents?.with { $0.vacantSlot(for: word) }
    }

    /// Makes room for more slots. At least a third of them stay empty, so that a search ends soon.
    func reserve(_ additional: Int, retiring retired: inout Retirement) {
        alone { makeRoom(additional, retiring: &retired) }
    }

    private func makeRoom(_ additional: Int, retiring retired: inout Retirement) {
        guard let old = contents else { return replace(with: Contents(room: additional), retiring: &retired) }
        if old.with({ $0.hasRoom(for: additional) }) { return }
        // With room for half as many again, the next copy is far off.
        let copy = old.with { Contents(copying: $0, room: ($0.count + additional) * 3 / 2) }
        replace(with: copy, retiring: &retired)
    }

    /// Removes all instances, in no order, and calls a function with each. It retires them, if readers may see the table.
    func takeInstances(_ body: (InstanceObject) -> Void) { alone { contents?.with { $0.takeInstances(body) } } }

    /// Whether more than one slot has an instance. Only the writer may ask.
    var hasSeveralInstances: Bool { contents?.with { $0.hasSeveralInstances } ?? false }

    func removeAll(retiring retired: inout Retirement) {
        alone { replace(with: nil, retiring: &retired) }
    }

    /// Sets other contents where the present ones are.
    private func replace(with contents: Contents?, retiring retired: inout Retirement) {
        let old = hidden.load() == nil ? visible.exchange(contents) : hidden.exchange(contents ?? Contents(room: 0))
        if let old { retired.add(old) }
    }

    /// Hides the contents from ``find(_:where:)``, at once and for good. Any thread may do so.
    func hide() {
        alone {
            guard hidden.load() == nil else { return }
            // Searches find the contents in one place or the other at any moment, and nothing has to be released.
            _ = hidden.exchange(contents?.object ?? Contents(room: 0))
            _ = visible.exchange(nil)
        }
    }

    /// Runs a change that lasts nanoseconds. The writer and whoever hides the contents wait for one another.
    private func alone<Result>(_ change: () -> Result) -> Result {
        if isChanging.exchange(true, ordering: .acquiring) {
            ThreadRecord.spin { isChanging.exchange(true, ordering: .acquiring) }
        }
        defer { isChanging.store(false, ordering: .releasing) }
        return change()
    }
}

/// Not nested in the slots, because each new one of a generic type would ask the run time for that type.
private struct SlotFields: ~Copyable {
    let word: Atomic<UInt>
    /// A retained entry, if there is one.
    let entry: Atomic<UnsafeRawPointer?>
    /// A retained instance, if there is one.
    let instance = Atomic<UnsafeRawPointer?>(nil)

    init(_ word: UInt = 0, _ entry: UnsafeRawPointer? = nil) {
        self.word = Atomic(word)
        self.entry = Atomic(entry)
    }

    /// Nobody else can see it any more, and it retained its objects.
    consuming func release<EntryObject: AnyObject, InstanceObject: AnyObject>(
        _: EntryObject.Type, _: InstanceObject.Type
    ) {
        if let entry = entry.load(ordering: .acquiring) { Borrowed<EntryObject>(entry).release() }
        if let instance = instance.load(ordering: .acquiring) { Borrowed<InstanceObject>(instance).release() }
    }
}

/// The contents of a ``SlotTable``, which keep their entries and instances.
///
/// Unchecked because of the pointer; the slots are atomic, and written by one writer at a time.
final class Slots<EntryObject: AnyObject & Sendable, InstanceObject: AnyObject & Sendable>: @unchecked Sendable {
    /// What a table has for a word. It is valid as long as the table's contents are.
    struct Slot {
        fileprivate let fields: UnsafeMutablePointer<SlotFields>

        @inline(__always) var entry: Borrowed<EntryObject>? {
            fields.pointee.entry.load(ordering: .sequentiallyConsistent).map { Borrowed($0) }
        }

        @inline(__always) var instance: Borrowed<InstanceObject>? {
            fields.pointee.instance.load(ordering: .sequentiallyConsistent).map { Borrowed($0) }
        }

        fileprivate func put(entry: EntryObject?, as word: UInt) -> EntryObject? {
            let unlinked = fields.pointee.entry.exchange(retained(entry), ordering: .sequentiallyConsistent)
            fields.pointee.word.store(word, ordering: .releasing)
            return taken(unlinked)
        }

        fileprivate func put(instance: InstanceObject?, as word: UInt) -> InstanceObject? {
            let unlinked = fields.pointee.instance.exchange(retained(instance), ordering: .sequentiallyConsistent)
            fields.pointee.word.store(word, ordering: .releasing)
            return taken(unlinked)
        }

        /// Balanced by whoever takes it out.
        private func retained<Object: AnyObject>(_ object: Object?) -> UnsafeRawPointer? {
            object.map { UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) }
        }

        private func taken<Object: AnyObject>(_ unlinked: UnsafeRawPointer?) -> Object? {
            // Sound: nobody else can take out what the exchange returned.
            unlinked.map { Unmanaged<Object>.fromOpaque($0).takeRetainedValue() }
        }
    }

    private let shift: UInt
    private let mask: Int
    private let slots: UnsafeMutablePointer<SlotFields>
    /// The number of slots with a word. Only the writer uses it.
    private let used = Atomic<Int>(0)

    /// Makes empty slots, with room for as many.
    init(room: Int) {
        var capacity = 8
        while capacity * 2 < room * 3 { capacity *= 2 }
        mask = capacity - 1
        shift = UInt(UInt.bitWidth - capacity.trailingZeroBitCount)
        slots = .allocate(capacity: capacity)
        for index in 0..<capacity { (slots + index).initialize(to: SlotFields()) }
    }

    /// Makes a copy without the instances. Each entry keeps its place.
    init(copyingEntriesOf other: Slots) {
        mask = other.mask
        shift = other.shift
        slots = .allocate(capacity: mask + 1)
        used.store(other.used.load(ordering: .relaxed), ordering: .relaxed)
        for index in 0...mask {
            let entry = other.slots[index].entry.load(ordering: .relaxed)
            // Each copy keeps its objects, and releases them in its `deinit`.
            if let entry { Borrowed<EntryObject>(entry).retain() }
            (slots + index).initialize(to: SlotFields(other.slots[index].word.load(ordering: .relaxed), entry))
        }
    }

    /// Makes a copy with room for as many. Slots that hold nothing are left out.
    convenience init(copying other: Slots, room: Int) {
        self.init(room: room)
        for slot in other.all {
            let entry = slot.fields.pointee.entry.load(ordering: .relaxed)
            let instance = slot.fields.pointee.instance.load(ordering: .relaxed)
            if entry == nil, instance == nil { continue }
            let word = slot.fields.pointee.word.load(ordering: .relaxed)
            let fields = vacantSlot(for: word).fields
            if let entry { Borrowed<EntryObject>(entry).retain() }
            if let instance { Borrowed<InstanceObject>(instance).retain() }
            fields.pointee.entry.store(entry, ordering: .relaxed)
            fields.pointee.instance.store(instance, ordering: .relaxed)
            fields.pointee.word.store(word, ordering: .relaxed)
        }
    }

    deinit {
        for index in 0...mask { (slots + index).move().release(EntryObject.self, InstanceObject.self) }
        slots.deallocate()
    }

    private var all: some Sequence<Slot> { (0...mask).lazy.map { [slots] in Slot(fields: slots + $0) } }

    /// The number of slots that hold something.
    var count: Int { all.count { $0.entry != nil || $0.instance != nil } }

    func hasRoom(for additional: Int) -> Bool { (used.load(ordering: .relaxed) + additional) * 3 <= (mask + 1) * 2 }

    func entries(where isPicked: (EntryObject) -> Bool) -> [EntryObject] {
        all.compactMap { slot in slot.entry.flatMap { $0.with(isPicked) ? $0.object : nil } }
    }

    var hasSeveralInstances: Bool { all.count { $0.instance != nil } > 1 }

    func forEachInstance(_ body: (InstanceObject) -> Void) {
        for slot in all { slot.instance?.with(body) }
    }

    func takeInstances(_ body: (InstanceObject) -> Void) {
        for slot in all where slot.instance != nil {
            let unlinked = slot.fields.pointee.instance.exchange(nil, ordering: .sequentiallyConsistent)
            // Sound: nobody else can take out what the exchange returned.
            if let unlinked { body(Unmanaged<InstanceObject>.fromOpaque(unlinked).takeRetainedValue()) }
        }
    }

    /// Addresses differ in their middle bits; the multiplication carries these to the top.
    @inline(__always) private func start(_ word: UInt) -> Int {
        Int(truncatingIfNeeded: (word &* UInt(truncatingIfNeeded: 0x9e37_79b9_7f4a_7c15 as UInt64)) &>> shift)
    }

    @inline(__always) private func next(_ index: Int) -> Int { (index &+ 1) & mask }

    /// Finds the slot that has the word and is meant.
    @inline(__always) func find(_ word: UInt, where isMeant: (Slot) -> Bool) -> Slot? {
        var index = start(word)
        while true {
            let slot = Slot(fields: slots + index)
            let found = slot.fields.pointee.word.load(ordering: .acquiring)
            if found == 0 { return nil }
            if found == word, isMeant(slot) { return slot }
            index = next(index)
        }
    }

    /// Takes a slot for another word. Whoever asked writes the word.
    func vacantSlot(for word: UInt) -> Slot {
        var index = start(word)
        while slots[index].word.load(ordering: .relaxed) != 0 { index = next(index) }
        used.wrappingAdd(1, ordering: .relaxed)
        return Slot(fields: slots + index)
    }
}
