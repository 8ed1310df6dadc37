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
/// - Any thread may hide the contents, once and for good. Readers then find nothing, but ``findEvenHidden(_:where:)`` and the writer
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
    func find(_ word: UInt, where isMeant: (Slot) -> Bool) -> Slot? {
        guard let visible = visible.load() else { return nil }
        return visible.with { $0.find(word, where: isMeant) }
    }

    /// Finds the slot as ``find(_:where:)`` does, also if it is hidden. Call it during a read, or as the writer.
    @inline(__always) func findEvenHidden(_ word: UInt, where isMeant: (Slot) -> Bool) -> Slot? {
        guard let contents else { return nil }
        return contents.with { $0.find(word, where: isMeant) }
    }

    /// The contents, also if they are hidden. Between the first two loads, another thread may have hidden them.
    private var contents: Borrowed<Contents>? { hidden.load() ?? visible.load() ?? hidden.load() }

    /// Whether it has no contents, as at first and after ``removeAll(retiring:)``. Use it during a read, or as the writer.
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
            return contents?.with { $0.put(instance: instance, in: slot, as: word) }
        }
    }

    /// The slot that is meant, or a new one.
    private func slot(
        _ word: UInt, where isMeant: (Slot) -> Bool, isAdded: Bool, _ retired: inout Retirement
    ) -> Slot? {
        if let slot = findEvenHidden(word, where: isMeant) { return slot }
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

    /// Removes all instances. The caller keeps them until no reader can see them any more.
    func removeInstances() { alone { contents?.with { $0.removeInstances() } } }

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
