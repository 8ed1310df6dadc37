import DependencyInjection
import Foundation
import Testing

extension ExitTests {
    /// Compares the texts in the article "Troubleshooting" with the texts of the errors, one of which stops a process.
    @Suite("The article on troubleshooting", .ownThread) struct TroubleshootingTests {}
}

extension ExitTests.TroubleshootingTests {
    @Test("shows the exact text of every reason", arguments: examples)
    func texts(_ example: Example) async throws {
        let real = try await normalized(#require(example.value()))
        let shown = try normalized(#require(Self.sections[example.testDescription]))
        #expect(real == shown, "The text is:\n\(real)")
    }

    @Test("has no other sections")
    func sections() {
        #expect(Set(Self.sections.keys) == Set(Self.examples.map(\.testDescription)))
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

    /// A section of the article by its heading, and a program that fails with its text.
    typealias Example = Row<@Sendable () async throws -> String?>

    /// Creates an example from registrations and a type, a request for which fails.
    private static func request<T: Sendable>(
        _ heading: String, _ type: T.Type,
        @RegistrationBuilder of registrations: @escaping @Sendable () -> [Registration]
    ) -> Example {
        Example(heading) { DIContainer(registrations).error(of: type)?.description }
    }

    static let examples: [Example] = [
        request("Nothing is registered", Car.self) {
            Shared(autowiring: Car.init)
            Shared(Diesel())
        },
        request("A circular dependency", Hen.self) {
            Shared(autowiring: Hen.init)
            Shared(autowiring: Egg.init)
        },
        Example("The arguments do not fit") {
            let container = DIContainer { New { _, number in Ticket(number: number) } }
            return failure { _ = try container.resolve.orThrow(Ticket.self, arguments: "one") }?.description
        },
        request("An alias does not conform", (any Engine).self) { Shared(Ticket(number: 1), as: (any Engine).self) },
        request("It is isolated to the main actor", Diesel.self) { Shared(mainActor: Diesel()) },
        request("The factory failed", Ticket.self) { Shared { _ -> Ticket in throw Sabotage() } },
        request("It has not been awaited", Diesel.self) { Shared(async: { _ in Diesel() }) },
        request("A value is registered with Weak", Ticket.self) { Weak(Ticket(number: 1)) },
        Example("The container was closed") {
            let container = DIContainer { Shared(Ticket(number: 1)) }
            try await container.close()
            return container.error(of: Ticket.self)?.description
        },
        Example("A child decorates a type of its parent") {
            let parent = DIContainer { Shared(Ticket(number: 1)) }
            let child = parent.makeChild { Decorate(Ticket.self) { base, _ in base } }
            return child.error(of: Ticket.self)?.description
        },
        Example("The container was sealed") {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let container = DIContainer()
                container.seal()
                container.register(Shared(Ticket(number: 1)))
            }
            let output = standardError(of: result)
            guard let begin = output.firstRange(of: "The container was sealed") else { return nil }
            let lines = output[begin.lowerBound...].components(separatedBy: "\n")
            return lines[...(lines.firstIndex { $0.contains("`container.fork") } ?? 0)].joined(separator: "\n")
        },
    ]
}
