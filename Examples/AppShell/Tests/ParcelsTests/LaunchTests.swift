import DependencyInjection
import DependencyInjectionTesting
import Testing

@testable import Parcels

@Suite(.dependencies(from: app) { Shared(RecordingLogger() as Logger) })
struct LaunchTests {
    @Inject private var coordinator: AppCoordinator
    private let display = Display()

    @Test func showsTheLogInAfterTheSplash() async {
        let preparation = coordinator.start()
        #expect(display.screens == [.splash])
        await preparation.value
        #expect(display.screens == [.logIn])
        #expect(DIContainer.resolve(AppConfiguration.self).serviceName == "Parcels")
    }

    @Test(
        .dependencies { Decorate(ParcelService.self) { base, _ in UnreliableService(base) } }, .timeLimit(.minutes(1)))
    func triesAgain() async {
        await coordinator.start().value
        #expect(display.screens == [.splash])
        display.tryAgain()
        while display.screens != [.logIn] { await Task.yield() }
    }

    @Test func keepsALinkUntilSomebodyHasLoggedIn() async throws {
        coordinator.open(.parcel(id: 42))
        await coordinator.start().value
        #expect(display.screens == [.logIn])
        try await coordinator.logIn(user: "ada", code: "1843")
        #expect(display.screens == [.parcels, .parcel("Parcel 42")])
        await coordinator.logOut()
        #expect(display.screens == [.logIn])
        try await coordinator.logIn(user: "ada", code: "1843")
        #expect(display.screens == [.parcels])
        await coordinator.logOut()
    }

    @Test func keepsTheFormIfTheCodeIsWrong() async {
        await coordinator.start().value
        let model: LogInModel = DIContainer.resolve()
        model.user = "ada"
        await model.logIn()
        #expect(model.message == ServiceError.wrongCode.description && !model.isWaiting)
        #expect(display.screens == [.logIn])
    }
}
