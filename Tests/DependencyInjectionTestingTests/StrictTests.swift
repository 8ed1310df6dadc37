import DependencyInjection
import DependencyInjectionTesting
import Testing

private protocol Logger: Sendable {}
private struct FileLogger: Logger {}
private struct FakeLogger: Logger {}
private final class Store: Sendable {
    let logger: any Logger
    init(logger: any Logger) { self.logger = logger }
}
private struct Report: Sendable { let store: Store }
private final class Cache: Sendable {}
private struct Page: Sendable { let number: Int }
private protocol Archive: Sendable {}
extension Store: Archive {}

private let registeredAt: UInt = #line + 2
private let production = DIContainer {
    Shared(FileLogger() as any Logger)
    Shared(autowiring: Store.init, as: (any Archive).self)
    New(autowiring: Report.init)
    Scoped(Cache())
    New { _, number in Page(number: number) }
    Shared(Page(number: 7), name: "named")
    Graph { resolve in Box(cache: resolve()) }
    Weak(Tool())
    Shared(mainActor: Window())
    Shared(async: { _ in
        await Task.yield()
        return Database()
    })
}
private let decorated = DIContainer {
    Shared(autowiring: Store.init, as: (any Archive).self)
    Decorate((any Archive).self) { base, _ in base }
}
private final class Tool: Sendable {}
private final class Database: Sendable {}
private final class Box: Sendable {
    let cache: Cache
    init(cache: Cache) { self.cache = cache }
}

private struct Owner {
    @Inject var logger: any Logger
    @LazyInject var store: Store
    @Inject var makePage: Provider<Page, Int>
}

private let clock = Module { Shared(Clock(name: "registered in a module")) }
private let replaced = DIContainer {
    Shared(FileLogger() as any Logger)
    New(FakeLogger() as any Logger)
}

@Suite(
    "Strict tests", .collectsExpectedIssues,
    .dependencies(.strict(from: production)) { Shared(FakeLogger() as any Logger) })
struct StrictTests {
    @Test("An overridden type records no issue")
    func overridden() throws {
        #expect(try DIContainer.resolve.orThrow((any Logger).self) is FakeLogger)
        #expect(try DIContainer.resolve.orThrow((any Logger)?.self) is FakeLogger)
    }

    @Test("A type without an override resolves, and records an issue at the request")
    func notOverridden() {
        let line = #line + 2
        let issues = issues {
            let store = DIContainer.resolve(Store.self)
            #expect(store.logger is FakeLogger)
        }
        #expect(issues.lines == [line])
        #expect(issues.files == [#fileID])
        let text = """
            The test does not override Store, so the request resolved the real registration.
              registered at \(#fileID):\(registeredAt + 1)
              requested at \(#fileID):\(line)
              fix: register a fake of Store in the overrides of the test
               or: declare that the test uses the real registration: `.strict(testing: Store.self)`
            """
        #expect(issues.texts == [text])
    }

    @Test("An alias of an overridden type records no issue, decorated or not", arguments: [production, decorated])
    func aliasOfOverridden(_ container: DIContainer) {
        withDependencies(.strict(from: container)) {
            Shared(Store(logger: FakeLogger()))
        } in: {
            #expect(issues { _ = DIContainer.resolve((any Archive).self) }.texts.isEmpty)
        }
    }

    @Test("The issue shows the path to the request")
    func path() throws {
        let line = #line + 1
        let issues = issues { _ = DIContainer.resolve(Report.self) }
        #expect(issues.lines == [line, Int(registeredAt) + 2])
        let text = try #require(issues.texts.last)
        let path =
            "\n  path:\n    Report  (registered at \(#fileID):\(registeredAt + 2))\n    → Store\n  fix: "
        #expect(text.hasPrefix("The test does not override Store, so the request resolved the real registration."))
        #expect(text.contains(path))
    }

    @Test("Every place of a request is recorded once, even if the instance is built")
    func everyPlace() {
        let line = #line + 2
        let issues = issues {
            for _ in 0..<3 { _ = DIContainer.resolve(Store.self) }
            _ = DIContainer.resolve(Store.self)
        }
        #expect(issues.lines == [line, line + 1])
    }

    @Test("Builds by validation aren't recorded as requests of the test")
    func validation() async throws {
        // An issue would fail this test.
        try await DIContainer.current.validate(.building(within: .seconds(240)) { _ in [1] })
    }

    @Test("Requests of every form for every lifetime are recorded")
    func forms() {
        let count = { (work: () -> Void) in issues(work).texts.count }
        let new = issues { #expect(DIContainer.resolve(Page.self, arguments: 3).number == 3) }
        #expect(new.texts.count == 1)
        let fix = "register a fake of Page in the overrides of the test\n"
        #expect(new.texts.first?.contains(fix) == true)
        let named = issues { #expect(DIContainer.resolve(Page.self, name: "named").number == 7) }
        #expect(named.texts.first?.hasPrefix("The test does not override Page named \"named\", so") == true)
        #expect(
            named.texts.first?.contains(
                "register a fake of Page named \"named\" in the overrides of the test\n")
                == true)
        let scoped = count { #expect(DIContainer.resolve(Cache.self) === DIContainer.resolve(Cache.self)) }
        #expect(scoped == 1)
        let optional = count { #expect(DIContainer.resolve(Cache?.self) != nil) }
        #expect(optional == 1)
        let missing = count { #expect(DIContainer.resolve(Int?.self) == nil) }
        #expect(missing == 0)
        let all = count { #expect(DIContainer.resolve.all(Cache.self).count == 1) }
        #expect(all == 1)
        let throwing = count { #expect((try? DIContainer.resolve.orThrow(Store.self)) != nil) }
        #expect(throwing == 1)
        let weak = count {
            let tool = DIContainer.resolve(Tool.self)
            #expect(DIContainer.resolve(Tool.self) === tool)
        }
        #expect(weak == 2)
        let graph = count { #expect(DIContainer.resolve(Box.self).cache === DIContainer.resolve(Cache.self)) }
        #expect(graph == 3)
        let alias = count { for _ in 0..<2 { #expect(DIContainer.resolve((any Archive).self) is Store) } }
        #expect(alias == 1)
    }

    @Test("Requests by wrappers, providers and other tasks are recorded")
    func wrappers() async {
        let found = Issues()
        await found.collect(where: \.isStrict) {
            let owner = Owner()
            #expect(owner.logger is FakeLogger)
            #expect(found.texts.isEmpty)
            #expect(owner.store.logger is FakeLogger)
            _ = owner.store
            #expect(found.texts.count == 1)
            let number = await Task { owner.makePage(4).number }.value
            #expect(number == 4)
            #expect(found.texts.count == 2)
            async let page = DIContainer.resolve(Page.self, arguments: 5).number
            #expect(await page == 5)
            #expect(found.texts.count == 3)
        }
    }

    @MainActor
    @Test("Requests for main-actor types are recorded")
    func mainActor() {
        let issues = issues { for _ in 0..<2 { _ = DIContainer.resolve(Window.self) } }
        #expect(issues.texts.count == 1)
        #expect(
            issues.texts.first?.contains("register a fake of Window in the overrides of the test\n")
                == true)
    }

    @Test("A request for an asynchronous factory records one issue")
    func asynchronous() async throws {
        let found = Issues()
        try await found.collect(where: \.isStrict) {
            let database = try await DIContainer.resolve.async(Database.self)
            #expect(found.texts.count == 1)
            #expect(DIContainer.resolve(Database.self) === database)
            #expect(found.texts.count == 2)
        }
    }

    @Test("Many concurrent tasks get one instance, and record one issue for each place")
    func tasks() async {
        let found = Issues()
        await found.collect(where: \.isStrict) {
            let stores = await withTaskGroup { group in
                for _ in 0..<100 { group.addTask { ObjectIdentifier(DIContainer.resolve(Store.self)) } }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(stores.count == 1)
        }
        #expect(found.texts.count == 1)
    }

    @Test("The fork of a grandchild is strict except for the child's registrations")
    func childFork() {
        let child = DIContainer.current.makeChild().makeChild { Shared(2) }
        let issues = issues {
            DIContainer.withContainer(child) {
                DIContainer.withOverrides({ Shared("text") }) {
                    _ = DIContainer.resolve(Store.self)
                    #expect(DIContainer.resolve(Int.self) == 2 && DIContainer.resolve(String.self) == "text")
                }
            }
        }
        #expect(issues.texts.count == 1)
    }

    @Test("The test's own registrations record no issue, and its fork is strict")
    func registered() throws {
        DIContainer.register(Shared(2))
        #expect(try DIContainer.resolve.orThrow(Int.self) == 2)
        let issues = issues {
            DIContainer.withOverrides({ Shared(3) }) {
                #expect(DIContainer.resolve(Int.self) == 3)
                #expect(DIContainer.resolve((any Logger).self) is FakeLogger)
                _ = DIContainer.resolve(Cache.self)
            }
        }
        #expect(issues.texts.count == 1)
    }

    @Test(
        "The overrides of enclosing scopes apply, including decorators",
        .dependencies {
            Shared(Store(logger: FakeLogger()))
            Decorate(Page.self, name: "named") { page, _ in Page(number: page.number + 1) }
        }, .dependencies(.strict))
    func enclosing() throws {
        #expect(try DIContainer.resolve.orThrow((any Logger).self) is FakeLogger)
        #expect(try DIContainer.resolve.orThrow((any Archive).self) is Store)
        #expect(try DIContainer.resolve.orThrow(Page.self, name: "named").number == 8)
        let issues = issues { _ = DIContainer.resolve(Cache.self) }
        #expect(issues.texts.count == 1)
    }

    @Test("A new container is not strict", .dependencies(from: production))
    func notStrict() throws {
        #expect(try DIContainer.resolve.orThrow(Store.self).logger is FileLogger)
    }

    @Test("Requests in the base container aren't recorded")
    func original() throws {
        let issues = issues { _ = DIContainer.resolve(Store.self) }
        #expect(issues.texts.count == 1)
        #expect(try production.resolve.orThrow(Store.self).logger is FileLogger)
        let child = production.makeChild { Shared(FakeLogger() as any Logger) }
        #expect(try child.resolve.orThrow(Cache.self) !== production.resolve.orThrow(Cache.self))
    }

    @Test("A strict container records replaced registrations", .dependencies(.strict(from: replaced)))
    func validation() throws {
        #expect(try DIContainer.current.validate().map(\.kind) == [.replaced])
    }

    @Test("The inner one of two strict traits applies", .dependencies(.strict) { Shared(Cache()) })
    func twice() throws {
        #expect(try DIContainer.resolve.orThrow((any Logger).self) is FakeLogger)
        #expect(try DIContainer.resolve.orThrow(Cache.self) === DIContainer.resolve.orThrow(Cache.self))
        let issues = issues { _ = DIContainer.resolve(Store.self) }
        #expect(issues.texts.count == 1)
    }

    @Test(
        "A suite's override in another container doesn't apply", .dependencies { clock },
        .dependencies(.strict(from: DIContainer { clock })))
    func overriddenInAnotherContainer() {
        let issues = issues { _ = DIContainer.resolve(Clock.self) }
        #expect(issues.texts.count == 1)
    }
}
