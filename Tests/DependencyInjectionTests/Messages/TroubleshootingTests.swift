import DependencyInjection
import Foundation
import Testing

/// Compares the texts in the article "Troubleshooting" with the texts of the errors in the table of advice.
@Suite("The article on troubleshooting", .ownThread)
struct TroubleshootingTests {
    /// The fault of each section, by the heading of the section.
    static let faults: [String: String] = [
        "Nothing is registered": "An implementation is registered, and an autowired type depends on the protocol",
        "A circular dependency": "Two types depend on each other",
        "The arguments do not fit": "An argument has another type",
        "An alias does not conform": "An alias does not conform",
        "It is isolated to the main actor": "A main-actor type is requested off the main actor",
        "The factory failed": "A factory throws",
        "It has not been awaited": "An asynchronous Shared is requested before it is awaited",
        "A value is registered with Weak": "A value type is registered with Weak",
        "The container was closed": "A closed container is requested to resolve a type",
        "A child decorates a type of its parent": "A child decorates a type that its parent registers",
    ]

    @Test("shows the exact text of every reason", arguments: faults)
    func texts(_ heading: String, _ description: String) async throws {
        let fault = try #require(AdviceTests.faults.first { $0.testDescription == description })
        let text = try await fault.errorText(Fault.Shape.root.container(fault.registrations()))
        let real = text.replacing(Self.place, with: "App/Registrations.swift:12")
        let shown = try #require(Self.sections[heading])
        #expect(shown == real, "The text is:\n\(real)")
    }

    @Test("has no other sections")
    func sections() { #expect(Set(Self.sections.keys) == Set(Self.faults.keys).union([Self.sealed])) }

    /// The section with a text that only a process that stops has, because no request throws it.
    fileprivate static let sealed = "The container was sealed"

    /// The first block of each section, by its heading.
    fileprivate static let sections: [String: String] = {
        let article = URL(fileURLWithPath: #filePath).appendingPathComponent(
            "../../../../Sources/DependencyInjection/Documentation.docc/Troubleshooting.md")
        let text = (try? String(contentsOf: article.standardized, encoding: .utf8)) ?? ""
        let sections = text.components(separatedBy: "\n### ").dropFirst().map { section in
            let blocks = section.components(separatedBy: "\n```")
            let heading = blocks[0].prefix { $0 != "\n" }
            return (String(heading), blocks[1].split(separator: "\n").dropFirst().joined(separator: "\n"))
        }
        return Dictionary(sections) { first, _ in first }
    }()

    /// A place, which the article replaces.
    fileprivate static var place: Regex<Substring> { #/[A-Za-z]+/[A-Za-z]+\.swift:\d+/# }
}

extension ExitTests {
    @Test("The article on troubleshooting shows the text of a process that a sealed container stops")
    static func sealedContainer() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = DIContainer()
            container.seal()
            container.register(Shared(Ticket(number: 1)))
        }
        let shown = try #require(TroubleshootingTests.sections[TroubleshootingTests.sealed])
        let text = result.standardError.replacing(TroubleshootingTests.place, with: "App/Registrations.swift:12")
        #expect(text.contains("\(shown)\n"))
    }
}
