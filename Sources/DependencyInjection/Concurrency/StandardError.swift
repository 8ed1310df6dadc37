internal import CDependencyInjection

/// Prints a whole line to standard error.
func printToStandardError(_ line: String) { _ = write(STDERR_FILENO, line + "\n", line.utf8.count + 1) }
