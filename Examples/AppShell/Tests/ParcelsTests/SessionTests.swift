import DependencyInjection
import DependencyInjectionTesting
import Testing

@testable import Parcels

@Suite(.dependencies(from: app) { Shared(RecordingLogger(), as: Logger.self) })
struct SessionTests {
    @Inject private var sessions: SessionManager
    @Inject private var logger: RecordingLogger

    @Test func closesTheSessionAndItsStore() async throws {
        let container = try await sessions.logIn(user: "ada", code: "1843")
        let session = container.resolve(Session.self)
        let store = container.resolve(ParcelStore.self)
        #expect(try await store.parcels().map(\.id) == [42, 43])

        await sessions.logOut()
        await #expect(throws: ServiceError.notLoggedIn) { try await session.parcels() }
        await #expect(throws: ServiceError.notLoggedIn) { try await store.parcels() }
        #expect(throws: ResolutionError.self) { try container.resolve.orThrow(Session.self) }
        // The store itself is closed, without the object that its decorator returned.
        #expect(logger.messages == ["read 2 parcels"])
    }

    @Test func releasesItsContainerAndItsScreens() async throws {
        let coordinator: AppCoordinator = DIContainer.resolve()
        try await coordinator.logIn(user: "ada", code: "1843")
        weak let container = sessions.container
        weak let screens = container?.resolve(SessionCoordinator.self)
        #expect(screens != nil)
        await coordinator.logOut()
        #expect(container == nil && screens == nil)
    }

    @Test func endsThePreviousSession() async throws {
        let first = try await sessions.logIn(user: "ada", code: "1843").resolve(ParcelStore.self)
        let second = try await sessions.logIn(user: "grace", code: "1952").resolve(ParcelStore.self)
        #expect(try await second.parcels().map(\.id) == [7])
        await #expect(throws: ServiceError.notLoggedIn) { try await first.parcels() }
        await sessions.logOut()
    }

    @Test(.dependencies { Decorate(ParcelService.self) { base, _ in UnreliableService(base) } })
    func repeatsAFailedRequestOnce() async throws {
        let store = try await sessions.logIn(user: "ada", code: "1843").resolve(ParcelStore.self)
        await #expect(throws: UnreliableService.NoAnswer.self) { try await store.parcels() }
        for _ in 0..<2 { #expect(try await store.parcels().count == 2) }
        let service = try #require(DIContainer.resolve(ParcelService.self) as? UnreliableService)
        #expect(await service.requests.count == 2)
        await sessions.logOut()
    }

    @Test func logsAFailureToEndTheSession() async throws {
        let session = try await sessions.logIn(user: "ada", code: "1843").resolve(Session.self)
        try await session.end()
        await sessions.logOut()
        #expect(logger.messages.count == 1 && logger.messages[0].contains("Nobody is logged in."))
    }

    @Test func sessionIsMissingInTheApp() async throws {
        #expect(DIContainer.resolve(Session?.self) == nil)
        let error = try #require(throws: ResolutionError.self) { try DIContainer.resolve.orThrow(ParcelListModel.self) }
        #expect("\(error)".contains("child"))
        try await DIContainer.current.prepare()
        #expect(DIContainer.resolve(SettingsModel.self).lines.last == "Account: none")
    }
}
