#if os(Linux)
    import Foundation

    /// The resident memory of this process, as the kernel reports it.
    enum ResidentMemory {
        /// The number of resident pages.
        static var pages: Int {
            let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
            return fields.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
        }

        /// Whether freed memory is reused. Sanitizers don't reuse it immediately, in order to detect a use after a
        /// release.
        static let isMeaningful = dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil
    }
#endif
