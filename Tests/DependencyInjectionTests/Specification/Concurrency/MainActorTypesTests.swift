import DependencyInjection
import Foundation
import Testing

@Suite("Rule C6: Main-actor types stay on the main actor", .mayHang, .ownThread)
struct MainActorTests {
    @MainActor final class Window {
        let title: String
        nonisolated(unsafe) var plain = 0
        init(title: String = "untitled") { self.title = title }
    }
    @MainActor protocol Showing: AnyObject { var title: String { get } }
    @MainActor final class Panel: @MainActor Showing {
        let title = "panel"
    }

    @Test("build and resolve on the main actor, Shared once and New each time")
    @MainActor func onMainActor() throws {
        let container = DIContainer {
            Shared(mainActor: Window(title: "shared"))
            New(mainActor: { resolve, title in Window(title: title + resolve(Window.self).title) }, name: "new")
            Shared(mainActor: Panel(), as: (any Showing).self)
        }
        #expect(try container.resolve.orThrow(Window.self) === container.resolve.orThrow(Window.self))
        let window: Window = try container.resolve.orThrow("a ", name: "new")
        #expect(window.title == "a shared")
        #expect(try container.resolve.orThrow((any Showing).self) === container.resolve.orThrow(Panel.self))
        #expect(try container.resolve.orThrow(Window?.self)?.title == "shared")
        @LazyInject(from: container) var lazy: Window
        #expect(lazy.title == "shared")
    }

    @Test("build and resolve inside a synchronous call of another queue, as Swift permits")
    @MainActor func insideQueue() throws {
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
    }

    @Test("are an error inside a synchronous call of another queue off the main actor")
    func insideQueueOffMainActor() async {
        let container = DIContainer { Shared(mainActor: Window()) }
        _ = await MainActor.run { container.resolve(Window.self).title }
        let kind = await Task.detached {
            DispatchQueue(label: "outer").sync { failure { _ = try container.resolve.orThrow(Window.self) }?.kind }
        }.value
        #expect(kind == "mainActorRequired")
    }

    @Test("are released by a reset and by an override")
    @MainActor func released() throws {
        let container = DIContainer { Shared(mainActor: Window()) }
        weak var window = try container.resolve.orThrow(Window.self)
        container.resetInstances()
        #expect(window == nil)
        window = try container.resolve.orThrow(Window.self)
        container.register(Shared(mainActor: Window(title: "other")))
        #expect(window == nil)
    }

    @Test("are an error off the main actor, in every form, before and after the build")
    func offMainActor() async throws {
        let container = DIContainer {
            Shared(mainActor: Panel(), as: (any Showing).self)
            New(mainActor: { _, title in Window(title: title) })
            Shared(autowiring: { (panel: UncheckedBox<Panel>) in Ticket(number: 1) })
            New(autowiring: { (panel: Panel) in UncheckedBox(panel) })
        }
        func kinds() async -> [String?] {
            await Task.detached {
                [
                    failure { _ = try container.resolve.orThrow(Panel.self) }?.kind,
                    failure { _ = try container.resolve.orThrow((any Showing).self) }?.kind,
                    failure { _ = try container.resolve.orThrow(Panel?.self) }?.kind,
                    failure { _ = try container.resolve.orThrow(Window.self, arguments: "x") }?.kind,
                    failure { _ = try container.resolve.orThrow(Ticket.self) }?.kind,
                ]
            }.value
        }
        let expected = Array(repeating: "mainActorRequired", count: 5)
        #expect(await kinds() == expected)
        await MainActor.run {
            _ = container.resolve((any Showing).self)
            _ = container.resolve(Panel.self)
        }
        #expect(await kinds() == expected)
    }

    @Test("are an error off the main actor even if a plain decorator wraps them")
    func plainDecorator() async {
        let parent = DIContainer {
            Shared(mainActor: Diesel(), as: (any Engine).self)
            Decorate((any Engine).self) { base, _ in base }
            Decorate(Diesel.self) { base, _ in base }
        }
        let child = parent.makeChild()
        for round in 0..<2 {
            let kinds = await Task.detached {
                [
                    failure { _ = try parent.resolve.orThrow((any Engine).self) }?.kind,
                    failure { _ = try child.resolve.orThrow(Diesel.self) }?.kind,
                    failure { _ = try child.resolve.orThrow((any Engine).self) }?.kind,
                ]
            }.value
            #expect(kinds == Array(repeating: "mainActorRequired", count: 3), "round \(round)")
            await MainActor.run {
                _ = parent.resolve((any Engine).self)
                _ = (child.resolve(Diesel.self), child.resolve((any Engine).self))
            }
        }
    }

    @Test("are built on the main thread after nested waits for other threads")
    func waitInsideWait() async {
        /// A thread that holds the queue of a container until it may end.
        final class Holding: Sendable {
            let (began, mayEnd) = (Latch(), Latch())

            var registration: Shared<Ticket> {
                Shared(name: "slow") { [began, mayEnd] _ in
                    began.open()
                    mayEnd.wait()
                    return Ticket(number: 0)
                }
            }

            func begin(in container: DIContainer) -> BackgroundThread<Void> {
                let thread = BackgroundThread { _ = container.resolve(Ticket.self, name: "slow") }
                began.wait()
                return thread
            }
        }
        let (upper, lower) = (Holding(), Holding())
        let parent = DIContainer {
            upper.registration
            Shared(Ticket(number: 1))
        }
        let child = parent.makeChild {
            lower.registration
            Shared(mainActor: Diesel(), as: (any Engine).self)
            Shared { resolve in
                _ = resolve(Ticket.self)
                return Car(engine: try resolve.orThrow())
            }
        }
        let threads = [upper.begin(in: parent), lower.begin(in: child)]
        let ending = BackgroundThread {
            // The main thread waits for the child first, and then for the parent.
            for (holding, container) in [(lower, child), (upper, parent)] {
                container.untilThreadWaits()
                holding.mayEnd.open()
            }
        }
        let kind = await MainActor.run { failure { _ = try child.resolve.orThrow(Car.self) }?.kind }
        #expect(kind == nil)
        for thread in threads + [ending] { _ = thread.result() }
    }
}
