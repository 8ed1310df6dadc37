import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

private struct Refused: Error {}

@Suite("Rule 20: validation of what is to be closed")
struct OnCloseFindingTests {
    private func onClose() -> OnClose { OnClose(Pool.self) { _ in } }

    @Test("warns of an OnClose for which nothing is registered, and says where it stands")
    func missing() throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            Module("store") { OnClose(Pool.self, name: "main") { _ in } }
            Shared(Pool())
        }
        let finding = try only(container)
        #expect(finding.kind == .unansweredOnClose && !finding.isError && finding.key == "Pool named \"main\"")
        #expect(finding.file == #fileID && finding.line == line)
        #expect(
            finding.description == """
                The `OnClose` of Pool named "main" never runs: nothing is registered for it.
                  registered at \(#fileID):\(line)
                  fix: register it with `Shared` or `Scoped`.
                """)
        #expect(try container.validate(allowing: [.unansweredOnClose(Pool.self, name: "main")]).isEmpty)
        #expect(try container.validate(allowing: [.unansweredOnClose(Pool.self)]).count == 1)
    }

    @Test("warns of what is registered, and not kept")
    func notKept() throws {
        let registrations: [String: any RegistrationConvertible] = [
            "New": New(Pool()), "Weak": Weak(Pool()), "Graph": Graph(Pool()),
        ]
        for (title, registration) in registrations {
            let finding = try only(
                DIContainer {
                    registration
                    onClose()
                })
            #expect(finding.kind == .unansweredOnClose)
            #expect(finding.description.contains("it is registered with `\(title)`, and not kept."))
        }
        let expecting = DIContainer {
            Expected(Pool.self)
            onClose()
        }
        #expect(try only(expecting).description.contains("nothing is registered for it."))
    }

    @Test("finds nothing wrong with what is kept, also by way of an alias, a decorator or a parent's Scoped")
    func kept() {
        let shared = DIContainer {
            Shared({ _ in Diesel() }, as: (any Engine).self)
            OnClose((any Engine).self) { _ in }
            OnClose(Diesel.self) { _ in }
            Decorate(Diesel.self) { base, _ in base }
            Shared(async: { _ in Pool() })
            onClose()
        }
        #expect(findings(shared).isEmpty)
        let scoped = DIContainer {
            Scoped({ _ in Diesel() }, as: (any Engine).self)
            Scoped { _ in Pool() }
            onClose()
        }
        let child = scoped.makeChild {
            OnClose((any Engine).self) { _ in }
            Decorate(Pool.self) { base, _ in base }
            onClose()
        }
        #expect(findings(scoped).isEmpty && findings(child).isEmpty)
    }

    @Test("warns of what a parent keeps, also under an alias or decorated, and not of the parent's own OnClose")
    func keptByParent() throws {
        let parent = DIContainer {
            Shared(Pool())
            onClose()
        }
        #expect(findings(parent).isEmpty && findings(parent.makeChild()).isEmpty)
        let child = parent.makeChild {
            Decorate(Pool.self) { base, _ in base }
            onClose()
        }
        let finding = try only(child)
        #expect(finding.kind == .unansweredOnClose)
        #expect(finding.description.contains("it is kept by a parent.\n"))
        #expect(finding.description.hasSuffix("fix: write the `OnClose` in that parent."))
        let engines = DIContainer { Shared({ _ in Diesel() }, as: (any Engine).self) }
        #expect(try only(engines.makeChild { OnClose((any Engine).self) { _ in } }).key == "any Engine")
        // What the child registers itself is its own.
        #expect(
            findings(
                parent.makeChild {
                    Shared(Pool())
                    onClose()
                }
            ).isEmpty)
    }

    @Test("closes what it has built, in the child and then in its parents, and not what the container has")
    func closing() async throws {
        let log = Log()
        let parent = DIContainer {
            Shared(async: { _ in Pool() })
            OnClose(Pool.self) { _ in log.add("pool") }
        }
        try await parent.prepare()
        let child = parent.makeChild {
            Scoped { resolve in Unit(pool: resolve()) }
            OnClose(Unit.self) { _ in log.add("unit") }
        }
        #expect(await builtFindings(child).isEmpty)
        #expect(log.all == ["unit", "pool"])
        #expect(child.resolve(Unit.self).pool === parent.resolve(Pool.self))
    }

    @Test("closes once what was awaited, also if another copy has taken it over after a plain fault")
    func closingAfterFault() async {
        let log = Log()
        let container = DIContainer {
            Shared { resolve in Ticket(number: resolve()) }
            Shared(async: { _ in Pool() })
            OnClose(Pool.self) { _ in log.add("pool") }
            Shared { resolve in Unit(pool: resolve()) }
            OnClose(Unit.self) { _ in log.add("unit") }
        }
        #expect(await builtFindings(container).map(\.kind) == [.error(.notRegistered)])
        #expect(log.all == ["unit", "pool"])
    }

    @Test("reports what cannot be closed")
    func failing() async {
        let container = DIContainer {
            Shared(Pool())
            OnClose(Pool.self) { _ in throw Refused() }
            Shared { resolve in Unit(pool: resolve()) }
            OnClose(Unit.self) { _ in throw Refused() }
        }
        #expect(findings(container).isEmpty)
        let found = await builtFindings(container)
        #expect(found.map(\.kind) == [.failedOnClose, .failedOnClose] && found.allSatisfy(\.isError))
        #expect(found.map(\.key) == ["Unit", "Pool"])
        #expect(found.first?.description.hasPrefix("The `OnClose` of Unit failed: Refused()\n  registered at ") == true)
        await #expect(throws: Never.self) { try await container.validate(.building, allowing: [.failedOnClose]) }
    }
}
