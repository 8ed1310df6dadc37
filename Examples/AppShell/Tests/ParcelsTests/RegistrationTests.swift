import DependencyInjection
import DependencyInjectionTesting
import Testing

@testable import Parcels

struct RegistrationTests {
    @Test func everyInjectionIsRegistered() {
        let audit = expectEveryInjectionIsRegistered(in: app, modules: ["Parcels"])
        #expect(audit.properties.map(\.path).contains("Parcels.LogInModel.router"))
    }

    // An autowired type that depends on the configuration is valid as soon as the configuration is built.
    @Test(.dependencies(from: app))
    func registrationsAreValid() async throws {
        try await DIContainer.current.prepare()
        expectValid(DIContainer.current)
    }

    @Test(.dependencies(from: app))
    func screensCanBeBuilt() async throws {
        try await DIContainer.current.prepare()
        try await DIContainer.withChild {
            Shared(Session(user: "ada", token: "", service: LocalParcelService()))
        } operation: { session in
            expectResolves(Router.self, in: session)
            expectResolves(SessionCoordinator.self, in: session)
            expectResolves(ParcelListModel.self, in: session)
            expectResolves(ParcelModel.self, arguments: 42, in: session)
            expectResolves(SettingsModel.self, in: session)
            expectResolves(LogInModel.self, in: session)
            expectValid(session)
        }
    }
}
