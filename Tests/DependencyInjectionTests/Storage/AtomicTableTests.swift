import Testing

@testable import DependencyInjection

@Suite("The table that is read without a lock")
struct AtomicTableTests {
    private final class Element: Sendable {
        let number: UInt
        init(_ number: UInt) { self.number = number }
    }

    private func put(_ element: Element?, _ number: UInt, in table: borrowing AtomicTable<Element>) {
        var retired = Retirement()
        table.put(element, at: number, where: { $0.number == number }, retiring: &retired)
    }

    private func numbers(in table: borrowing AtomicTable<Element>, of candidates: [UInt]) -> [UInt] {
        candidates.filter { number in
            ThreadRecord.reading { table.find(number, where: { $0.number == number })?.object.number } == number
        }
    }

    @Test("finds everything in a copy, with and without gaps of removed elements in it", arguments: [1, 2, 3, 7])
    func copies(step: Int) {
        let table = AtomicTable<Element>()
        // Their hashes begin alike, so that a search for one passes the others.
        let factor: UInt = 0x9e37_79b9_7f4a_7c15
        var all: [UInt] = []
        for number: UInt in 1...100_000 where all.count < 40 {
            if (number &* factor) >> 57 == 5 { all.append(number) }
        }
        for number in all { put(Element(number), number, in: table) }
        // Leaves gaps in the middle of searches.
        let removed = stride(from: 0, to: all.count, by: step).map { all[$0] }
        for number in removed { put(nil, number, in: table) }
        let copy = AtomicTable(table.share())
        put(Element(1_000), 1_000, in: copy)
        let left = all.filter { !removed.contains($0) }
        #expect(numbers(in: copy, of: all + [1_000]) == left + [1_000])
        #expect(numbers(in: table, of: all + [1_000]) == left)
        let full = AtomicTable(copy.share())
        for number in removed { put(Element(number), number, in: full) }
        #expect(numbers(in: full, of: all + [1_000]) == all + [1_000])
        #expect(full.elements.count == 41)
    }

    @Test("takes no more room however often elements come and go")
    func churn() {
        let table = AtomicTable<Element>()
        for number in 1...10_000 {
            put(Element(UInt(number)), UInt(number), in: table)
            put(nil, UInt(number), in: table)
        }
        #expect(table.elements.isEmpty)
        #expect(table.contents?.hasRoom(for: 64) == false)
    }

    /// A table that several threads can see.
    private final class Shelf: Sendable {
        let table = AtomicTable<Element>()
    }

    @Test("is searched without a gap while its contents are hidden, and readers find nothing afterwards")
    func hidden() {
        for _ in 0..<2_000 {
            let shelf = Shelf()
            put(Element(1), 1, in: shelf.table)
            let isOver = Counter()
            let misses = onThreads(2) { index in
                if index == 0 {
                    shelf.table.hide()
                    isOver.increment()
                    return 0
                }
                var misses = 0
                repeat {
                    let isFound = ThreadRecord.reading { shelf.table.search(1, where: { _ in true }) != nil }
                    if !isFound { misses += 1 }
                } while isOver.count == 0
                return misses
            }
            #expect(misses.allSatisfy { $0 == 0 })
            #expect(numbers(in: shelf.table, of: [1]) == [])
            put(Element(2), 2, in: shelf.table)
            #expect(shelf.table.elements.count == 2)
        }
    }
}
