import Foundation
import Testing

@Suite("The program OpenLinks")
struct OpenLinksTests {
    struct Outcome {
        let status: Int32
        let output: String
    }

    /// Runs the program, which the package manager builds into the folder of the tests.
    private func run(_ links: String...) throws -> Outcome {
        let (process, output) = (Process(), Pipe())
        process.executableURL = Bundle.main.bundleURL.appendingPathComponent("OpenLinks")
        process.arguments = links
        process.standardOutput = output
        try process.run()
        // The text is shorter than the buffer of a pipe.
        process.waitUntilExit()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return Outcome(status: process.terminationStatus, output: text)
    }

    @Test("The README shows the screens that the program prints")
    func readme() throws {
        let path = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../README.md").standardized
        let readme = try String(contentsOf: path, encoding: .utf8)
        let outcome = try run("parcels://parcel/42", "parcels://parcels")
        #expect(outcome.status == 0)
        #expect(
            outcome.output.contains("Parcel 42") && readme.contains("```text\n\(outcome.output)```\n"),
            "\(outcome.output)")
    }

    @Test("Without a link, the program shows its usage and fails")
    func usage() throws {
        let outcome = try run()
        #expect(outcome.status == 1)
        #expect(outcome.output.hasPrefix("Usage: OpenLinks <link> ..."))
    }
}
