import DependencyInjection
import Foundation
import Testing

@Suite("Rule C6: Main-actor types stay on the main actor", .mayHang, .ownThread)
struct MainActorTests {
    @Test("build and resolve on the main actor, Shared once and New each time")
    @MainActor func onMainActor() throws {
        let container = DIContainer {
            Shared(mainActor: Window(title: "shared"), as: (any Showing).self)
            New(mainActor: { resolve, title in Window(title: title + resolve(Window.self).title) }, name: "new")
        }
        #expect(try container.resolve.orThrow(Window.self) === container.resolve.orThrow(Window.self))
        let window: Window = try container.resolve.orThrow("a ", name: "new")
        #expect(window.title == "a shared")
        #expect(try container.resolve.orThrow((any Showing).self) === container.resolve.orThrow(Window.self))
        #expect(try container.resolve.orThrow(Window?.self)?.title == "shared")
        @LazyInject(from: container) var lazy: Window
        #expect(lazy.title == "shared")
    }

    @Test("build and resolve inside a synchronous call of another queue, as Swift permits")
    @MainActor func insideQueue() async throws {
        let container = DIContainer {
            Shared(mainActor: Window(title: "shared"))
            New(mainActor: { _, title in Window(title: title) }, name: "new")
        }
        let (outer, inner) = (DispatchQueue(label: "outer"), DispatchQueue(label: "inner"))
        try outer.sync {
            MainActor.assumeIsolated {}
            let window = try container.resolve.orThrow(Window.self)
            #expect(window.title == "shared")
            try inner.sync {
                MainActor.assumeIsolated {}
                let window = try container.resolve.orThrow(Window.self, name: "new", arguments: "new")
                #expect(window.title == "new")
            }
        }
        // Off the main actor, the same call is an error.
        let kind = await Task.detached {
            outer.sync { failure { _ = try container.resolve.orThrow(Window.self) }?.kind }
        }.value
        #expect(kind == "mainActorRequired")
    }

    @Test("are an error off the main actor, in every form, before and after the build")
    func offMainActor() async throws {
        let parent = DIContainer {
            Shared(mainActor: Window(), as: (any Showing).self)
            New(mainActor: { _, title in Window(title: title) }, name: "new")
            Shared(autowiring: { (window: Dependent<Window>) in Ticket(number: 1) })
            New(autowiring: { (window: Window) in Dependent(window) })
            // A plain decorator wraps a main-actor type.
            Shared(mainActor: Diesel(), as: (any Engine).self)
            Decorate((any Engine).self) { base, _ in base }
            Decorate(Diesel.self) { base, _ in base }
        }
        let child = parent.makeChild()
        let requests: KeyValuePairs<String, @Sendable () throws -> Void> = [
            "the type": { _ = try parent.resolve.orThrow(Window.self) },
            "an alias": { _ = try parent.resolve.orThrow((any Showing).self) },
            "an Optional": { _ = try parent.resolve.orThrow(Window?.self) },
            "a New with an argument": { _ = try parent.resolve.orThrow(Window.self, name: "new", arguments: "x") },
            "a plain type that depends on it": { _ = try parent.resolve.orThrow(Ticket.self) },
            "a decorated alias": { _ = try parent.resolve.orThrow((any Engine).self) },
            "a child's request for a decorated type": { _ = try child.resolve.orThrow(Diesel.self) },
            "a child's request for a decorated alias": { _ = try child.resolve.orThrow((any Engine).self) },
        ]
        for isBuilt in [false, true] {
            if isBuilt {
                await MainActor.run {
                    _ = (parent.resolve((any Showing).self), parent.resolve(Window.self))
                    _ = (parent.resolve((any Engine).self), child.resolve(Diesel.self))
                    _ = child.resolve((any Engine).self)
                }
            }
            for (row, request) in requests {
                let kind = await Task.detached { failure(request)?.kind }.value
                #expect(kind == "mainActorRequired", "\(row), is built: \(isBuilt)")
            }
        }
    }

    @Test("are built on the main thread after nested waits for other threads")
    func waitInsideWait() async {
        let (upper, lower) = (Latch(), Latch())
        let parent = DIContainer {
            Shared(name: "slow") { _ in upper.wait(returning: Ticket(number: 0)) }
            Shared(Ticket(number: 1))
        }
        let child = parent.makeChild {
            Shared(name: "slow") { _ in lower.wait(returning: Ticket(number: 0)) }
            Shared(mainActor: Diesel(), as: (any Engine).self)
            Shared { resolve in
                _ = resolve(Ticket.self)
                return Car(engine: try resolve.orThrow())
            }
        }
        let threads = [parent, child].map { container in
            BackgroundThread { _ = container.resolve(Ticket.self, name: "slow") }
        }
        await upper.isReached()
        await lower.isReached()
        let ending = BackgroundThread {
            // The main thread waits for the child first, and then for the parent.
            #expect(eventually { child.hasWaitingThread })
            lower.open()
            #expect(eventually { parent.hasWaitingThread })
            upper.open()
        }
        let kind = await MainActor.run { failure { _ = try child.resolve.orThrow(Car.self) }?.kind }
        #expect(kind == nil)
        for thread in threads + [ending] { _ = thread.result() }
    }
}
