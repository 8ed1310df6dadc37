import Testing

@testable import DependencyInjection

@Suite("The table that is read without a lock", .ownThread)
struct SlotTableTests {
    private typealias Element = Box<UInt>
    private typealias Table = SlotTable<Element, Element>

    private func isMeant(_ number: UInt) -> (Table.Slot) -> Bool {
        { slot in (slot.entry ?? slot.instance)?.object.value == number }
    }

    private func put(entry: Element?, _ number: UInt, in table: borrowing Table) {
        var retired = DeferredRelease()
        table.put(entry: entry, at: number, where: isMeant(number), retiring: &retired)
    }

    /// The numbers whose slots a search finds.
    private func numbers(
        in table: borrowing Table, of candidates: [UInt] = Array(1...100),
        where isFound: (Table.Slot, UInt) -> Bool = { $0.entry?.object.value == $1 }
    ) -> [UInt] {
        candidates.filter { number in
            ThreadRecord.reading { table.find(number, where: isMeant(number)).map { isFound($0, number) } } == true
        }
    }

    @Test("finds everything in a copy, with and without gaps of removed entries in it", arguments: [1, 2, 3, 7])
    func copies(step: Int) {
        let table = Table()
        // The hashes of these keys share a prefix, so that a search for one key passes the others.
        let factor: UInt = 0x9e37_79b9_7f4a_7c15
        var all: [UInt] = []
        for number: UInt in 1...100_000 where all.count < 40 {
            if (number &* factor) >> 57 == 5 { all.append(number) }
        }
        for number in all { put(entry: Element(number), number, in: table) }
        // These removals leave gaps that searches pass.
        let removed = stride(from: 0, to: all.count, by: step).map { all[$0] }
        for number in removed { put(entry: nil, number, in: table) }
        let copy = Table(table.copiedEntries())
        put(entry: Element(1_000), 1_000, in: copy)
        let left = all.filter { !removed.contains($0) }
        #expect(numbers(in: copy, of: all + [1_000]) == left + [1_000])
        #expect(numbers(in: table, of: all + [1_000]) == left)
        for number in removed { put(entry: Element(number), number, in: copy) }
        #expect(numbers(in: copy, of: all + [1_000]) == all + [1_000])
        #expect(copy.entries().count == 41)
    }

    @Test("stores an entry and an instance in one slot, and copies only the entries")
    func instances() {
        let table = Table()
        for number: UInt in 1...100 {
            if number.isMultiple(of: 2) { put(entry: Element(number), number, in: table) }
            guard number.isMultiple(of: 3) else { continue }
            var retired = DeferredRelease()
            _ = table.put(instance: Element(number), at: number, where: isMeant(number), retiring: &retired)
        }
        #expect(numbers(in: table) { slot, _ in slot.instance != nil } == (1...100).filter { $0.isMultiple(of: 3) })
        let copy = Table(table.copiedEntries())
        #expect(numbers(in: copy) { slot, _ in slot.instance != nil }.isEmpty)
        #expect(copy.entries().count == 50)
        var count = 0
        table.forEachInstance { _ in count += 1 }
        #expect(count == 33)
        table.removeInstances()
        table.forEachInstance { _ in count += 1 }
        #expect(count == 33)
        #expect(numbers(in: table) { slot, _ in slot.instance != nil }.isEmpty)
        #expect(numbers(in: table) == (1...100).filter { $0.isMultiple(of: 2) })
    }

    @Test("releases each object once, even if it was replaced")
    func releases() {
        let released = Counter()
        do {
            let table = SlotTable<Tracked, Tracked>()
            for number: UInt in 1...100 {
                var retired = DeferredRelease()
                table.put(entry: Tracked(released), at: number, where: { _ in true }, retiring: &retired)
                _ = table.put(instance: Tracked(released), at: number, where: { _ in true }, retiring: &retired)
                _ = table.put(instance: Tracked(released), at: number, where: { _ in true }, retiring: &retired)
            }
            #expect(released.count == 100)
        }
        #expect(released.count == 300)
    }

    @Test("doesn't grow when entries are added and removed repeatedly")
    func churn() {
        let table = Table()
        for number: UInt in 1...10_000 {
            put(entry: Element(number), number, in: table)
            put(entry: nil, number, in: table)
        }
        #expect(table.entries().isEmpty)
        let hasSpace = table.hasSpace(for: 5)
        #expect(!hasSpace)
    }
}
