import Foundation

/// Unbuffered output, so that results and messages stay in order when both are written to one file.
enum Terminal {
    static func show(_ text: String) {
        write(text, to: .standardOutput)
    }

    static func showError(_ text: String) {
        write(text, to: .standardError)
    }

    private static func write(_ text: String, to file: FileHandle) {
        // An error can't be reported after the terminal has been closed.
        try? file.write(contentsOf: Data("\(text)\n".utf8))
    }
}
