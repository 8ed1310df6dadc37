import Foundation

/// Writes lines without a buffer, so that results and messages stay in order when both go to one file.
enum Terminal {
    static func show(_ text: String) {
        write(text, to: .standardOutput)
    }

    static func complain(_ text: String) {
        write(text, to: .standardError)
    }

    private static func write(_ text: String, to file: FileHandle) {
        // There is nobody left to tell when the terminal is gone.
        try? file.write(contentsOf: Data("\(text)\n".utf8))
    }
}
