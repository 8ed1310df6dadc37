#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

enum StandardError {
    /// Prints a whole line to standard error.
    static func print(_ line: String) { _ = write(STDERR_FILENO, line + "\n", line.utf8.count + 1) }
}
