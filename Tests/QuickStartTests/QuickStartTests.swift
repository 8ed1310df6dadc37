import DependencyInjection
import DependencyInjectionTesting
import Testing

@testable import QuickStart

// The services of the app that tests replace by fakes.

private struct SilentLogger: Logger {
    func log(_ level: LogLevel, _ message: String) {}
}

private struct FakeSync: SyncService {
    let account = "ada@example.com"
}

private let configuration = AppConfiguration(
    title: "Test", logLevel: .warning, searchLimit: 1,
    notes: [
        Note(id: 1, title: "Swift", body: "A bird and a language."), Note(id: 2, title: "Ada", body: "A language."),
    ])

private let fakes = Module {
    Shared(configuration)
    Shared(SilentLogger() as any Logger)
}

/// The registrations of the app itself.
private let app = {
    let container = DIContainer()
    DIContainer.withContainer(container) { _ = AppDelegate() }
    return container
}()

@Suite(.dependencies(from: app) { fakes })
struct ScreenTests {
    @Inject var router: any Router

    private func text(of link: String) throws -> String { try router.viewModel(for: Deeplink(link)).text() }

    @Test func noteIsShown() throws {
        #expect(try text(of: "notes/2") == "Ada\n---\nA language.\n")
    }

    @Test func unknownNoteIsAnError() {
        #expect(throws: NoteError.self) { try text(of: "notes/3") }
    }

    @Test(arguments: [
        ("swift", "1 note contains \"swift\":\n  notes/1  Swift\n"),
        ("language", "2 notes contain \"language\":\n  notes/1  Swift\n  and 1 more\n"),
        ("nothing", "No note contains \"nothing\".\n"),
    ])
    func searchFinds(_ query: String, _ expected: String) async throws {
        #expect(try text(of: "search?q=\(query)") == expected)
    }

    @Test func settingsWithoutSync() throws {
        #expect(try text(of: "settings").contains("Sync: not available"))
    }

    @Test(.dependencies { Shared(FakeSync() as any SyncService) })
    func settingsWithSync() throws {
        #expect(try text(of: "settings").contains("Sync: ada@example.com"))
    }
}

struct RegistrationTests {
    @Test func everyInjectionIsRegistered() {
        let audit = expectEveryInjectionIsRegistered(in: app, modules: ["QuickStart"])
        #expect(audit.properties.map(\.path) == ["QuickStart.AppDelegate.logger", "QuickStart.AppDelegate.router"])
    }

    @Test func registrationsAreValid() {
        expectValid(app)
    }

    @Test func appResolves() {
        expectResolves((any Router).self, in: app)
        expectResolves(NoteViewModel.self, arguments: 1, in: app)
        expectResolves(SearchViewModel.self, arguments: "swift", in: app)
        expectResolves(SettingsViewModel.self, in: app)
    }

    @Test(.dependencies(.strict(from: app)) { fakes })
    func searchNeedsNothingElse() throws {
        let search = try SearchViewModel(
            query: "swift", limit: 1, store: MemoryNoteStore(notes: configuration.notes),
            logger: DIContainer.resolve.orThrow((any Logger).self))
        #expect(search.text().hasPrefix("1 note"))
    }
}
