import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

private final class Part: Sendable { init(_ needs: Missing? = nil) {} }
private final class Missing: Sendable {}

extension ExitTests {
    @Suite("Validation by building, if a plain request stops the thread or program") struct StoppedThreadTests {}
}

extension ExitTests.StoppedThreadTests {
    @Test("an asynchronous factory's plain request stops the program with the findings")
    func asynchronousPlainFault() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let container = DIContainer {
                    Shared(async: { resolve in
                        try await Task.sleep(for: .milliseconds(1))
                        return Part(resolve(Missing.self))
                    })
                }
                try await container.validate(.building)
            })
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("Fatal error: Validating Part  (registered at \(#fileID):"))
        #expect(text.contains("stops here, because a plain request failed.\nNothing is registered for Missing."))
    }

    @Test("a plain request in a factory's task stops the program and blocks no pool thread")
    func plainFaultInTask() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let container = DIContainer {
                    Shared(async: { resolve in
                        await Task { Part(resolve(Missing.self)) }.value
                    })
                }
                try await container.validate(.building)
            })
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("Nothing is registered for Missing."))
    }

    @Test("after 100 failed plain requests, reports that the search ended")
    func tooManyFaults() async throws {
        // In a process of its own, because each fault blocks a thread.
        await #expect(processExitsWith: .success) {
            let built = Counter()
            let container = DIContainer {
                for number in 0..<110 {
                    Shared(
                        { resolve in
                            built.increment()
                            return Part(resolve(Missing.self, name: .init("\(number)")))
                        }, name: .init("\(number)"))
                }
            }
            let found = await builtFindings(container)
            #expect(built.count == 100)
            #expect(found.map(\.kind) == Array(repeating: .error(.notRegistered), count: 100) + [.unchecked])
            let end = try #require(found.last)
            #expect(
                end.description.hasPrefix(
                    "100 builds have each blocked a thread permanently. So 10 registrations, Part named \"100\" among them, "
                        + "were not built."))
        }
    }
}
