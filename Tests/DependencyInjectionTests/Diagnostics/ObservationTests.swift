import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

@Suite("Observing a container", .mayHang, .ownThread)
struct ObservationTests {
    @Test("reports registering, replacing, building, releasing and resetting, in order")
    func events() throws {
        let container = DIContainer()
        let log = EventLog(container)
        let line: UInt = #line + 2
        container.register {
            Shared(Diesel() as any Engine)
            Shared(autowiring: Car.init)
            New(Ticket(number: 1))
            Decorate(Ticket.self) { base, _ in base }
        }
        #expect(log.texts == ["registered any Engine", "registered Car", "registered Ticket", "registered Ticket"])
        _ = try container.resolve.orThrow(Car.self)
        let built = log.events
        #expect(built.map(\.kind) == [.building, .building, .built, .built])
        #expect(built.map { $0.path.map(\.line) } == [[line + 1], [line + 1, line], [line + 1, line], [line + 1]])
        #expect(built.map { $0.registration?.line } == [line + 1, line, line, line + 1])
        #expect(built[0].duration == nil && built[3].duration! >= built[2].duration! && built[2].duration! > .zero)
        _ = try container.resolve.orThrow(Car.self)
        _ = try container.resolve.orThrow((any Engine).self)
        #expect(log.events.isEmpty)
        _ = try container.resolve.orThrow(Ticket.self)
        #expect(log.texts == ["building Ticket", "built Ticket"])
        let later: UInt = #line + 1
        container.register(Shared(Diesel() as any Engine))
        let replaced = log.events
        #expect(replaced.map(\.kind) == [.released, .replaced])
        // No build is running.
        #expect(replaced.allSatisfy { $0.path.isEmpty && $0.registration?.type == (any Engine).self })
        #expect(replaced[1].replaced?.line == line && replaced[1].registration?.line == later)
        #expect(replaced[1].description.hasSuffix("in place of the registration at \(#fileID):\(line)"))
        container.resetInstances()
        #expect(log.texts == ["released Car", "reset"])
        container.reset()
        #expect(log.texts == ["reset"])
        container.register(New(1))
        #expect(log.texts == ["registered Int"])
        // These operations are not reported.
        #expect(try container.resolve.orThrow((any Starter)?.self) == nil)
        container.unregister(Int.self)
        #expect(log.events.isEmpty)
    }

    /// A change that releases all instances.
    typealias Release = Row<@Sendable (DIContainer) async throws -> Void>

    static let releases = [
        Release("reset()") { $0.reset() },
        Release("resetInstances()") { $0.resetInstances() },
        Release("close()") { try await $0.close() },
    ]

    @Test("Rules 3, 20: The release of the instance that was built last is reported first", arguments: releases)
    func isReported(_ release: Release) async throws {
        let parent = DIContainer { Scoped("built fourth") }
        let child = parent.makeChild {
            Shared(autowiring: Car.init)
            Shared(Ticket(number: 3))
            Shared(Diesel() as any Engine)
        }
        let log = EventLog(child)
        _ = try (
            child.resolve.orThrow(Car.self), child.resolve.orThrow(Ticket.self), child.resolve.orThrow(String.self)
        )
        try await release.value(child)
        let released = log.texts.filter { $0.hasPrefix("released") }
        #expect(released == ["released String", "released Ticket", "released Car", "released any Engine"])
    }

    @Test("reports failures with the error, and every New, with arguments and by alias")
    func failures() throws {
        let container = DIContainer {
            New { _, number in Ticket(number: number) }
            New(Diesel(), as: (any Engine).self)
            Shared { _ -> Car in throw Sabotage() }
            New { resolve in Unit(pool: try resolve.orThrow()) }
        }
        _ = try container.resolve.orThrow(Ticket.self, arguments: 1)
        let log = EventLog(container)
        _ = try container.resolve.orThrow(Ticket.self, arguments: 2)
        _ = try container.resolve.orThrow((any Engine).self)
        #expect(log.texts == ["building Ticket", "built Ticket", "building Diesel", "built Diesel"])
        #expect(failure { _ = try container.resolve.orThrow(Car.self) } != nil)
        let events = log.events
        #expect(events.map(\.kind) == [.building, .failed])
        #expect(events[1].error is Sabotage && events[1].duration != nil)
        #expect(container.error(of: Unit.self) != nil)
        // An error is reported in one line.
        #expect(log.events.last?.description.hasSuffix(": Nothing is registered for Pool.") == true)
    }

    @Test("reports that the container becomes current")
    func current() {
        let container = DIContainer()
        let log = EventLog(container)
        DIContainer.withContainer(container) {}
        #expect(log.texts == ["made current"])
    }

    @Test("reports only its own container, also for awaited and failed builds of a child")
    func ownContainer() async throws {
        let parent = DIContainer {
            Shared(Diesel() as any Engine)
            Scoped(autowiring: Car.init)
            Scoped(async: { _ in Ticket(number: 1) })
            Scoped(async: { _ -> Diesel in throw Sabotage() })
        }
        let log = EventLog(parent)
        let (child, fork) = (parent.makeChild(), parent.fork())
        let (ofChild, ofFork) = (EventLog(child), EventLog(fork))
        _ = try child.resolve.orThrow(Car.self)
        #expect(log.texts == ["building any Engine", "built any Engine"])
        #expect(ofChild.texts == ["building Car", "built Car"])
        _ = try await child.resolve.async(Ticket.self)
        _ = try? await child.resolve.async(Diesel.self)
        #expect(ofChild.events.map(\.kind) == [.building, .built, .building, .failed])
        child.register(New(1))
        #expect(ofChild.texts == ["registered Int"])
        #expect(log.events.isEmpty && ofFork.events.isEmpty)
    }

    @Test("ends when it is canceled, and releases the observer")
    func canceling() throws {
        let container = DIContainer { New(Ticket(number: 1)) }
        let counter = Counter()
        weak var captured: Diesel?
        do {
            let object = Diesel()
            captured = object
            let observation = container.observe { _ in withExtendedLifetime(object) { _ = counter.increment() } }
            let other = container.observe { _ in counter.increment() }
            _ = try container.resolve.orThrow(Ticket.self)
            #expect(counter.count == 4)
            observation.cancel()
            observation.cancel()
            _ = try container.resolve.orThrow(Ticket.self)
            #expect(counter.count == 6)
            other.cancel()
        }
        _ = try container.resolve.orThrow(Ticket.self)
        #expect(counter.count == 6 && captured == nil)
    }

    @Test("an observer isn't notified of its own requests, registrations and resets")
    func reentrant() throws {
        let container = DIContainer {
            Shared(autowiring: Car.init)
            Shared(Diesel() as any Engine)
            New { resolve in Ticket(number: try resolve.orThrow(Int.self)) }
            New(7)
        }
        let count = Counter()
        container.observe { [weak container] event in
            guard let container else { return }
            count.increment()
            _ = container.resolve(Car.self)
            _ = container.resolve(Ticket.self)
            container.register(New("\(event)"))
        }
        _ = try container.resolve.orThrow(Ticket.self)
        #expect(count.count == 4)
        _ = try container.resolve.orThrow(Car.self)
        #expect(count.count == 4)
        container.resetInstances()
        #expect(count.count == 4 + 3)
    }

    @Test("a slow observer delays only its own thread")
    func slow() {
        let container = DIContainer {
            Shared(Diesel())
            Shared(Ticket(number: 1))
        }
        let began = Latch()
        let mayEnd = Latch()
        let observation = container.observe { event in
            if event.registration?.type == Diesel.self, event.kind == .built {
                began.open()
                mayEnd.wait()
            }
        }
        let slow = BackgroundThread { container.resolve(Diesel.self) }
        began.wait()
        #expect(BackgroundThread { container.resolve(Ticket.self).number }.result() == 1)
        #expect(BackgroundThread { container.resolve(Diesel.self).kind }.result() == "diesel")
        observation.cancel()
        mayEnd.open()
        #expect(slow.result() != nil)
    }

    @Test("observers are notified in the order in which they began")
    func orderOfObservers() {
        let container = DIContainer()
        let heard = Locked<[Int]>([])
        for number in 1...3 { container.observe { _ in heard.withLock { $0.append(number) } } }
        container.register(New(1))
        #expect(heard.withLock { $0 } == [1, 2, 3])
    }

    @Test("observers are added and removed while threads build")
    func race() {
        let container = DIContainer {
            Shared(Diesel() as any Engine)
            New(autowiring: Car.init)
        }
        let built = Counter()
        let observation = container.observe { event in
            if event.kind == .built, event.registration?.type == Car.self { built.increment() }
        }
        _ = onThreads(8) { index in
            for round in 0..<200 {
                if index % 2 == 0 {
                    container.observe { _ in }.cancel()
                } else {
                    _ = container.resolve(Car.self)
                    if round % 10 == 0 { container.resetInstances() }
                }
            }
        }
        observation.cancel()
        #expect(built.count == 4 * 200)
    }

    @Test("adds the dependencies that factories requested to the graph")
    func observedEdges() throws {
        let container = DIContainer {
            Shared { resolve in Car(engine: try resolve.orThrow()) }
            Shared(Diesel(), as: (any Engine).self)
        }
        let log = EventLog(container)
        #expect(container.graph.edges.map(\.kind) == [.alias])
        _ = try container.resolve.orThrow(Car.self)
        let events = log.events
        let graph = container.graph.adding(events)
        #expect(graph.edges.map(\.kind) == [.observed, .alias])
        #expect(graph.adding(events).edges.count == 2 && container.graph.adding(events + events).edges.count == 2)
        #expect(graph.edges.map(\.from) == [0, 2] && graph.edges.map(\.to) == [2, 1])
        #expect(
            graph.mermaid().contains("  n0 -.-> n2\n") && graph.dot().contains("n0 -> n2 [label=\"\", style=dotted]"))
        #expect(graph.description.hasPrefix("Shared Car, built  (registered"))
        #expect(graph.description.contains("\n  Alias any Engine"))
    }

    @Test("reports each asynchronous build once, and its cancellation")
    func asynchronous() async throws {
        let started = Counter()
        let container = DIContainer {
            Shared(async: { _ in Diesel() as any Engine })
            Shared(async: { _ in
                started.increment()
                try await Task.sleep(for: .seconds(100))
                return Ticket(number: 1)
            })
        }
        let log = EventLog(container)
        _ = try await container.resolve.async((any Engine).self)
        #expect(log.texts == ["building any Engine", "built any Engine"])
        let task = Task { try await container.resolve.async(Ticket.self) }
        #expect(await eventually { started.count > 0 })
        task.cancel()
        _ = await task.result
        var texts: [String] = []
        #expect(
            await eventually {
                texts += log.texts
                return texts.count == 2
            })
        #expect(texts[0] == "building Ticket" && texts[1].hasPrefix("failed Ticket"))
    }

    @Test("Rule 19: an observer resolves outside of the reported asynchronous graph")
    func outsideOfGraph() async throws {
        let container = DIContainer {
            Graph { _ in Vehicle() }
            Shared(async: { resolve in
                _ = resolve(Vehicle.self)
                _ = resolve(Car.self)
                return Diesel() as any Engine
            })
            New { resolve in
                _ = resolve(Vehicle.self)
                return Car(engine: Diesel())
            }
        }
        let vehicles = Locked<[Vehicle]>([])
        container.observe { [weak container] event in
            guard event.kind == .built, let container else { return }
            if let vehicle = try? container.resolve.orThrow(Vehicle.self) { vehicles.withLock { $0.append(vehicle) } }
        }
        _ = try await container.resolve.async((any Engine).self)
        let all = vehicles.withLock { $0 }
        #expect(all.count == 3 && Set(all.map(ObjectIdentifier.init)).count == 3)
    }

    @Test("Rule 19: an observer resolves outside of the reported graph and leaves it unchanged")
    func graphStays() throws {
        let container = DIContainer {
            Graph(Diesel(), as: (any Engine).self)
            New(autowiring: Car.init)
            New { resolve in [resolve(Diesel.self), resolve(Car.self).engine as! Diesel, resolve(Diesel.self)] }
        }
        let heard = Locked<[Diesel]>([])
        container.observe { [weak container] event in
            guard event.kind == .built, event.registration?.type == Car.self, let container else { return }
            let engine = container.resolve(Diesel.self)
            heard.withLock { $0.append(engine) }
        }
        let engines = try container.resolve.orThrow([Diesel].self)
        let others = heard.withLock { $0 }
        #expect(engines.allSatisfy { $0 === engines[0] })
        #expect(others.count == 1 && others.allSatisfy { $0 !== engines[0] })
    }

    @Test("Rule 18: an observer's requests leave the beginning of an error's path unchanged")
    func origin() throws {
        let container = DIContainer {
            New { _ in Ticket(number: 1) }
            New { resolve in
                _ = resolve(Ticket.self)
                return Car(engine: try resolve.orThrow(file: "Factory.swift", line: 2))
            }
        }
        container.observe { [weak container] event in
            guard event.kind == .building, let container else { return }
            _ = try? container.makeChild { New(Diesel()) }.resolve.orThrow(Diesel.self, file: "Observer.swift", line: 3)
        }
        let error = try #require(failure { _ = try container.resolve.orThrow(Car.self, file: "Asking.swift", line: 1) })
        #expect("\(error)".contains("requested at Asking.swift:1"))
        #expect(!"\(error)".contains("Observer.swift"))
    }

    @Test("After a parent's change, a child reports the release at its next request")
    func atNextRequest() throws {
        let parent = DIContainer {
            Scoped(Diesel())
            Scoped(Car(engine: Diesel()))
            New(Ticket(number: 1))
        }
        let child = parent.makeChild()
        _ = try (child.resolve.orThrow(Diesel.self), child.resolve.orThrow(Car.self))
        let log = EventLog(child)
        parent.register {
            Scoped(Diesel())
            Scoped(Car(engine: Diesel()))
        }
        _ = try child.resolve.orThrow(Ticket.self)
        #expect(log.events.map(\.kind) == [.building, .built])
        _ = child.resolve(Diesel.self)
        let ofDiesel = log.events
        #expect(ofDiesel.map(\.kind) == [.building, .built, .released])
        #expect(ofDiesel.allSatisfy { $0.registration?.type == Diesel.self })
        _ = child.resolve(Car.self)
        let ofCar = log.events
        #expect(ofCar.map(\.kind) == [.building, .built, .released])
        #expect(ofCar.allSatisfy { $0.registration?.type == Car.self })
    }

    @Test("The instance of a decorated alias is released with its target, in one event")
    func decoratedAlias() throws {
        let container = DIContainer {
            Shared(Diesel(), as: (any Engine).self)
            Decorate((any Engine).self) { base, _ in Diesel(kind: "decorated \(base.kind)") }
        }
        weak let old = try container.resolve.orThrow((any Engine).self) as? Diesel
        #expect(old != nil)
        let log = EventLog(container)
        container.register(Shared(Diesel()))
        #expect(old == nil)
        let released = log.events.filter { $0.kind == .released }
        #expect(released.compactMap { $0.registration.map { "\($0.type)" } } == ["Diesel"])
    }
}

extension ExitTests {
    @Test("A container reports that it became the default")
    static func becomesDefault() async {
        await #expect(processExitsWith: .success) {
            let container = DIContainer()
            let log = EventLog(container)
            DIContainer.shared = container
            precondition(log.events.map(\.kind) == [.madeCurrent])
        }
    }
}
