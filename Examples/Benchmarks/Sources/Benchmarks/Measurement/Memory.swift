import AllocationCounter
import Foundation

/// The memory used by the process and allocated by the calling thread. `nil` on platforms that can't measure it.
enum Memory {
    /// Returns the number of allocations on this thread during `work`, counted by wrappers of the allocator's
    /// functions.
    static func allocations(_ work: () -> Void) -> Int? {
        guard allocation_counter_is_available() else { return nil }
        let before = allocation_counter_calls()
        work()
        return allocation_counter_calls() - before
    }

    /// Returns the number of bytes allocated during `work`, including bytes that are freed again.
    static func allocatedBytes(_ work: () -> Void) -> Int? {
        guard allocation_counter_is_available() else { return nil }
        let before = allocation_counter_bytes()
        work()
        return allocation_counter_bytes() - before
    }

    /// The bytes of the heap that are in use, as reported by the allocator.
    static var heapBytes: Int? {
        allocation_counter_is_available() ? allocation_counter_bytes_in_use() : nil
    }

    /// The physical memory of the process in KiB.
    static var residentKibibytes: Double? {
        // The numbers are pages: all, resident, shared, …
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii) else { return nil }
        let numbers = text.split(separator: " ")
        guard numbers.count > 1, let pages = Double(numbers[1]) else { return nil }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_024
    }
}
