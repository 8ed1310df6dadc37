import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

private enum First { struct Missing: Sendable {} }
private enum Second { struct Missing: Sendable {} }
private final class Part<Number>: Sendable { init(_ needs: (any Sendable)? = nil) {} }
private struct Attempt: Error { let number: Int }
private protocol Shape: Sendable {}
private final class Square: Shape { init(_ id: Int = 0) {} }
private final class House: Sendable { init(_ shape: any Shape) {} }

@Suite("The report of validation by building")
struct BuildingReportTests {
    @Test("distinguishes missing types with the same name if one of them is declared")
    func names() async {
        let found = await builtFindings(
            DIContainer {
                New(autowiring: { (_: First.Missing) in Part<Int>() })
                New { resolve in Part<String>(try resolve.orThrow(Second.Missing.self)) }
            })
        #expect(found.map(\.kind) == [.error(.notRegistered), .error(.notRegistered)])
    }

    @Test("reports a fault behind an alias once, as a dependency and as a failure")
    func aliases() async {
        let mismatch = DIContainer {
            New({ _, id in Square(id) }, as: (any Shape).self)
            New(autowiring: House.init)
        }
        let mainActor = DIContainer {
            New(mainActor: { _ in Square(1) }, as: (any Shape).self)
            New(autowiring: House.init)
        }
        let asynchronous = DIContainer {
            New(async: { _ in Square(1) }, as: (any Shape).self)
            New(autowiring: House.init)
        }
        let expected: [(DIContainer, ResolutionError.Reason)] = [
            (mismatch, .argumentMismatch), (mainActor, .mainActorRequired), (asynchronous, .asyncRequired),
        ]
        for (container, reason) in expected {
            let found = await builtFindings(container)
            #expect(found.count { $0.kind == .error(reason) } == 1, "\(found)")
        }
    }

    @Test("reports a failure once, at the registration whose factory failed")
    func failures() async {
        let attempts = Counter()
        let line: UInt = #line + 3
        let container = DIContainer {
            Shared { resolve in Part<Int>(try resolve.orThrow(Square.self)) }
            Shared { _ -> Square in throw Attempt(number: attempts.increment()) }
            Shared { resolve in Part<String>(try resolve.orThrow(Square.self)) }
            Weak { _ in 7 as any Sendable }
            Shared { resolve in Part<Bool>(try resolve.orThrow((any Sendable).self)) }
        }
        let found = await builtFindings(container)
        #expect(found.map(\.kind) == [.error(.factoryFailed), .error(.weakValueType)], "\(found)")
        #expect(found.map(\.line) == [line, line + 2] && found.map(\.path.last?.line) == [line, line + 2])
        #expect(attempts.count == 3)
    }

    @Test("distinguishes faults of one type by container and by request")
    func differentFaults() async {
        let parent = DIContainer {
            Shared { _ -> Square in throw Attempt(number: 1) }
            Shared { resolve in Part<Int>(try resolve.orThrow(Square.self)) }
        }
        let child = parent.makeChild { Shared { _ -> Square in throw Attempt(number: 2) } }
        #expect(await builtFindings(child).map(\.kind) == [.error(.factoryFailed), .error(.factoryFailed)])
        let mismatches = DIContainer {
            New { (_, id: Int) in Square(id) }
            Shared { resolve in Part<Int>(try resolve.orThrow(Square.self, arguments: "a")) }
            Shared { resolve in Part<String>(try resolve.orThrow(Square.self, arguments: 1, 2)) }
        }
        #expect(await builtFindings(mismatches).count { $0.kind == .error(.argumentMismatch) } == 2)
    }

    @Test("reports each plain factory that requests a New(async:)")
    func usersOfAwaited() async {
        let found = await builtFindings(
            DIContainer {
                New(async: { _ in Square(1) })
                New(autowiring: { (_: Square) in Part<Int>() })
                New { resolve in Part<String>(try resolve.orThrow(Square.self)) }
            })
        let lines = Set(found.filter { $0.kind == .error(.asyncRequired) }.map(\.path.first?.key))
        #expect(lines.count == 2, "\(found)")
    }
}
