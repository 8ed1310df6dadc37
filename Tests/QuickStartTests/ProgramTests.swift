import Foundation
import Testing

#if os(macOS) || os(Linux)
    @Suite("The program QuickStart")
    struct ProgramTests {
        struct Outcome {
            let status: Int32
            let output: String
            let errors: String
        }

        /// Runs the program, which the package manager builds into the folder of the tests.
        private func run(_ arguments: String...) throws -> Outcome {
            #if os(macOS)
                let tests = try #require(Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") })
                let folder = tests.bundleURL.deletingLastPathComponent()
            #else
                let folder = Bundle.main.bundleURL
            #endif
            let (process, output, errors) = (Process(), Pipe(), Pipe())
            process.executableURL = folder.appendingPathComponent("QuickStart")
            process.arguments = arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            // The texts are shorter than the buffer of a pipe.
            process.waitUntilExit()
            return Outcome(
                status: process.terminationStatus,
                output: String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self),
                errors: String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
        }

        @Test("opens each link")
        func opensLinks() throws {
            let outcome = try run("notes/42", "settings", "search?q=swift")
            #expect(outcome.status == 0)
            let titles = ["Talk outline", "Settings of Field Notes", "3 notes contain \"swift\":"]
            #expect(outcome.output.split(separator: "\n").map(String.init).filter(titles.contains) == titles)
        }

        @Test("ends with status 1 after an unknown link, and prints the reason")
        func unknownLink() throws {
            let outcome = try run("nowhere")
            #expect(outcome.status == 1)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("nowhere: unknown link, use notes/<number>"))
        }

        @Test("prints its graph in each form", arguments: ["mermaid", "dot", "text"])
        func graph(_ form: String) throws {
            let outcome = try run("--graph", form)
            #expect(outcome.status == 0)
            let starts = ["mermaid": "flowchart LR\n", "dot": "digraph", "text": "Alias any Router"]
            #expect(try outcome.output.hasPrefix(#require(starts[form])))
        }

        @Test("The article Diagnostics shows the graph that the program prints")
        func article() throws {
            let path = "Sources/DependencyInjection/Documentation.docc/Diagnostics.md"
            let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..")
            let article = try String(contentsOf: root.appendingPathComponent(path).standardized, encoding: .utf8)
            let graph = try run("--graph", "mermaid").output
            #expect(graph.contains("AppRouter") && article.contains("```mermaid\n\(graph)```\n"), "\(graph)")
        }
    }
#endif
