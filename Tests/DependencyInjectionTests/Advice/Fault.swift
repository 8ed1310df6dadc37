import DependencyInjection
import Foundation
import Testing

/// A program that fails, the text of its error, and a program for each alternative of the fix in that text.
struct Fault: Sendable, CustomTestStringConvertible {
    /// One alternative of a fix, and the program after following it.
    struct Fix: Sendable {
        /// The text of the alternative, with `File.swift:1` for every place.
        let advice: String
        /// The program, which resolves without an error.
        let program: @Sendable () async throws -> Void

        init(_ advice: String, program: @escaping @Sendable () async throws -> Void) {
            self.advice = advice
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
