#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// Tells where a thread's stack ends.
struct StackSpace {
    private let lowest: UInt
    private let highest: UInt

    static let unknown = StackSpace(lowest: 0, highest: 0)

    /// The address below which no factory is entered. The rest is for the factory that runs, and for the error.
    private var limit: UInt { lowest + min((highest - lowest) / 4, 128 << 10) }

    /// Whether the calling thread, whose stack this is, may enter another factory.
    var isLeft: Bool {
        // Memory of a size unknown to the compiler comes from the stack, even if a sanitizer keeps variables elsewhere.
        let size = 16 + Int(truncatingIfNeeded: highest >> 63)
        let here = withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { UInt(bitPattern: $0.baseAddress) }
        // An address outside the stack means that a tool or a library has replaced the stack of the thread.
        return here > limit || here < lowest
    }

    /// The stack of the calling thread.
    static var current: StackSpace {
        #if canImport(Darwin)
            let highest = UInt(bitPattern: pthread_get_stackaddr_np(pthread_self()))
            return StackSpace(lowest: highest - pthread_get_stacksize_np(pthread_self()), highest: highest)
        #else
            var attributes = pthread_attr_t()
            var lowest: UnsafeMutableRawPointer?
            var size = 0
            guard attributesOfThread(pthread_self(), &attributes) == 0 else { return unknown }
            defer { pthread_attr_destroy(&attributes) }
            guard pthread_attr_getstack(&attributes, &lowest, &size) == 0 else { return unknown }
            return StackSpace(lowest: UInt(bitPattern: lowest), highest: UInt(bitPattern: lowest) + UInt(size))
        #endif
    }
}

#if !canImport(Darwin)
    // The C library has it, but declares it for GNU C only.
    @_silgen_name("pthread_getattr_np")
    private func attributesOfThread(_ thread: pthread_t, _ attributes: UnsafeMutablePointer<pthread_attr_t>) -> CInt
#endif
