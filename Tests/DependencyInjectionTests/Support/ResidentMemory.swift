#if os(Linux)
    import Foundation

    /// The memory of this process, as the kernel counts it.
    enum ResidentMemory {
        /// The number of resident pages.
        static var pages: Int {
            let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
            return fields.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
        }

        /// Whether freed memory is used again. The sanitizers retain it for a while, to detect its use.
        static let isMeaningful = dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil
    }
#endif
