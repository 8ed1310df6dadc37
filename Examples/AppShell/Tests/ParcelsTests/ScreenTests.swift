import DependencyInjection
import DependencyInjectionTesting
import SwiftUI
import Testing

@testable import Parcels

@Suite(.dependencies(from: app) { Shared(RecordingLogger() as Logger) })
struct ScreenTests {
    private let display = Display()

    @Test func rowOfTheListOpensItsParcel() async throws {
        let coordinator: AppCoordinator = DIContainer.resolve()
        let sessions: SessionManager = DIContainer.resolve()
        try await coordinator.logIn(user: "ada", code: "1843")
        let model = try #require(sessions.container).resolve(ParcelListModel.self)
        await model.load()
        guard case .loaded(let parcels) = model.phase else {
            Issue.record("The list is not loaded: \(model.phase)")
            return
        }
        model.open(parcels[1])
        #expect(display.screens == [.parcels, .parcel("Parcel 43")])
        await coordinator.logOut()
    }

    #if os(Linux)
        // A preview sets the default container, so this test runs in a process of its own.
        @Test func previewShowsAList() async {
            await #expect(processExitsWith: .success) { @MainActor in
                let shown = await lines(of: ParcelListPreviews.previews)
                precondition(shown == ["== Parcels of ada ==", "[1 A hat]", "[Settings]"], "\(shown)")
            }
        }
    #endif
}
