import DependencyInjection
import DependencyInjectionTesting
import Testing

// The services know nothing of `Sendable`, and the trait must not make a warning of that.

private let app = DIContainer {
    Shared(ConsoleLogger() as Logger)
    Shared(RouterImpl() as Router)
}

@RegistrationBuilder private func fakes() -> [Registration] {
    Shared(ConsoleLogger() as Logger)
    New { _, id in DetailViewModelImpl(id: id) as DetailViewModel }
    Weak(RouterImpl() as Router)
}

private enum Fakes {
    static let module = Module { Shared(FileLogger() as Logger) }
}

@Suite(.dependencies(from: app) { Fakes.module })
struct DependencyTraitTests {
    @Inject var logger: Logger

    @Test(.dependencies(.current))
    func synchronous() {
        #expect(logger is FileLogger)
        #expect(DIContainer.resolve(Router.self) !== app.resolve(Router.self))
    }

    @Test(.dependencies { fakes() }, arguments: [1, 2])
    func asynchronous(_ id: Int) async {
        await Task.yield()
        let detail: DetailViewModel = DIContainer.resolve(id)
        #expect(detail.id == id)
        #expect(logger is ConsoleLogger)
    }
}
