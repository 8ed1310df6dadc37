internal import Synchronization

/// A hash table from words to objects that any thread may read at any time without a lock.
///
/// Objects may have the same word; the caller then tells them apart. Only one thread at a time changes the table. Readers
/// announce themselves and take no lock. These rules make it safe:
///
/// - A reader calls ``ThreadRecord/beginReading()``, looks up, copies (retains) what it needs, then calls
///   ``ThreadRecord/endReading()``. In between it runs no foreign code and never waits.
/// - The writer unlinks first (a sequentially consistent store), and adds what it unlinked to a list that is released after
///   ``ThreadRecord/waitForReaders()``: see ``Retirement``. The announcement and the loads that follow it are sequentially
///   consistent as well. In the single order of these operations either the announcement comes first, and the writer waits
///   for that read to end; or the unlinking does, and the reader cannot find the old object.
/// - The word of a slot is written once, after its object; a reader that sees the word sees the object.
/// - A writer that only adds releases nothing and waits for nobody.
/// - Any thread may hide the contents, once and for good. Readers then find nothing, but ``search(_:where:)`` and the writer
///   still do. A flag keeps this from happening in the middle of a change.
struct AtomicTable<Element: AnyObject & Sendable>: ~Copyable, Sendable {
    typealias Contents = HashTable<Element>

    private let table: AtomicReference<Contents>
    /// The contents in place of the table's, once they are hidden.
    private let hidden = AtomicReference<Contents>()
    private let isChanging = Atomic<Bool>(false)

    init(_ contents: Contents? = nil) { table = AtomicReference(contents) }

    // MARK: Reading

    /// Finds the object that has the word and is meant. Call it during a read, or as the writer.
    @inline(__always) func find(_ word: UInt, where isMeant: (Element) -> Bool) -> Borrowed<Element>? {
        guard let table = table.load() else { return nil }
        return table.with { $0.find(word, where: isMeant).element }
    }

    /// Finds the object as ``find(_:where:)`` does, also if it is hidden. Call it during a read, or as the writer.
    @inline(__always) func search(_ word: UInt, where isMeant: (Element) -> Bool) -> Borrowed<Element>? {
        guard let current else { return nil }
        return current.with { $0.find(word, where: isMeant).element }
    }

    /// The contents, also if they are hidden. Between the first two loads, another thread may have hidden them.
    private var current: Borrowed<Contents>? { hidden.load() ?? table.load() ?? hidden.load() }

    /// What the table holds at the moment, also if that is hidden. Use it during a read, or as the writer.
    var contents: Contents? { current?.object }

    /// All elements, in no order. Use it during a read, or as the writer.
    var elements: [Element] { contents?.elements ?? [] }

    // MARK: Writing

    /// Replaces the object that has the word and is meant, or adds or removes one; returns the old one.
    @discardableResult func put(
        _ element: Element?, at word: UInt, where isMeant: (Element) -> Bool, retiring retired: inout Retirement
    ) -> Element? {
        alone {
            makeRoom(element == nil ? 0 : 1, retiring: &retired)
            guard let table = current else { return nil }
            let (old, index) = table.with { $0.find(word, where: isMeant) }
            guard old != nil || element != nil else { return nil }
            return table.with { $0.put(element, of: word, at: index, retiring: &retired) }
        }
    }

    /// Makes room for more elements. At least half of the slots stay empty, so that a search ends soon. A shared table is
    /// copied first.
    func reserve(_ additional: Int, retiring retired: inout Retirement) {
        alone { makeRoom(additional, retiring: &retired) }
    }

    private func makeRoom(_ additional: Int, retiring retired: inout Retirement) {
        guard let old = current else {
            if additional > 0 { _ = exchange(Contents(room: additional)) }
            return
        }
        guard old.with({ $0.isShared || !$0.hasRoom(for: additional) }) else { return }
        if let old = exchange(Contents(copying: old.object, additional)) { retired.add(old) }
    }

    /// Runs a change that lasts nanoseconds. The writer and whoever hides the contents wait for one another.
    private func alone<Result>(_ change: () -> Result) -> Result {
        if isChanging.exchange(true, ordering: .acquiring) {
            ThreadRecord.spin { isChanging.exchange(true, ordering: .acquiring) }
        }
        defer { isChanging.store(false, ordering: .releasing) }
        return change()
    }

    /// Sets other contents where the present ones are, and returns these.
    private func exchange(_ contents: Contents?) -> Contents? {
        if hidden.load() == nil { return table.exchange(contents) }
        return hidden.exchange(contents ?? Contents(room: 0))
    }

    /// Hides the contents from ``find(_:where:)``, at once and for good. Any thread may do so.
    func hide() {
        alone {
            guard hidden.load() == nil else { return }
            // Searches find the contents in one place or the other at any moment, and nothing has to be released.
            _ = hidden.exchange(contents ?? Contents(room: 0))
            _ = table.exchange(nil)
        }
    }

    func removeAll(retiring retired: inout Retirement) {
        if let old = alone({ exchange(nil) }) { retired.add(old) }
    }

    /// Removes all elements. The one with the highest number is released first.
    func removeAll(numberedBy number: (Element) -> UInt, retiring retired: inout Retirement) {
        guard let old = alone({ exchange(nil) }) else { return }
        for element in old.elements(numberedBy: number) { retired.add(element) }
        // It also holds the elements, and goes first.
        retired.add(old)
    }

    /// Releases all elements, the one with the highest number first. Nobody else can see the table any more.
    func releaseAll(numberedBy number: (Element) -> UInt) {
        current?.with { $0.releaseAll(numberedBy: number) }
    }

    /// The elements that have a number, in the order of these numbers. Use it during a read, or as the writer.
    func elements(numberedBy number: (Element) -> UInt?) -> [Element] {
        contents?.elements(numberedBy: number) ?? []
    }

    /// Whether there is more than one element. Only the writer may ask.
    var hasSeveral: Bool { current?.with { $0.hasSeveral } ?? false }

    /// Lets another table begin with the same contents; from now on both copy them before they change.
    func share() -> Contents? {
        let contents = contents
        contents?.share()
        return contents
    }
}

/// Not nested in the table, because each new slot of a generic type would ask the run time for that type.
private struct TableSlot: ~Copyable {
    let word = Atomic<UInt>(0)
    /// A retained element, or nil where one was removed.
    let element = Atomic<UnsafeRawPointer?>(nil)
}

/// An element that is sorted by its number. It is only an address, since sorting would retain each element many times.
private struct NumberedElement: Comparable {
    let number: UInt
    let address: UnsafeRawPointer

    static func < (first: Self, second: Self) -> Bool { first.number < second.number }
}

/// The slots of an ``AtomicTable``, which keep their elements.
///
/// Unchecked because of the pointer; the slots are atomic, and written by one writer at a time.
final class HashTable<Element: AnyObject & Sendable>: @unchecked Sendable {
    private let shift: UInt
    private let mask: Int
    private let slots: UnsafeMutablePointer<TableSlot>
    /// The number of slots in use, those of removed elements included. Only the writer uses it.
    private let used = Atomic<Int>(0)
    /// The number of elements. Only the writer uses it.
    private let count = Atomic<Int>(0)
    private let shared = Atomic<Bool>(false)

    /// Makes an empty table with room for as many elements and half as many again.
    init(room: Int) {
        var capacity = 8
        while capacity < room * 3 { capacity *= 2 }
        mask = capacity - 1
        shift = UInt(UInt.bitWidth - capacity.trailingZeroBitCount)
        slots = .allocate(capacity: capacity)
        for index in 0..<capacity { (slots + index).initialize(to: TableSlot()) }
    }

    /// Makes a copy with room for more.
    convenience init(copying other: HashTable, _ additional: Int) {
        let count = other.count.load(ordering: .relaxed)
        self.init(room: count + additional)
        // If removed elements have left no gaps, each element keeps its place in a table of the same size.
        let keepsPlaces = mask == other.mask && count == other.used.load(ordering: .relaxed)
        for index in 0...other.mask {
            guard let element = other.slots[index].element.load(ordering: .relaxed) else { continue }
            let word = other.slots[index].word.load(ordering: .relaxed)
            var place = keepsPlaces ? index : start(word)
            while slots[place].word.load(ordering: .relaxed) != 0 { place = next(place) }
            // Each table keeps its elements, and releases them in its `deinit`.
            _ = Unmanaged<Element>.fromOpaque(element).retain()
            slots[place].element.store(element, ordering: .relaxed)
            slots[place].word.store(word, ordering: .relaxed)
        }
        used.store(count, ordering: .relaxed)
        self.count.store(count, ordering: .relaxed)
    }

    deinit {
        for index in 0...mask {
            guard let element = slots[index].element.load(ordering: .acquiring) else { continue }
            // Sound: nobody else can see the table any more, and it retained its elements.
            Unmanaged<Element>.fromOpaque(element).release()
        }
        // Words have nothing to deinitialize.
        slots.deallocate()
    }

    var isShared: Bool { shared.load(ordering: .relaxed) }
    func share() { shared.store(true, ordering: .relaxed) }

    func hasRoom(for additional: Int) -> Bool { (used.load(ordering: .relaxed) + additional) * 2 <= mask + 1 }

    var elements: [Element] {
        (0...mask).compactMap { index in
            slots[index].element.load(ordering: .sequentiallyConsistent).map { Borrowed<Element>($0).object }
        }
    }

    /// Releases all elements, the one with the highest number first. Nobody else can see the table any more.
    ///
    /// It takes over what the table has retained: with a list of its own, a request with its child takes 10 % longer.
    func releaseAll(numberedBy number: (Element) -> UInt) {
        withElements(numberedBy: number) { elements in
            for index in 0...mask { slots[index].element.store(nil, ordering: .relaxed) }
            // Sound: the table retained its elements, and does not hold them any more.
            for element in elements.reversed() { Borrowed<Element>(element.address).release() }
        }
    }

    /// The elements that have a number, in the order of these numbers.
    func elements(numberedBy number: (Element) -> UInt?) -> [Element] {
        withElements(numberedBy: number) { $0.map { Borrowed<Element>($0.address).object } }
    }

    /// Lists the elements that have a number, in the order of these numbers, without retaining them.
    private func withElements<Result>(
        numberedBy number: (Element) -> UInt?, _ body: (Slice<UnsafeMutableBufferPointer<NumberedElement>>) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: NumberedElement.self, capacity: mask + 1) { buffer in
            var buffer = buffer
            var count = 0
            for index in 0...mask {
                guard let address = slots[index].element.load(ordering: .sequentiallyConsistent),
                    let number = Borrowed<Element>(address).with(number)
                else { continue }
                buffer.initializeElement(at: count, to: NumberedElement(number: number, address: address))
                count += 1
            }
            buffer[..<count].sort()
            return body(buffer[..<count])
        }
    }

    var hasSeveral: Bool { count.load(ordering: .relaxed) > 1 }

    /// Addresses differ in their middle bits; the multiplication carries these to the top.
    @inline(__always) private func start(_ word: UInt) -> Int {
        Int(truncatingIfNeeded: (word &* UInt(truncatingIfNeeded: 0x9e37_79b9_7f4a_7c15 as UInt64)) &>> shift)
    }

    @inline(__always) private func next(_ index: Int) -> Int { (index &+ 1) & mask }

    /// Finds the element that has the word and is meant, or the slot where it would be put.
    @inline(__always)
    func find(_ word: UInt, where isMeant: (Element) -> Bool) -> (element: Borrowed<Element>?, index: Int) {
        var index = start(word)
        var vacant: Int?
        while true {
            let found = slots[index].word.load(ordering: .acquiring)
            if found == 0 { return (nil, vacant ?? index) }
            if found == word {
                if let address = slots[index].element.load(ordering: .sequentiallyConsistent) {
                    let element = Borrowed<Element>(address)
                    if element.with(isMeant) { return (element, index) }
                } else {
                    vacant = vacant ?? index
                }
            }
            index = next(index)
        }
    }

    /// Sets or removes the element in the slot that ``find(_:where:)`` returned; returns the old one.
    func put(_ element: Element?, of word: UInt, at index: Int, retiring retired: inout Retirement) -> Element? {
        // Balanced by whoever takes it out.
        let new = element.map { UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) }
        let unlinked = slots[index].element.exchange(new, ordering: .sequentiallyConsistent)
        count.wrappingAdd((new == nil ? 0 : 1) - (unlinked == nil ? 0 : 1), ordering: .relaxed)
        if slots[index].word.load(ordering: .relaxed) == 0 {
            used.wrappingAdd(1, ordering: .relaxed)
            slots[index].word.store(word, ordering: .releasing)
        }
        // Sound: nobody else can take out what the exchange returned.
        guard let old = unlinked.map({ Unmanaged<Element>.fromOpaque($0).takeRetainedValue() }) else { return nil }
        retired.add(old)
        return old
    }
}
