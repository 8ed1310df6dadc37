import DependencyInjection
import Foundation
import Testing

/// A program that fails, the text of its error, and a program for each alternative of the fix in that text.
struct Fault: Sendable, CustomTestStringConvertible {
    /// One alternative of a fix, and the program after following it.
    struct Fix: Sendable {
        /// The text of the alternative, with `File.swift:1` for every place.
        let advice: String
        /// Code that the text mentions and the program doesn't contain, because the advice is to remove it.
        let removed: Set<String>
        let source: Source
        /// The program, which resolves without an error.
        let program: @Sendable () async throws -> Void

        init(
            _ advice: String, removing removed: Set<String> = [], file: String = #filePath, line: Int = #line,
            program: @escaping @Sendable () async throws -> Void
        ) {
            self.advice = advice
            self.removed = removed
            source = Source(file: file, line: line)
            self.program = program
        }
    }

    @resultBuilder enum FixBuilder {
        static func buildBlock(_ fixes: Fix...) -> [Fix] { fixes }
    }

    let testDescription: String
    /// The first line of the error.
    let problem: String
    /// The alternatives of the fix, in order.
    let fixes: [Fix]
    /// The text of the error.
    let text: @Sendable () async throws -> String

    /// Creates a fault from a program that throws the error.
    init(
        _ description: String, _ problem: String, program: @escaping @Sendable () async throws -> Void,
        @FixBuilder fixes: () -> [Fix]
    ) {
        self.init(description, problem, fixes: fixes()) {
            do { try await program() } catch { return "\(error)" }
            return "The program does not fail."
        }
    }

    /// Creates a fault from a program that returns the text, such as a warning.
    init(
        _ description: String, _ problem: String, fixes: [Fix], text: @escaping @Sendable () async throws -> String
    ) {
        testDescription = description
        self.problem = problem
        self.fixes = fixes
        self.text = text
    }

    /// The problem and the alternatives of the fix in the text of the error, with `File.swift:1` for every place.
    func report() async throws -> (problem: Substring?, fixes: [String]) {
        let text = try await text().replacing(try Regex(#"\w+/[\w+]+\.swift:\d+"#), with: "File.swift:1")
        let parts = text.components(separatedBy: "\n  fix: ")
        return (text.split(separator: "\n").first, parts.count < 2 ? [] : parts[1].components(separatedBy: "\n   or: "))
    }
}

extension Fault.Fix {
    /// The place of a program in a source file.
    struct Source: Sendable {
        let file: String
        let line: Int

        /// The source code of the program: from the end of the advice to the next entry of the table.
        func program() throws -> String {
            let lines = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n")
            let rest = lines[(line - 1)...]
            let end = rest.dropFirst().firstIndex { line in
                ["Fix(", "Fault(", "])", "]"].contains { line.drop { $0 == " " }.hasPrefix($0) }
            }
            let entry = rest[..<(end ?? rest.endIndex)].joined(separator: "\n")
            // The advice is the first literal.
            let literal = try Regex(##"^(?:"""[\s\S]*?"""|#"[^\n]*?"#|"(?:[^"\\]|\\.)*")"##)
            guard let open = entry.firstIndex(of: "("),
                let begin = entry[open...].firstIndex(where: { $0 == "\"" || $0 == "#" }),
                let advice = entry[begin...].firstMatch(of: literal)
            else { return entry }
            return String(entry[advice.range.upperBound...].drop { $0 != "{" })
        }
    }

    /// The pieces of code in the advice.
    var snippets: [String] {
        advice.components(separatedBy: "`").enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
    }

    /// Whether the program contains a piece of code, in which `…` stands for anything.
    func contains(_ snippet: String) throws -> Bool {
        let program = try source.program().filter { !$0.isWhitespace }
        var rest = program[...]
        for part in snippet.filter({ !$0.isWhitespace }).split(separator: "…") {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}
