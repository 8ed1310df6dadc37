import DependencyInjection
import Foundation
import Testing

extension ExitTests {
    /// Compares the texts in the article "Troubleshooting" with the texts of the errors, one of which stops a process.
    @Suite("The article on troubleshooting", .ownThread) struct TroubleshootingTests {}
}

extension ExitTests.TroubleshootingTests {
    @Test("shows the exact text of every reason", arguments: Example.allCases)
    func texts(_ example: Example) async throws {
        let real = try await normalized(#require(example.text()))
        let shown = try normalized(#require(Self.sections[example.rawValue], "no section \"\(example.rawValue)\""))
        #expect(real == shown, "The text is:\n\(real)")
    }

    @Test("has no other sections")
    func sections() {
        #expect(Set(Self.sections.keys) == Set(Example.allCases.map(\.rawValue)))
    }

    /// The first block of each section, by its heading.
    private static let sections: [String: String] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let article = root.appendingPathComponent(
            "Sources/DependencyInjection/Documentation.docc/Troubleshooting.md")
        let text = (try? String(contentsOf: article, encoding: .utf8)) ?? ""
        let sections = text.components(separatedBy: "\n### ").dropFirst().map { section in
            let blocks = section.components(separatedBy: "\n```")
            let heading = blocks[0].prefix { $0 != "\n" }
            return (String(heading), blocks[1].split(separator: "\n").dropFirst().joined(separator: "\n"))
        }
        return Dictionary(sections) { first, _ in first }
    }()

    /// Returns the text with the same place for all places, and without spaces at the ends.
    private func normalized(_ text: String) throws -> String {
        text.replacing(try Regex(#"[A-Za-z]+/[A-Za-z]+\.swift:\d+"#), with: "App/Registrations.swift:12")
            .replacing(try Regex(#"\d+ (factories|more)"#), with: "99 more").trimmingCharacters(in: .newlines)
    }

    enum Example: String, CaseIterable {
        case notRegistered = "Nothing is registered"
        case cycle = "A circular dependency"
        case argumentMismatch = "The arguments do not fit"
        case typeMismatch = "An alias does not conform"
        case mainActorRequired = "It is isolated to the main actor"
        case factoryFailed = "The factory failed"
        case asyncRequired = "It has not been awaited"
        case weakValueType = "A value is registered with Weak"
        case sealed = "The container was sealed"
        case closed = "The container was closed"
        case misplacedDecorator = "A child decorates a type of its parent"
    }
}

extension ExitTests.TroubleshootingTests.Example {
    /// The text of an error of this kind.
    func text() async throws -> String? {
        switch self {
        case .notRegistered:
            let container = DIContainer {
                Shared(autowiring: Car.init)
                Shared(Diesel())
            }
            return failure { _ = try container.resolve.orThrow(Car.self) }?.description
        case .cycle:
            let container = DIContainer {
                Shared(autowiring: Hen.init)
                Shared(autowiring: Egg.init)
            }
            return failure { _ = try container.resolve.orThrow(Hen.self) }?.description
        case .argumentMismatch:
            let container = DIContainer { New { _, number in Ticket(number: number) } }
            return failure { _ = try container.resolve.orThrow(Ticket.self, arguments: "one") }?.description
        case .typeMismatch:
            let container = DIContainer { Shared(Ticket(number: 1), as: (any Engine).self) }
            return failure { _ = try container.resolve.orThrow((any Engine).self) }?.description
        case .mainActorRequired:
            let container = DIContainer { Shared(mainActor: Diesel()) }
            return BackgroundThread { failure { _ = try container.resolve.orThrow(Diesel.self) }?.description }.result()
                ?? nil
        case .factoryFailed:
            let container = DIContainer { Shared { _ -> Ticket in throw Sabotage() } }
            return failure { _ = try container.resolve.orThrow(Ticket.self) }?.description
        case .asyncRequired:
            let container = DIContainer { Shared(async: { _ in Diesel() }) }
            return failure { _ = try container.resolve.orThrow(Diesel.self) }?.description
        case .weakValueType:
            let container = DIContainer { Weak(Ticket(number: 1)) }
            return failure { _ = try container.resolve.orThrow(Ticket.self) }?.description
        case .closed:
            let container = DIContainer { Shared(Ticket(number: 1)) }
            try await container.close()
            return failure { _ = try container.resolve.orThrow(Ticket.self) }?.description
        case .misplacedDecorator:
            let parent = DIContainer { Shared(Ticket(number: 1)) }
            let child = parent.makeChild { Decorate(Ticket.self) { base, _ in base } }
            return failure { _ = try child.resolve.orThrow(Ticket.self) }?.description
        case .sealed:
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let container = DIContainer()
                container.seal()
                container.register(Shared(Ticket(number: 1)))
            }
            let output = standardError(of: result)
            guard let begin = output.firstRange(of: "The container was sealed") else { return nil }
            let lines = output[begin.lowerBound...].components(separatedBy: "\n")
            return lines[...(lines.firstIndex { $0.contains("`container.fork") } ?? 0)].joined(separator: "\n")
        }
    }
}
