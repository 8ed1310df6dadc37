import DependencyInjection
import DependencyInjectionTesting
import Testing

private protocol Logger: Sendable {}
private final class FileLogger: Logger {}
private struct Framed: Logger { let base: any Logger }
private final class Cache: Sendable {}
private struct Draft {}

private let framing = Module { Decorate((any Logger).self) { base, _ in Framed(base: base) } }
private let root = DIContainer {
    Shared(FileLogger() as any Logger)
    Scoped(Cache())
    New(Draft())
}
private let child = DIContainer { Shared(FileLogger() as any Logger) }.makeChild { framing }
private let expecting = DIContainer { ProvidedByChild(Cache.self) }
private let aliased = DIContainer {
    Shared(FileLogger(), as: (any Logger).self)
    framing
}

@Suite("Strict tests of children and decorators", .collectsExpectedIssues)
struct StrictTreeTests {
    @Test("Decorators that a child had before the test are included", .dependencies(.strict(from: child)))
    func decoratedInChild() {
        let issues = issues { #expect(DIContainer.resolve((any Logger).self) is Framed) }
        #expect(issues.texts.count == 1)
    }

    @Test(
        "A request for a decorated alias is recorded, even if it is already built",
        .dependencies(.strict(from: aliased)))
    func decoratedAlias() {
        let issues = issues {
            _ = DIContainer.resolve((any Logger).self)
            _ = DIContainer.resolve((any Logger).self)
        }
        #expect(issues.texts.count == 2)
    }

    @Test(
        "A child of the test records each request, even for built instances",
        .dependencies(.strict(from: root)))
    func childOfTest() {
        let child = DIContainer.current.makeChild()
        let requests: KeyValuePairs<String, (UInt) -> Void> = [
            "Cache": { line in _ = child.resolve(Cache.self, line: line) },
            "Draft": { line in _ = child.resolve(Draft.self, line: line) },
            "any Logger": { line in _ = child.resolve((any Logger).self, line: line) },
        ]
        for (row, request) in requests {
            let issues = issues {
                request(1)
                request(2)
            }
            #expect(issues.texts.count == 2, "\(row)")
        }
    }

    @Test("Rule 22: a type provided by a child of the test is ignored", .dependencies(.strict(from: expecting)))
    func providedByChild() throws {
        let container = DIContainer.current
        let issues = issues {
            _ = container.makeChild { Shared(Cache()) }.resolve(Cache.self)
            #expect(container.resolve(Cache?.self) == nil)
        }
        #expect(issues.texts.isEmpty)
        let error = #expect(throws: ResolutionError.self) { try container.resolve.orThrow(Cache.self) }
        #expect(error?.description.contains("which a child has to register.") == true)
    }
}
