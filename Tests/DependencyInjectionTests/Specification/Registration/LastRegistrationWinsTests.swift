import DependencyInjectionDiagnostics
import Foundation
import Testing

@testable import DependencyInjection

@Suite("Rule 1: The last registration wins", .mayHang, .ownThread)
struct LastRegistrationTests {
    @Test("Names with equal texts are equal, even if one is composed or has a Unicode twin of an ASCII character")
    func canonicalEquivalence() throws {
        let pairs: KeyValuePairs<RegistrationName, RegistrationName> = [
            // The kelvin sign is equivalent to the letter K.
            "caf\u{e9}": "cafe\u{301}", "10 K": "10 \u{212a}", "a;": "a\u{37e}", "`b": "\u{1fef}b",
        ]
        for (first, second) in pairs {
            let names = [first, second, RegistrationName(first.rawValue), RegistrationName(second.rawValue)]
            #expect(first.rawValue == second.rawValue && names.allSatisfy { $0 == first }, "\(first)")
            #expect(first.hashValue == second.hashValue && Set(names).count == 1, "\(first)")
            let container = DIContainer {
                Shared(Ticket(number: 1), name: first)
                Shared("text", name: second)
            }
            #expect(try container.resolve.orThrow(Ticket?.self, name: second)?.number == 1, "\(first)")
            #expect(try container.resolve.orThrow(String?.self, name: first) == "text", "\(first)")
            container.register(Shared(Ticket(number: 2), name: second))
            #expect(try container.resolve.orThrow(Ticket.self, name: first).number == 2, "\(first)")
            #expect(try container.resolve.orThrow.all(Ticket.self).map(\.number) == [2], "\(first)")
        }
    }

    @Test("Names with different texts are different, even if they look alike")
    func differences() throws {
        #expect(RegistrationName("cafe") != RegistrationName("caf\u{e9}"))
        #expect(RegistrationName("Caf\u{e9}") != RegistrationName("caf\u{e9}"))
        #expect(RegistrationName("") != RegistrationName("\u{0}"))
        let container = DIContainer {
            Shared("unnamed")
            Shared("empty", name: "")
        }
        #expect(try container.resolve.orThrow(String.self) == "unnamed")
        #expect(try container.resolve.orThrow(String.self, name: "") == "empty")
        // A Latin and a Cyrillic letter.
        #expect(RegistrationName("a") != RegistrationName("\u{430}"))
    }

    @Test("Two names with the same hash are different")
    func namesOfOneHash() throws {
        let first = RegistrationName(hash: 42, rawValue: "first")
        let second = RegistrationName(hash: 42, rawValue: "second")
        #expect(first != second && Set([first, second]).count == 2)
        let container = DIContainer {
            Shared("first", name: first)
            Shared("second", name: second)
        }
        #expect(try container.resolve.orThrow(String.self, name: first) == "first")
        #expect(try container.resolve.orThrow(String.self, name: second) == "second")
        container.unregister(String.self, name: first)
        #expect(!container.isRegistered(String.self, name: first))
        #expect(try container.resolve.orThrow(String?.self, name: first) == nil)
        #expect(try container.resolve.orThrow(String.self, name: second) == "second")
        container.register(Shared("again", name: first))
        #expect(try container.resolve.orThrow.all(String.self) == ["second", "again"])
    }

    // MARK: Renewal by a value

    @Test("During a renewal, requests get the old or a newer value and never fail")
    func withoutGap() async throws {
        let container = DIContainer { Shared(async: { _ in Ticket(number: 0) }) }
        try await container.prepare()
        let containers = [container, container.makeChild()]
        let isFine = reading(on: 2) {
            for version in 1...500 { container.register(Shared(Ticket(number: version))) }
        } _: { index in
            let versions = (0..<2).map { _ in (try? containers[index - 1].resolve.orThrow(Ticket.self).number) ?? -1 }
            return versions[0] >= 0 && versions[0] <= versions[1]
        }
        #expect(isFine)
        #expect(containers.map { $0.resolve(Ticket.self).number } == [500, 500])
    }

    // MARK: Replacements in a parent, or in a container nearer to a child, while the child builds

    @Test("A parent's change during a child's build applies at the next request, which waits for no build")
    func childFollows() throws {
        let pair = ParentAndChild()
        let (parent, child) = (pair.parent, pair.child)
        let kinds = whileBuilding(in: child) {
            parent.register {
                Shared(Diesel(kind: "new"), as: (any Engine).self)
                Scoped(Ticket(number: 2))
                Shared("new")
                Shared(7)
            }
            let sum = parent.resolve(Int.self) + child.resolve(Int.self)
            return [parent.resolve(Diesel.self).kind, parent.resolve((any Engine).self).kind, "\(sum)"]
        }
        #expect(kinds == ["new", "new", "14"])
        #expect(try child.resolve.orThrow(Diesel.self).kind == "new")
        #expect(try child.resolve.orThrow((any Engine).self).kind == "new")
        #expect(try child.resolve.orThrow(Ticket.self).number == 2)
        #expect(try child.resolve.orThrow(String.self) == "new")
    }

    @Test("A child caches nothing of a registration removed or overridden during its build", arguments: [false, true])
    func changedDuringBuild(isOverridden: Bool) throws {
        let top = DIContainer()
        let middle = top.makeChild()
        top.register {
            Shared(1)
            Scoped { [weak top, weak middle] resolve in
                if isOverridden {
                    middle?.register(Scoped(Diesel(kind: "middle")))
                } else {
                    top?.unregister(Diesel.self)
                }
                // This request detects the change before the instance is cached.
                _ = resolve(Int.self)
                return Diesel(kind: "top")
            }
        }
        let child = middle.makeChild()
        weak let old = try child.resolve.orThrow(Diesel.self)
        #expect(old == nil)
        #expect(try child.resolve.orThrow(Diesel?.self)?.kind == (isOverridden ? "middle" : nil))
    }

    @Test("An asynchronous build that was overridden is not cached")
    func overriddenDuringAsyncBuild() async throws {
        let build = Latch()
        let top = DIContainer {
            Shared(1)
            Scoped(async: { _ in try await build.opening(returning: Diesel(kind: "top")) })
        }
        let middle = top.makeChild()
        let child = middle.makeChild()
        let task = Task { try await child.resolve.async(Diesel.self).kind }
        await build.isReached()
        middle.register(Scoped(Diesel(kind: "middle")))
        #expect(try child.resolve.orThrow(Int.self) == 1)
        build.open()
        #expect(try await task.value == "middle")
        let log = EventLog(child)
        child.resetInstances()
        #expect(log.events.filter { $0.kind == .released }.count == 1)
    }

    // MARK: Replacements in a parent after the child has built

    typealias Replacement = Row<@Sendable (DIContainer) -> Void>

    static let replacements = [
        Replacement("a Scoped") { $0.register(Scoped(Diesel(kind: "new"))) },
        Replacement("a Shared") { $0.register(Shared(Diesel(kind: "new"))) },
        Replacement("a Shared that is built") { parent in
            parent.register(Shared(Diesel(kind: "new")))
            _ = parent.resolve(Diesel.self)
        },
        Replacement("a Weak") { $0.register(Weak(Diesel(kind: "new"))) },
        Replacement("a New") { $0.register(New(Diesel(kind: "new"))) },
        Replacement("a Graph") { $0.register(Graph(Diesel(kind: "new"))) },
        Replacement("nothing") { $0.unregister(Diesel.self) },
        Replacement("a reset") { $0.reset() },
    ]

    @Test("A child releases a replaced Scoped with its successor or with itself", arguments: replacements)
    func replacedByAnything(_ replacement: Replacement) throws {
        let parent = DIContainer { Scoped(Diesel(kind: "old")) }
        var child: DIContainer? = parent.makeChild().makeChild { Shared(1) }
        weak let old = try child?.resolve.orThrow(Diesel.self)
        #expect(old?.kind == "old")
        replacement.value(parent)
        #expect(old != nil, "the parent has changed its child")
        let kind = parent.isRegistered(Diesel.self) ? "new" : nil
        #expect(try child?.resolve.orThrow(Diesel?.self)?.kind == kind)
        // The child caches no other successor.
        #expect((old == nil) == (parent.registrations.first?.lifetime == .scoped))
        #expect(try child?.resolve.orThrow(Diesel?.self)?.kind == kind)
        child = nil
        #expect(old == nil)
    }

    @Test("A child releases a parent's Scoped when it registers the type itself")
    func overriddenInChild() throws {
        let parent = DIContainer { Scoped(Diesel(kind: "old")) }
        let child = parent.makeChild()
        weak let old = try child.resolve.orThrow(Diesel.self)
        child.register(Shared(Diesel(kind: "own")))
        #expect(old == nil)
        #expect(try child.resolve.orThrow(Diesel.self).kind == "own")
    }

    @Test("A parent's change leaves a child's instances of other registrations alone")
    func othersStay() throws {
        let parent = DIContainer {
            Scoped(Diesel(kind: "scoped"))
            Shared(Car(engine: Diesel()))
        }
        let child = parent.makeChild()
        let (scoped, shared) = try (child.resolve.orThrow(Diesel.self), child.resolve.orThrow(Car.self))
        parent.register(Shared(1))
        #expect(try child.resolve.orThrow(Int.self) == 1)
        parent.register(Shared("new"))
        #expect(try child.resolve.orThrow(Car.self) === shared && child.resolve.orThrow(Diesel.self) === scoped)
        parent.resetInstances()
        #expect(try child.resolve.orThrow(Diesel.self) === scoped)
    }

    // MARK: Replacements in a parent while a request to the child waits for the child's queue

    @Test("A child caches nothing of a registration that is replaced while it waits", arguments: [false, true])
    func replacedWhileWaiting(isBuiltBefore: Bool) throws {
        let parent = DIContainer {
            Scoped(Diesel(kind: "old"))
            Scoped(Ticket(number: 1))
        }
        let child = parent.makeChild()
        weak let old = isBuiltBefore ? child.resolve(Diesel.self) : nil
        let request = whileBuilding(in: child) {
            let request = BackgroundThread {
                isBuiltBefore ? "\(child.resolve(Ticket.self).number)" : child.resolve(Diesel.self).kind
            }
            #expect(eventually { child.hasWaitingThread })
            parent.register(Scoped(Diesel(kind: "new")))
            return request
        }
        #expect(request?.result() == (isBuiltBefore ? "1" : "new"))
        #expect(try child.resolve.orThrow(Diesel.self).kind == "new")
        #expect(old == nil)
    }
}
