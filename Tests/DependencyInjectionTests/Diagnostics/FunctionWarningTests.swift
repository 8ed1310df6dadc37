import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

private final class Detail: Sendable { init(id: Int) {} }
private actor Cache { init(size: Int, path: String) {} }
private func makeDetail() async throws -> Detail { Detail(id: 1) }

@Suite("Warnings of functions that are registered")
struct FunctionWarningTests {
    @Test("warns of an initializer with any parameters")
    func classes() throws {
        let containers = [
            DIContainer { New(Detail.init) },
            DIContainer { Shared(Detail.init) },
            DIContainer { Shared(Cache.init) },
            DIContainer { New({ _ in Detail(id: 1) } as @Sendable (URL) throws -> Detail) },
            DIContainer { Shared({ _ in Wheel() } as @Sendable (Int?) -> Wheel) },
        ]
        for container in containers {
            let finding = try only(container)
            #expect(finding.kind == .missingAutowiring && !finding.isError)
            #expect(
                finding.description.contains(
                    "\n  fix: write `autowiring:` before it\n   or: register it with a name, if you need "
                ))
        }
    }

    @Test("does not warn of named closures and of closures with values of the system")
    func closures() {
        let container = DIContainer {
            New({ number in "\(number)" } as @Sendable (Int) -> String)
            New({ _ in Data() } as @Sendable (URL) -> Data)
            New({ _ in Data() } as @Sendable (Ticket) -> Data)
            New({ _ in Data() } as @Sendable (URL) async throws -> Data)
            New({ _ in Ticket(number: 1) } as @Sendable (Data) throws -> Ticket)
            New({ _ in (1, Ticket(number: 1)) } as @Sendable (Ticket) -> (Int, Ticket))
            New({ detail in { detail } } as @Sendable (Detail) -> @Sendable () -> Detail)
            New({} as @Sendable () async -> Void)
            New({ _ in } as @Sendable (Ticket) -> Void)
            New({ _ in true } as @Sendable (Ticket) -> Bool)
            Shared(Diesel.init)
            Module { New { _ -> @Sendable () -> Ticket in { Ticket(number: 1) } } }
            New({ Ticket(number: 1) } as @Sendable () -> Ticket, name: "maker")
            New({ _ in Wheel() } as @Sendable (Ticket) -> Wheel, name: "named")
            New({ 1 } as @Sendable () async -> Int)
            New({ Detail(id: 1) } as @Sendable () -> Detail)
            New({ number in Detail(id: number) } as @Sendable (Int) -> Detail, name: "maker")
        }
        #expect(findings(container).isEmpty, "\(findings(container))")
    }

    @Test("advises `async:` if an alias forwards to an awaited closure")
    func aliases() async throws {
        let containers = [
            DIContainer { New({ try await makeDetail() }, as: (any Engine).self) },
            DIContainer { New({ try await makeDetail() }, name: "maker", as: (any Engine).self) },
        ]
        for found in [findings(containers[0]), await builtFindings(containers[0])] {
            #expect(found.map(\.kind) == [.error(.typeMismatch), .missingAutowiring], "\(found)")
            #expect(found.allSatisfy { $0.description.contains("\n  fix: write `async:` before it") })
        }
        let named = try only(containers[1])
        #expect(named.kind == .error(.typeMismatch) && named.description.contains("\n  fix: write `async:`"))
        let good = DIContainer {
            New({ try await makeDetail() }, name: "maker", as: Any.self, AnyObject.self, (any Sendable).self)
        }
        #expect(findings(good).isEmpty, "\(findings(good))")
    }

    @Test("warns once of an awaited closure, also when building all, on any actor")
    func awaited() async throws {
        let containers = [
            // The compiler treats the closure as an instance that is isolated to the main actor.
            DIContainer { Shared { try await makeDetail() } },
            DIContainer { New { try await makeDetail() } },
            DIContainer { Shared({ _ in Detail(id: 1) } as @Sendable (Resolver) async -> Detail) },
        ]
        #expect(containers.map { $0.registrations.map(\.isMainActor) } == [[true], [false], [false]])
        for container in containers {
            for found in [findings(container), await builtFindings(container)] {
                #expect(found.map(\.kind) == [.missingAutowiring], "\(found)")
                #expect(try #require(found.first).description.contains("write `async:` before it"))
            }
        }
    }
}
