import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

/// Some rules name several cases. Here each case is a row, because a test with several of them may pass as long as one
/// of them works.
@Suite("Each case of a rule holds alone", .mayHang)
struct AlternativeTests {
    // MARK: Wrappers and providers that remember their container

    /// A wrapper or a provider: creates it, and returns a function that reads its value.
    typealias Handle = Row<@MainActor @Sendable () -> @MainActor () throws -> Diesel>

    static let handles = [
        Handle("@Inject of a Provider") {
            let wrapper = Inject<Provider<Diesel>>()
            return { try wrapper.wrappedValue.orThrow() }
        },
        Handle("@MutableInject of a Provider") {
            let wrapper = MutableInject<Provider<Diesel>>()
            return { try wrapper.wrappedValue.orThrow() }
        },
        Handle("@LazyInject of a Provider") {
            let wrapper = LazyInject<Provider<Diesel>>()
            return { try wrapper.wrappedValue.orThrow() }
        },
        Handle("a Provider that is created by hand") {
            let make = Provider<Diesel>()
            return { try make.orThrow() }
        },
        Handle("a Provider that is resolved") {
            let make = DIContainer.resolve(Provider<Diesel>.self)
            return { try make.orThrow() }
        },
        Handle("@LazyInject") {
            let wrapper = LazyInject<Diesel>()
            return { wrapper.wrappedValue }
        },
        Handle("@MutableLazyInject") {
            let wrapper = MutableLazyInject<Diesel>()
            return { wrapper.wrappedValue }
        },
    ]

    @Test("Rule 14: A handle retains the container of withOverrides", arguments: handles)
    @MainActor func retainsOverrides(_ handle: Handle) throws {
        let read = DIContainer.withOverrides({ Shared(Diesel()) }) { handle.value() }
        #expect(try read() === read())
    }

    @Test("Rule 14: A handle retains the container of withContainer until its own release", arguments: handles)
    @MainActor func retainsContainer(_ handle: Handle) throws {
        let released = Counter()
        var read: (@MainActor () throws -> Diesel)?
        do {
            let held = Tracked(released)
            let container = DIContainer { Shared { _ in withExtendedLifetime(held) { Diesel() } } }
            read = DIContainer.withContainer(container) { handle.value() }
        }
        #expect(try read?() === read?())
        #expect(released.count == 0)
        read = nil
        #expect(released.count == 1)
    }

    @Test("Rule 14: A handle uses its container in another one's scope", arguments: handles)
    @MainActor func inOtherScope(_ handle: Handle) throws {
        let (first, second) = (DIContainer { Shared(Diesel()) }, DIContainer { Shared(Diesel()) })
        let read = DIContainer.withContainer(first) { handle.value() }
        let diesel = try DIContainer.withContainer(second) { try read() }
        #expect(try diesel === first.resolve.orThrow(Diesel.self))
    }

    // MARK: Graphs

    @Test("Rule 19: Each build of prepare() is one outermost request")
    func preparedGraphs() async throws {
        let container = DIContainer {
            Graph(Diesel())
            Shared(async: { resolve in [resolve(Diesel.self), resolve(Diesel.self)] }, name: "a")
            Shared(async: { resolve in [resolve(Diesel.self), resolve(Diesel.self)] }, name: "b")
        }
        try await container.prepare()
        let a = try container.resolve.orThrow([Diesel].self, name: "a")
        let b = try container.resolve.orThrow([Diesel].self, name: "b")
        #expect(a[0] === a[1])
        #expect(b[0] === b[1])
        #expect(a[0] !== b[0])
    }

    // MARK: Closing

    /// A change of the current container.
    typealias Change = Row<@Sendable () -> Void>

    static let changes = [
        Change("register(_:)") { DIContainer.current.register(Shared(1)) },
        Change("unregister(_:)") { DIContainer.current.unregister(Pool.self) },
        Change("reset()") { DIContainer.current.reset() },
        Change("resetInstances()") { DIContainer.current.resetInstances() },
        Change("a decoration") {
            DIContainer.current.register(Decorate(Pool.self) { base, _ in base })
        },
        Change("ProvidedByChild") { DIContainer.current.register(ProvidedByChild(Int.self)) },
    ]

    @Test("Rule 20: A change in a handler is a failure of the handler", arguments: changes, [false, true])
    func changeInHandler(_ change: Change, throwsError: Bool) async throws {
        let app = DIContainer {
            Shared(Pool()).onClose { _ in
                change.value()
                if throwsError { throw Sabotage() }
            }
        }
        _ = try app.resolve.orThrow(Pool.self)
        let error = await #expect(throws: CloseError.self) {
            try await DIContainer.withContainer(app) { try await app.close() }
        }
        let failures = error?.failures.map { ($0.error as? ResolutionError)?.kind ?? "\($0.error)" }
        #expect(failures == (throwsError ? ["closed", "sabotaged"] : ["closed"]))
        // Nothing has changed.
        #expect(app.registrations.map(\.key) == ["Pool"])
        #expect(app.registrations.flatMap(\.decorators).isEmpty)
    }
}

extension ExitTests {
    @Test(
        "Rules 18, 24: A factory's plain request stops the program, and each observer gets its error",
        arguments: [
            "the factory's container", "its parent's parent", "the requesting child", "the outermost container",
        ])
    static func reports(to observed: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [observed = observed as String] in
            let root = DIContainer()
            let parent = root.makeChild().makeChild { Shared { resolve in Car(engine: resolve()) } }
            let child = parent.makeChild { Scoped(Pool()) }
            let outer = DIContainer { New { _ in Ticket(number: child.resolve(Car.self).engine.kind.count) } }
            let containers = [
                "the factory's container": parent, "its parent's parent": root, "the requesting child": child,
                "the outermost container": outer,
            ]
            containers[observed]?.observe { event in
                guard event.kind == .refused, let error = event.error as? ResolutionError else { return }
                FileHandle.standardError.write(Data("reported \(error.key)\n".utf8))
            }
            _ = try? outer.resolve.orThrow(Ticket.self)
        }
        let text = standardError(of: result)
        #expect(text.components(separatedBy: "reported any Engine\n").count == 2, "\(text)")
        #expect(text.contains("Nothing is registered for any Engine."))
        #expect(text.contains("Ticket  (registered at"))
        #expect(text.contains("Car  (registered at"))
    }
}
