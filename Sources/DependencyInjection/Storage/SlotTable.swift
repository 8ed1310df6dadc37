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
struct SlotTable<EntryObject: AnyObject & Sendable, InstanceObject: AnyObject & Sendable>: ~Copyable, Sendable {
    typealias Contents = Slots<EntryObject, InstanceObject>
    typealias Slot = Contents.Slot

    private let contents: AtomicReference<Contents>

    init(_ contents: Contents? = nil) { self.contents = AtomicReference(contents) }

    // MARK: Reading

    /// Finds the slot that has the word and is meant. Call it during a read, or as the writer.
    @inline(__always) func find(_ word: UInt, where isMeant: (Slot) -> Bool) -> Slot? {
        guard let contents = contents.load() else { return nil }
        return contents.with { $0.find(word, where: isMeant) }
    }

    /// The entries that are picked, in no order. Use it during a read, or as the writer.
    func entries(where isPicked: (EntryObject) -> Bool = { _ in true }) -> [EntryObject] {
        contents.load()?.with { $0.entries(where: isPicked) } ?? []
    }

    /// Calls a function with each instance, in no order. Use it during a read, or as the writer.
    func forEachInstance(_ body: (InstanceObject) -> Void) { contents.load()?.with { $0.forEachInstance(body) } }

    /// The entries, without the instances, as another table may begin with them. Use it during a read, or as the writer.
    func copiedEntries() -> Contents? {
        contents.load()?.with { Contents(copying: $0, withInstances: false) }
    }

    // MARK: Writing

    /// Sets the entry of a slot, or removes it.
    func put(
        entry: EntryObject?, at word: UInt, where isMeant: (Slot) -> Bool, retiring retired: inout Retirement
    ) {
        let slot = slot(word, where: isMeant, isAdded: entry != nil, &retired)
        if let old = slot?.put(entry: entry, as: word) { retired.add(old) }
    }

    /// Sets the instance of a slot, or removes it; returns the old one, which the caller retires.
    func put(
        instance: InstanceObject?, at word: UInt, in known: Slot? = nil, where isMeant: (Slot) -> Bool,
        retiring retired: inout Retirement
    ) -> InstanceObject? {
        (known ?? slot(word, where: isMeant, isAdded: instance != nil, &retired))?.put(instance: instance, as: word)
    }

    /// The slot that is meant, or a new one.
    private func slot(
        _ word: UInt, where isMeant: (Slot) -> Bool, isAdded: Bool, _ retired: inout Retirement
    ) -> Slot? {
        if let slot = find(word, where: isMeant) { return slot }
        guard isAdded else { return nil }
        reserve(1, retiring: &retired)
        return contents.load()?.with { $0.vacantSlot(for: word) }
    }

    /// Whether more slots need no other contents. Use it during a read, or as the writer.
    func hasRoom(for additional: Int) -> Bool { contents.load()?.with { $0.hasRoom(for: additional) } ?? false }

    /// Makes room for more slots. At least a third of them stay empty, so that a search ends soon.
    func reserve(_ additional: Int, retiring retired: inout Retirement) {
        if hasRoom(for: additional) { return }
        guard let old = contents.load() else { return replace(with: Contents(room: additional), retiring: &retired) }
        let copy = old.with { Contents(copying: $0, withInstances: true, addingRoomFor: additional) }
        replace(with: copy, retiring: &retired)
    }

    /// Removes all instances. The caller keeps them until no reader can see them any more.
    func removeInstances() { contents.load()?.with { $0.removeInstances() } }

    /// The number of instances. Use it during a read, or as the writer.
    var instanceCount: Int { contents.load()?.with { $0.instanceCount } ?? 0 }

    func removeAll(retiring retired: inout Retirement) { replace(with: nil, retiring: &retired) }

    private func replace(with contents: Contents?, retiring retired: inout Retirement) {
        if let old = self.contents.exchange(contents) { retired.add(old) }
    }
}
