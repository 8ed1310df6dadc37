internal import CDependencyInjection

enum StandardError {
    /// Prints a whole line to standard error.
    static func print(_ line: String) { _ = write(STDERR_FILENO, line + "\n", line.utf8.count + 1) }
}
