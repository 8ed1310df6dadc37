import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

@Suite("The graph of a container")
struct DependencyGraphTests {
    private let container = DIContainer {
        Shared(autowiring: Dependent<Car>.init)
        Shared(autowiring: Car.init)
        Shared(Diesel(), name: "<\"a\" & b#>", as: (any Engine).self)
        New(autowiring: Dependent<Provider<Ticket, Int>>.init)
        Shared(autowiring: Hen.init)
        New(autowiring: Egg.init)
        Decorate(Wheel.self) { base, _ in base }
    }

    @Test("has registrations as nodes and declared dependencies as edges")
    func nodesAndEdges() throws {
        let container = DIContainer {
            Shared(autowiring: Car.init)
            Shared(Diesel(), as: (any Engine).self)
            New(autowiring: Dependent<Provider<Ticket, Int>>.init)
        }
        let graph = container.graph
        #expect(graph.nodes.map(\.key) == ["Car", "Diesel", "any Engine", "Dependent<Provider<Ticket, Int>>"])
        #expect(graph.edges.map(\.from) == [0, 2, 3])
        #expect(graph.edges.map(\.to) == [2, 1, nil])
        #expect(graph.edges.map(\.kind) == [.autowiring, .alias, .autowiring])
        #expect(graph.edges.map(\.isDeferred) == [false, false, true])
        #expect(graph.edges.map(\.key) == ["any Engine", "Diesel", "Ticket"])
        container.register(Decorate(Car.self) { base, _ in base })
        #expect(container.graph.nodes[0].decorators.count == 1 && container.graph.edges.count == 3)
    }

    @Test("prints a tree that shows each registration once and marks missing ones")
    func text() {
        let lines = "\(container.graph)".split(separator: "\n").map { $0.components(separatedBy: "  (registered")[0] }
        #expect(
            lines == [
                "Shared Dependent<Car>", "  Shared Car", "    any Engine  (missing)",
                #"Alias any Engine named "<\"a\" & b#>""#, #"  Shared Diesel named "<\"a\" & b#>" as any Engine"#,
                "New Dependent<Provider<Ticket, Int>>", "  later: Ticket  (missing)", "Decorate Wheel", "Shared Hen",
                "  New Egg", "    Shared Hen  (see above)",
                container.graph.uncheckedSummary,
            ])
    }

    @Test("is valid Mermaid text that marks missing dependencies and cycles")
    func mermaid() {
        let text = container.graph.mermaid()
        let lines = text.split(separator: "\n")
        let label = /"[^"<>&]*(<br\/>[^"<>&]*)*"/
        let grammar = [
            try! Regex(#"  (subgraph m\d+|n\d+|x\d+)\[\#("\"[^\"]*\"")\](:::missing)?"#),
            try! Regex(#"  n\d+ (-->|-\.->)(\|[a-z]+\|)? [nx]\d+"#),
            try! Regex(#"  (end|linkStyle \d+ stroke:red|classDef missing stroke-dasharray:4)"#),
        ]
        #expect(lines.first == "flowchart LR")
        for line in lines.dropFirst() {
            #expect(grammar.contains { line.wholeMatch(of: $0) != nil }, "\(line)")
            guard let quoted = line.firstRange(of: /".*"/) else { continue }
            #expect(line[quoted].wholeMatch(of: label) != nil, "\(line)")
        }
        let name = "#quot;#lt;\\#quot;a\\#quot; #amp; b#35;#gt;#quot;"
        #expect(text.contains("Shared Diesel named \(name)<br/>as any Engine<br/>"))
        #expect(text.contains("[\"any Engine<br/>missing\"]:::missing"))
        #expect(text.contains(" -->|later| x1"))
        #expect(lines.count { $0.hasPrefix("  linkStyle") } == 2)
        #expect(container.graph.mermaid() == text)
    }

    @Test("is valid Graphviz text, if Graphviz is installed")
    func dot() throws {
        let text = container.graph.dot()
        #expect(text.contains(#"[label="Shared Diesel named \"<\\\"a\\\" & b#>\"\nas any Engine\n"#))
        #expect(text.contains("[label=\"any Engine\\nmissing\", style=dashed]"))
        #expect(text.split(separator: "\n").count { $0.contains("color=red") } == 2)
        let places = ["/usr/bin/dot", "/usr/local/bin/dot", "/opt/homebrew/bin/dot"]
        guard let dot = places.first(where: FileManager.default.isExecutableFile) else { return }
        let (program, input, output) = (Process(), Pipe(), Pipe())
        program.executableURL = URL(fileURLWithPath: dot)
        program.arguments = ["-Tsvg"]
        program.standardInput = input
        program.standardOutput = output
        try program.run()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        let drawing = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        program.waitUntilExit()
        #expect(program.terminationStatus == 0)
        #expect(drawing.components(separatedBy: "class=\"node\"").count - 1 == container.graph.nodes.count + 2)
        #expect(drawing.components(separatedBy: "class=\"edge\"").count - 1 == container.graph.edges.count)
    }

    @Test("marks only the arrows of a cycle, without those that lead to it")
    func wayToCycle() {
        let graph = DIContainer {
            New(autowiring: { (_: Hen) in Wheel() })
            Shared(autowiring: Hen.init)
            New(autowiring: Egg.init)
        }.graph
        let marks = graph.mermaid().split(separator: "\n").filter { $0.contains("linkStyle") }
        #expect(marks == ["  linkStyle 1 stroke:red", "  linkStyle 2 stroke:red"])
        #expect(graph.dot().split(separator: "\n").count { $0.contains("color=red") } == 2)
    }

    @Test("marks no provider as part of a cycle")
    func providerBesideCycle() {
        let graph = DIContainer {
            Shared(autowiring: { (_: Wheel, _: Provider<Wheel>) in 1 })
            Shared(autowiring: { (_: Int) in Wheel() })
            Shared(autowiring: { (_: Provider<Wheel?>) in 1.5 })
        }.graph
        #expect(graph.edges.map(\.isDeferred) == [false, true, false, true])
        let lines = graph.mermaid().split(separator: "\n")
        let later = lines.indices.filter { lines[$0].contains("later") }
        #expect(later.count == 2 && later.allSatisfy { !lines[$0 + 1].contains("linkStyle") })
    }

    @Test("each missing type has one box, also beside one with the same name, and a backquote is escaped")
    func names() {
        let graph = DIContainer {
            Module("`a`") {
                New(autowiring: { (_: Kitchen.Missing, _: Garden.Missing) in 1 })
                New(autowiring: { (_: Garden.Missing) in Wheel() })
            }
        }.graph
        #expect(graph.dot().components(separatedBy: "style=dashed").count == 1 + 2)
        #expect(graph.mermaid().contains("x0[") && graph.mermaid().contains("x1["))
        #expect(graph.mermaid().contains("#96;a#96;") && !graph.mermaid().contains("`"))
        #expect(graph.dot().contains("n0 -> x0") && graph.dot().contains("n0 -> x1"))
    }

    @Test("shows missing types at any depth")
    func depth() {
        func chain<Inner>(_ type: Piece<Inner>.Type, _ length: Int) -> [any RegistrationConvertible] {
            if length == 0 { return [New(autowiring: { (_: Ticket) in Piece<Inner>() })] }
            return [New(autowiring: { (_: Piece<Piece<Inner>>) in Piece<Inner>() })]
                + chain(Piece<Piece<Inner>>.self, length - 1)
        }
        let text = DIContainer { Module(chain(Piece<Int>.self, 101)) }.graph.description
        #expect(text.contains("Ticket  (missing)"))
    }
}
