import DependencyInjection
import DependencyInjectionTesting
import Testing

@testable import Parcels

@Suite(.dependencies(from: app) { Shared(RecordingLogger(), as: Logger.self) })
struct LaunchTests {
    @Inject private var coordinator: AppCoordinator
    private let display = Display()

    @Test func showsTheLogInAfterTheSplash() async {
        coordinator.start()
        #expect(display.screens == [.splash])
        await coordinator.preparation?.value
        #expect(display.screens == [.logIn])
        #expect(DIContainer.resolve(AppConfiguration.self).serviceName == "Parcels")
    }

    @Test(.dependencies { Decorate(ParcelService.self) { base, _ in UnreliableService(base) } })
    func retriesAfterAFailure() async {
        coordinator.start()
        await coordinator.preparation?.value
        #expect(display.screens == [.splash])
        #expect(DIContainer.resolve(RecordingLogger.self).messages.map { $0.contains("NoAnswer") } == [true])
        display.tryAgain()
        await coordinator.preparation?.value
        #expect(display.screens == [.logIn])
    }

    @Test func opensALinkAfterTheLogIn() async throws {
        coordinator.open(.parcel(id: 42))
        coordinator.start()
        await coordinator.preparation?.value
        #expect(display.screens == [.logIn])
        try await coordinator.logIn(user: "ada", code: "1843")
        #expect(display.screens == [.parcels, .parcel("Parcel 42")])
        await coordinator.logOut()
        #expect(display.screens == [.logIn])
        try await coordinator.logIn(user: "ada", code: "1843")
        #expect(display.screens == [.parcels])
        await coordinator.logOut()
    }

    @Test func staysAtTheFormIfTheCodeIsWrong() async {
        coordinator.start()
        await coordinator.preparation?.value
        let model: LogInModel = DIContainer.resolve()
        model.user = "ada"
        await model.logIn()
        #expect(model.message == ServiceError.wrongCode.description && !model.isWaiting)
        #expect(display.screens == [.logIn])
    }
}
