import DependencyInjection
import Testing

@Suite("Rules 1, 3: renewal by a value that was built first", .mayHang)
struct RenewedValueTests {
    private struct Settings: Sendable { let version: Int }

    private final class Store: Sendable {
        let settings: Settings
        init(_ settings: Settings) { self.settings = settings }
    }

    @Test("during a renewal, requests get the old or a newer value and never fail")
    func withoutGap() async throws {
        let container = DIContainer { Shared(async: { _ in Settings(version: 0) }) }
        try await container.prepare()
        let isOver = Counter()
        let child = container.makeChild()
        let latest = await awaitThreads(3) { index -> Int in
            if index == 0 {
                for version in 1...500 {
                    let fresh = Settings(version: version)
                    container.register(Shared(fresh))
                }
                isOver.increment()
                return 500
            }
            let resolve = index == 1 ? container.resolve : child.resolve
            var last = 0
            repeat {
                let version = (try? resolve.orThrow(Settings.self).version) ?? -1
                if version < last { return version }
                last = version
            } while isOver.count == 0
            return resolve(Settings.self).version
        }
        #expect(latest == [500, 500, 500])
    }

    @Test("several dependent types are built in a child and registered in the container")
    func several() async throws {
        let version = Counter()
        let container = DIContainer {
            Shared(async: { _ in Settings(version: version.count) })
            Shared(async: { resolve in Store(try await resolve.async()) })
            Shared("kept")
        }
        try await container.prepare()
        let old = try container.resolve.orThrow(Store.self)
        version.increment()
        let renewal = container.makeChild {
            Shared(async: { _ in Settings(version: version.count) })
            Shared(async: { resolve in
                #expect(resolve(String.self) == "kept")
                return Store(try await resolve.async())
            })
        }
        try await renewal.prepare()
        #expect(try container.resolve.orThrow(Store.self) === old)
        let (settings, store) = try (renewal.resolve.orThrow(Settings.self), renewal.resolve.orThrow(Store.self))
        container.register {
            Shared(settings)
            Shared(store)
        }
        #expect(try container.resolve.orThrow(Settings.self).version == 1)
        #expect(try container.resolve.orThrow(Store.self) === store && store.settings.version == 1)
        // A registered value is constant.
        version.increment()
        container.resetInstances()
        #expect(try container.resolve.orThrow(Settings.self).version == 1)
    }

    @Test("if a build fails, nothing has changed")
    func failing() async throws {
        let container = DIContainer { Shared(Settings(version: 1)) }
        let renewal = container.makeChild { Shared(async: { _ -> Settings in throw Sabotage() }) }
        await #expect(throws: PreparationError.self) { try await renewal.prepare() }
        #expect(try container.resolve.orThrow(Settings.self).version == 1)
    }
}
