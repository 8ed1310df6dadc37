import DependencyInjection
import DependencyInjectionTesting
import Foundation
import Synchronization
import XCTest

private final class Clock: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
}
private final class Alarm: Sendable {
    let clock: Clock
    init(clock: Clock) { self.clock = clock }
}
@MainActor private final class Window {}

private let production = DIContainer {
    Shared(Clock("production"))
    Shared(autowiring: Alarm.init)
    Shared(mainActor: Window())
}

/// A client that has to be shut down before it is released.
private final class Client: Sendable {
    let isShutDown = Atomic(false)
    var isOpen: Bool { !isShutDown.load(ordering: .relaxed) }
    deinit { precondition(!isOpen, "The client was released without being shut down.") }
}

/// A test case whose overrides apply to all subclasses.
class BaseTests: XCTestCase {
    override func invokeTest() {
        withDependencies {
            Shared(Clock("fake"))
            Shared(Client())
                .onClose { $0.isShutDown.store(true, ordering: .relaxed) }
        } in: {
            super.invokeTest()
            // The container is closed, so it builds no new client.
            XCTAssertNil(try? DIContainer.resolve.orThrow(Client.self))
        }
    }
}

/// A test case in which each test has a container of its own, which is closed in `tearDown`. The overrides of the
/// superclass win.
final class WithDependenciesTests: BaseTests {
    private var clockInSetUp: Clock?

    override func invokeTest() {
        withDependencies(.container(production)) {
            Shared(Clock("of the subclass"))
        } in: {
            super.invokeTest()
        }
    }

    override func setUp() {
        clockInSetUp = DIContainer.resolve()
        XCTAssertFalse(DIContainer.current.isRegistered(String.self), "An earlier test registered it.")
    }

    override func tearDown() {
        XCTAssertIdentical(DIContainer.resolve(Clock.self), clockInSetUp)
        DIContainer.register(Shared("used"))
        XCTAssertEqual(DIContainer.resolve(String.self), "used")
        XCTAssertFalse(DIContainer.shared.isRegistered(String.self))
    }

    override func tearDown() async throws { try await DIContainer.current.close() }

    func testSynchronous() {
        XCTAssert(DIContainer.resolve(Client.self).isOpen)
        XCTAssertEqual(DIContainer.resolve(Clock.self).name, "fake")
        XCTAssertIdentical(DIContainer.resolve(Clock.self), clockInSetUp)
        @LazyInject var alarm: Alarm
        XCTAssertEqual(alarm.clock.name, "fake")
        XCTAssertEqual(production.resolve(Alarm.self).clock.name, "production")
    }

    func testAsynchronous() async {
        XCTAssert(DIContainer.resolve(Client.self).isOpen)
        let clock = DIContainer.resolve(Clock.self)
        XCTAssertEqual(clock.name, "fake")
        await Task.yield()
        XCTAssertIdentical(DIContainer.resolve(Clock.self), clock)
        async let child = DIContainer.resolve(Clock.self)
        let ofChild = await child
        XCTAssertIdentical(ofChild, clock)
        let makeAlarm = Inject<Provider<Alarm>>()
        let ofDetached = await Task.detached { makeAlarm.wrappedValue().clock }.value
        XCTAssertIdentical(ofDetached, clock)
    }

    @MainActor
    func testMainActor() async {
        XCTAssert(DIContainer.resolve(Client.self).isOpen)
        let window = DIContainer.resolve(Window.self)
        await Task.yield()
        XCTAssertIdentical(DIContainer.resolve(Window.self), window)
        XCTAssertNotIdentical(production.resolve(Window.self), window)
        XCTAssertEqual(DIContainer.resolve(Clock.self).name, "fake")
    }

    func testNesting() async {
        withDependencies {
            Shared(Clock("inner"))
        } in: {
            XCTAssertEqual(DIContainer.resolve(Alarm.self).clock.name, "inner")
        }
        let name = await withDependencies(.empty) {
            Shared(Clock("alone"))
        } in: { () async -> String in
            await Task.yield()
            XCTAssertNil(DIContainer.resolve(Alarm?.self))
            return DIContainer.resolve(Clock.self).name
        }
        XCTAssertEqual(name, "alone")
        XCTAssertEqual(DIContainer.resolve(Clock.self).name, "fake")
    }

    func testErrorIsRethrown() {
        XCTAssertThrowsError(
            try withDependencies(.empty) {
            } in: { () throws -> Void in
                throw CancellationError()
            })
    }
}

/// A test case with one test that fails on purpose, but only in the process that another test starts.
final class StrictXCTests: XCTestCase {
    override func invokeTest() {
        withDependencies(.strict(from: production)) {
            Shared(1)
        } in: {
            super.invokeTest()
        }
    }

    func testOverridden() { XCTAssertEqual(DIContainer.resolve(Int.self), 1) }

    func testForgottenOverride() async throws {
        try XCTSkipIf(ProcessInfo.processInfo.environment["RUN_FAILING_TESTS"] == nil)
        XCTAssertEqual(DIContainer.resolve(Clock.self).name, "production")
    }
}
