import AllocationCounter
import Foundation

/// What the process and the calling thread hold and take of memory; nil on platforms without the means.
enum Memory {
    /// How often `work` asks the allocator for memory on this thread, counted by functions that stand in front of it.
    static func allocations(_ work: () -> Void) -> Int? {
        guard allocation_counter_is_available() else { return nil }
        let before = allocation_counter_calls()
        work()
        return allocation_counter_calls() - before
    }

    /// How many bytes `work` is given by the allocator, whether or not it gives them back.
    static func allocatedBytes(_ work: () -> Void) -> Int? {
        guard allocation_counter_is_available() else { return nil }
        let before = allocation_counter_bytes()
        work()
        return allocation_counter_bytes() - before
    }

    /// The bytes of the heap that are in use, as the allocator itself reports.
    static var heapBytes: Int? {
        allocation_counter_is_available() ? allocation_counter_bytes_in_use() : nil
    }

    /// The physical memory of the process in KiB.
    static var residentKibibytes: Double? {
        // Pages: all, resident, shared, …
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii) else { return nil }
        let numbers = text.split(separator: " ")
        guard numbers.count > 1, let pages = Double(numbers[1]) else { return nil }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_024
    }
}
