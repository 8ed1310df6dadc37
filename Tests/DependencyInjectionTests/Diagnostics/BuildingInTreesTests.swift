import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

private enum Login { final class Model: Sendable { init(_ id: Int) {} } }
private enum Profile { final class Model: Sendable { init(_ id: Int) {} } }
private enum Home { struct Settings: Sendable {} }
private enum Office { struct Settings: Sendable {} }
private struct Refused: Error {}
private protocol Shape: Sendable {}
private final class Square: Shape { init(_ id: Int = 0) {} }
private final class Framed: Shape { init(_ base: any Shape) {} }
private final class House: Sendable { init(_ shape: any Shape) {} }
private final class Street: Sendable { init(_ needs: any Sendable) {} }

@Suite("Validation by building: children, aliases and failures")
struct BuildingInTreesTests {
    @Test("builds a parent's registrations in a copy, without the child's registrations")
    func child() async throws {
        let parent = DIContainer {
            Shared(Square() as any Shape)
            Shared { resolve in House(resolve()) }
        }
        let decorating = parent.makeChild {
            Shared(Square() as any Shape)
            Decorate((any Shape).self) { base, resolve in
                _ = resolve(House.self)
                return Framed(base)
            }
        }
        _ = try decorating.resolve.orThrow((any Shape).self)
        #expect(await builtFindings(decorating).isEmpty)
        let other = DIContainer { Shared { resolve in House(resolve()) } }
        let missing = await builtFindings(other.makeChild { Shared(Square() as any Shape) })
        #expect(missing.map(\.kind) == [.error(.notRegistered)] && missing.map(\.key) == ["any Shape"])
    }

    @Test("requests the arguments and the actor of an alias's target")
    func aliases() async {
        let container = DIContainer {
            New({ _, id in Square(id) }, as: (any Shape).self)
            Shared(mainActor: Street(0), as: (any Sendable).self)
        }
        let unchecked = await builtFindings(container)
        #expect(unchecked.map(\.kind) == [.unchecked, .unchecked])
        #expect(unchecked.map(\.key) == ["Square", "Street"])
        let mode = ValidationMode.building(within: .seconds(1_000), includingMainActor: true) {
            $0.type == Square.self ? [1] : nil
        }
        #expect(await builtFindings(container, mode).isEmpty)
        let child = DIContainer {
            Shared(mainActor: Square() as any Shape)
            Decorate((any Shape).self) { base, _ in Framed(base) }
        }.makeChild()
        #expect(child.registrations.map(\.isMainActor) == [true])
        #expect(await builtFindings(child).map(\.kind) == [.unchecked])
    }

    @Test("distinguishes types with the same name")
    func names() async {
        let container = DIContainer {
            New { _, id in Login.Model(id) }
            New { _, id in Profile.Model(id) }
            Shared { _ -> Home.Settings in throw Refused() }
            Shared { _ -> Office.Settings in throw Refused() }
        }
        let kinds = await builtFindings(container).map(\.kind)
        #expect(kinds == [.error(.factoryFailed), .error(.factoryFailed), .unchecked])
    }

    @Test("finds the same faults in a canceled task")
    func canceled() async {
        let container = DIContainer { Shared { _ -> Square in throw Refused() } }
        let task = Task { () -> [ValidationFinding] in
            while !Task.isCancelled { await Task.yield() }
            return await builtFindings(container)
        }
        task.cancel()
        #expect(await task.value.map(\.kind) == [.error(.factoryFailed)])
    }

    @Test("reports an asynchronous factory that cancels its own task")
    func givesUp() async {
        let container = DIContainer {
            Shared(async: { _ -> Square in
                withUnsafeCurrentTask { $0?.cancel() }
                throw CancellationError()
            })
        }
        #expect(await builtFindings(container).map(\.kind) == [.error(.factoryFailed)])
    }

    @Test("builds awaited types first, and again after a fault, in any order")
    func order() async {
        let container = DIContainer {
            Shared { resolve in House(resolve()) }
            Shared { resolve in Street(resolve(Home.Settings.self)) }
            New { resolve in Login.Model(resolve(name: "number")) }
            Shared(async: { _ in Square() as any Shape })
            Shared { resolve in Framed(resolve()) }
        }
        let found = await builtFindings(container)
        #expect(found.map(\.key) == ["Home.Settings", "Int named \"number\""], "\(found)")
    }

    @Test("accepts the longest possible time limit")
    func never() async {
        let container = DIContainer { Shared(Square()) }
        #expect(await builtFindings(container, .building(within: .seconds(Int64.max))).isEmpty)
    }

    private struct Part: Sendable { let container: DIContainer }

    @Test("builds a factory's child of the current container with all its parents")
    func childOfCurrent() async throws {
        let app = DIContainer { Shared(Ticket(number: 1)) }
        let middle = app.makeChild {
            Shared { _ in
                Part(
                    container: DIContainer.current.makeChild {
                        Shared { resolve in "\(try resolve.orThrow(Ticket.self).number)" }
                    })
            }
        }
        let child = try middle.resolve.orThrow(Part.self).container
        #expect(try child.resolve.orThrow(String.self) == "1")
        #expect(await builtFindings(child).isEmpty)
    }
}
