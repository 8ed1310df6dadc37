import DependencyInjection
import Testing

private protocol Plugin: Sendable { var title: String { get } }
private protocol Command: Sendable {}

private final class Spelling: Plugin, Command {
    let title: String
    init(_ title: String = "spelling") { self.title = title }
}
private final class Grammar: Plugin, Command {
    let title: String
    init(_ title: String = "grammar") { self.title = title }
}
private struct Framed: Plugin {
    let base: any Plugin
    var title: String { "framed \(base.title)" }
}
private final class Editor: Sendable {
    let plugins: [any Plugin]
    init(plugins: [any Plugin]) { self.plugins = plugins }
}

private enum SpellingFeature {
    static let module = Module { Shared { _ in Spelling() }.into((any Plugin).self) }
}
private enum GrammarFeature {
    static let module = Module("Grammar") { Shared(Grammar() as any Plugin).into((any Plugin).self) }
}

private func texts(_ plugins: [any Plugin]) -> [String] { plugins.map(\.title) }

/// The titles of a collection, which every form of request contains.
private func titles(_ container: DIContainer, _ location: SourceLocation = #_sourceLocation) throws -> [String] {
    let plugins = try container.resolve.orThrow.all((any Plugin).self)
    for others in [
        Array(try container.resolve.orThrow(All<any Plugin>.self)),
        // An array isn't available without contributions.
        try container.resolve.orThrow([any Plugin]?.self) ?? plugins,
    ] {
        #expect(others.map(\.title) == plugins.map(\.title), sourceLocation: location)
    }
    return plugins.map(\.title)
}

@Suite("Rule 23: Modules can contribute to one collection")
struct ContributionTests {
    @Test("Modules contribute to a collection, in the order of registration")
    func modules() throws {
        let container = DIContainer {
            SpellingFeature.module
            GrammarFeature.module
            Shared(Spelling("third") as any Plugin).into((any Plugin).self)
            New(autowiring: Editor.init)
        }
        #expect(texts(try container.resolve.orThrow(Editor.self).plugins) == ["spelling", "grammar", "third"])
        #expect(try titles(container) == ["spelling", "grammar", "third"])
        #expect(texts(try container.resolve.orThrow([any Plugin].self)) == ["spelling", "grammar", "third"])
        let provider = try container.resolve.orThrow(Provider<[any Plugin]>.self)
        #expect(provider().count == 3)
        // Plain: the wrapper has no other form.
        @Inject(from: container) var injected: [any Plugin]
        @LazyInject(from: container) var later: [any Plugin]
        #expect(injected.count == 3 && later.count == 3)
    }

    @Test("The element is the instance of the registration")
    func sameInstance() throws {
        let container = DIContainer { SpellingFeature.module }
        let element = try #require(try container.resolve.orThrow([any Plugin].self).first)
        #expect(isSame(element, try container.resolve.orThrow(Spelling.self)))
        #expect(isSame(element, try container.resolve.orThrow.all((any Plugin).self)[0]))
    }

    @Test("A contribution of the collected type is found in the collection only")
    func collectionOnly() throws {
        let container = DIContainer { GrammarFeature.module }
        #expect(!container.isRegistered((any Plugin).self))
        #expect(!container.isRegistered([any Plugin].self))
        #expect(try container.resolve.orThrow((any Plugin)?.self) == nil)
        let error = failure { _ = try container.resolve.orThrow((any Plugin).self) }
        #expect(error?.kind == "notRegistered")
        #expect(error?.description.contains("any Plugin  (contributed at \(#fileID):") == true)
        container.register(Shared(Grammar("single") as any Plugin))
        #expect(container.isRegistered((any Plugin).self))
        #expect(try container.resolve.orThrow((any Plugin).self).title == "single")
        #expect(try titles(container) == ["grammar", "single"])
    }

    @Test("A module that is registered twice contributes once")
    func registeredTwice() throws {
        let container = DIContainer {
            GrammarFeature.module
            SpellingFeature.module
            Module { GrammarFeature.module }
        }
        container.register(SpellingFeature.module)
        #expect(try titles(container) == ["grammar", "spelling"])
        let child = container.makeChild { GrammarFeature.module }
        #expect(try titles(child) == ["grammar", "spelling"])
    }

    @Test("Registering a contributed type again replaces it in the collection")
    func replaced() throws {
        let container = DIContainer {
            Shared(Spelling("first")).into((any Plugin).self)
            Shared(Spelling("second")).into((any Plugin).self)
            Shared(Grammar()).into((any Plugin).self)
        }
        #expect(try titles(container) == ["second", "grammar"])
        container.register(Shared(Spelling("third")))
        #expect(try titles(container) == ["third", "grammar"])
    }

    @Test("An array of the type that is registered itself takes precedence")
    func registeredArray() throws {
        let container = DIContainer {
            SpellingFeature.module
            Shared([Grammar("listed")] as [any Plugin])
        }
        #expect(texts(try container.resolve.orThrow([any Plugin].self)) == ["listed"])
        #expect(texts(try container.resolve.orThrow.all((any Plugin).self)) == ["spelling"])
        let child = DIContainer { SpellingFeature.module }.makeChild { Shared([] as [any Plugin]) }
        #expect(try child.resolve.orThrow([any Plugin].self).isEmpty)
    }

    @Test("An array without contributions isn't available")
    func unavailable() throws {
        let container = DIContainer { Shared(Grammar() as any Plugin) }
        #expect(failure { _ = try container.resolve.orThrow([any Plugin].self) }?.kind == "notRegistered")
        #expect(try container.resolve.orThrow([any Plugin]?.self) == nil)
        #expect(try container.resolve.orThrow.all((any Plugin).self).count == 1)
        let named = DIContainer { SpellingFeature.module }
        #expect(failure { _ = try named.resolve.orThrow([any Plugin].self, name: "x") }?.kind == "notRegistered")
        #expect(
            failure { _ = try named.resolve.orThrow([any Plugin].self, arguments: 1) }?.kind == "argumentMismatch")
    }

    @Test("One registration contributes to several collections")
    func severalCollections() throws {
        let both = Module {
            Shared(Spelling()).into((any Plugin).self).into((any Command).self)
            Shared(Grammar() as any Plugin).into((any Plugin).self).into((any Command).self)
            Shared(Grammar("other") as any Plugin).into((any Command).self).into((any Plugin).self)
        }
        let container = DIContainer {
            both
            both
        }
        #expect(try titles(container) == ["spelling", "grammar", "other"])
        let commands = try container.resolve.orThrow([any Command].self)
        #expect(commands.count == 3)
        for (command, plugin) in zip(commands, try container.resolve.orThrow([any Plugin].self)) {
            #expect(isSame(command, plugin), "\(command)")
        }
        let twice = DIContainer {
            Shared(Spelling()).into((any Plugin).self).into((any Plugin).self)
            Shared(Grammar() as any Plugin).into((any Plugin).self).into((any Plugin).self)
        }
        #expect(try titles(twice) == ["spelling", "grammar"])
    }

    @Test("An alias and a contribution of one type are one element")
    func aliases() throws {
        let container = DIContainer {
            Shared(Spelling(), as: (any Plugin).self).into((any Plugin).self)
            Shared(Grammar() as any Plugin, as: (any Command).self).into((any Plugin).self)
        }
        #expect(try titles(container) == ["spelling", "grammar"])
        #expect(try container.resolve.orThrow((any Plugin).self).title == "spelling")
        #expect(
            try isSame(
                container.resolve.orThrow((any Command).self), container.resolve.orThrow.all((any Plugin).self)[1]))
        container.register(Shared(Grammar("new") as any Plugin))
        #expect(try titles(container) == ["spelling", "grammar", "new"])
        let commands = DIContainer {
            Shared(Grammar() as any Plugin, as: (any Command).self).into((any Plugin).self)
            Shared(Spelling() as any Plugin).into((any Command).self)
        }
        #expect(try commands.resolve.orThrow([any Command].self).count == 2)
        let child = container.makeChild { Shared(Spelling("child's"), as: (any Plugin).self) }
        #expect(try titles(child) == ["child's", "grammar"])
    }

    @Test("Names distinguish contributions, and select them")
    func names() throws {
        let container = DIContainer {
            Shared(Spelling("English"), name: "en").into((any Plugin).self)
            Shared(Spelling("Spanish"), name: "es").into((any Plugin).self)
            Shared(Grammar("English grammar") as any Plugin, name: "en").into((any Plugin).self)
            Shared(Spelling("unnamed")).into((any Plugin).self)
        }
        #expect(try titles(container) == ["English", "Spanish", "English grammar", "unnamed"])
        #expect(
            texts(try container.resolve.orThrow.all((any Plugin).self, name: "en"))
                == ["English", "English grammar"])
        // Plain: the wrapper has no other form.
        @Inject(from: container, name: "es") var spanish: All<any Plugin>
        #expect(spanish.map(\.title) == ["Spanish"])
        #expect(!container.isRegistered((any Plugin).self, name: "en"))
        #expect(try container.resolve.orThrow(Spelling.self, name: "en").title == "English")
    }

    @Test("A child's contributions come before its parent's")
    func children() throws {
        let parent = DIContainer {
            SpellingFeature.module
            GrammarFeature.module
        }
        let child = parent.makeChild {
            Shared(Grammar("child's") as any Plugin).into((any Plugin).self)
            Shared(Spelling("child's spelling")).into((any Plugin).self)
        }
        #expect(try titles(child) == ["child's", "child's spelling", "grammar"])
        #expect(try titles(parent) == ["spelling", "grammar"])
        #expect(try titles(child.fork()) == ["child's", "child's spelling", "grammar"])
        // The parent's contribution leads to the child's registration.
        let overriding = parent.makeChild { Shared(Spelling("overridden")) }
        #expect(try titles(overriding) == ["overridden", "grammar"])
        #expect(try titles(overriding.makeChild().fork()) == ["overridden", "grammar"])
    }

    @Test("Rules 10, 23: a parent's Shared never gets a child's contributions")
    func parentsShared() throws {
        let parent = DIContainer {
            SpellingFeature.module
            Shared(autowiring: Editor.init)
        }
        let child = parent.makeChild { GrammarFeature.module }
        #expect(texts(try child.resolve.orThrow(Editor.self).plugins) == ["spelling"])
        let empty = DIContainer { Shared(autowiring: Editor.init) }
        #expect(
            failure { _ = try empty.makeChild { SpellingFeature.module }.resolve.orThrow(Editor.self) }?.kind
                == "notRegistered")
    }

    @Test("Rules 3, 23: unregistering a type removes its contributions")
    func unregister() throws {
        let container = DIContainer {
            SpellingFeature.module
            GrammarFeature.module
            Shared(Grammar("named") as any Plugin, name: "x").into((any Plugin).self).into((any Command).self)
            Shared(Grammar("single") as any Plugin)
        }
        container.unregister(Spelling.self, name: "x")
        #expect(try titles(container) == ["spelling", "grammar", "named", "single"])
        container.unregister(Spelling.self)
        #expect(try titles(container) == ["grammar", "named", "single"])
        // These are registrations of the type itself.
        container.unregister((any Plugin).self)
        #expect(try titles(container) == ["named"])
        #expect(try container.resolve.orThrow([any Command].self).count == 1)
        container.unregister((any Plugin).self, name: "x")
        #expect(try titles(container).isEmpty)
        #expect(failure { _ = try container.resolve.orThrow([any Command].self) }?.kind == "notRegistered")
        container.register(GrammarFeature.module)
        #expect(try titles(container) == ["grammar"])
        container.reset()
        #expect(try titles(container).isEmpty)
    }

    @Test("Rules 3, 23: unregistering the collected type leaves contributions of other types")
    func unregisterCollected() throws {
        let container = DIContainer {
            SpellingFeature.module
            Decorate((any Plugin).self) { base, _ in Framed(base: base) }
        }
        #expect(try titles(container) == ["framed spelling"])
        container.unregister((any Plugin).self)
        #expect(try titles(container) == ["spelling"])
        // A child's registration is its own.
        let child = container.makeChild { Shared(Spelling("child's")).into((any Plugin).self) }
        child.unregister(Spelling.self)
        #expect(try titles(child) == ["spelling"])
    }

    @Test("An instance that isn't of the collected type is an error of the collection only")
    func mismatch() throws {
        let line: UInt = #line + 1
        let container = DIContainer { Shared(Ticket(number: 1)).into((any Plugin).self) }
        let error = #expect(throws: ResolutionError.self) { try container.resolve.orThrow([any Plugin].self) }
        #expect(error?.reason == .typeMismatch)
        #expect(error?.description.contains("any Plugin  (contributed at \(#fileID):\(line))") == true)
        #expect(failure { _ = try container.resolve.orThrow.all((any Plugin).self) }?.kind == "typeMismatch")
        #expect(try container.resolve.orThrow(Ticket.self).number == 1)
    }

    @Test("Rules 16, 23: a cycle through a collection is found, and shows the path")
    func cycle() throws {
        final class Page: Sendable { init(_ plugins: [any Plugin]) {} }
        struct Wiki: Plugin {
            let title = "wiki"
            init(_ page: Page) {}
        }
        struct Chapter: Plugin {
            let title = "chapter"
            init(_ chapters: [any Plugin]) {}
        }
        let container = DIContainer {
            Shared(autowiring: Page.init)
            Shared(autowiring: Wiki.init).into((any Plugin).self)
        }
        let error = failure { _ = try container.resolve.orThrow(Page.self) }
        #expect(error?.kind == "cycle")
        #expect(error?.description.hasPrefix("Circular dependency: ContributionTests.Page → any Plugin → ") == true)
        let own = DIContainer { Shared(autowiring: { Chapter($0) as any Plugin }).into((any Plugin).self) }
        let circle = failure { _ = try own.resolve.orThrow([any Plugin].self) }
        #expect(circle?.description.hasPrefix("Circular dependency: any Plugin → any Plugin\n") == true)
    }
}

@Suite("Rule 23: Modules can contribute to one collection (decorators of a collection)")
struct DecoratedContributionTests {
    private static let module = Module(Decorate((any Plugin).self) { base, _ in Framed(base: base) })

    @Test("Rule 17: In the fork of a grandchild, decorators wrap a contribution as they wrap a registration")
    func orderInFork() throws {
        func mark(_ text: String) -> Decorate { Decorate(String.self) { base, _ in base + text } }
        func fork(of registration: Shared<String>) -> DIContainer {
            let child = DIContainer { registration }.makeChild {
                mark("1")
                mark("2")
            }
            return child.makeChild { mark("3") }.makeChild { mark("4") }.fork()
        }
        #expect(try fork(of: Shared("a")).resolve.orThrow(String.self) == "a1234")
        #expect(try fork(of: Shared("a").into(String.self)).resolve.orThrow.all(String.self) == ["a1234"])
    }

    @Test("Rules 17, 23: a decorator of the type wraps its contributions, registered before or later")
    func wraps() throws {
        let container = DIContainer {
            SpellingFeature.module
            Self.module
            GrammarFeature.module
        }
        #expect(try titles(container) == ["framed spelling", "framed grammar"])
        #expect(try container.resolve.orThrow(Spelling.self).title == "spelling")
        container.register(Decorate((any Plugin).self) { base, _ in Framed(base: base) })
        container.register(Shared(Grammar("new") as any Plugin))
        #expect(try titles(container) == ["framed framed spelling", "framed framed grammar", "framed framed new"])
        let first = try container.resolve.orThrow.all((any Plugin).self)
        #expect(zip(first, container.resolve.all((any Plugin).self)).allSatisfy { type(of: $0) == type(of: $1) })
    }

    @Test("Rules 17, 23: the same decorator wraps a contribution once")
    func once() throws {
        let container = DIContainer {
            Self.module
            SpellingFeature.module
            Self.module
            SpellingFeature.module
        }
        #expect(try titles(container) == ["framed spelling"])
        #expect(try titles(container.makeChild { Self.module }) == ["framed spelling"])
        #expect(try titles(container.makeChild { Self.module }.fork()) == ["framed spelling"])
    }

    @Test("Rules 17, 23: a decorated element of a cached registration is built once")
    func cached() throws {
        final class Box: Plugin {
            let base: any Plugin
            var title: String { base.title }
            init(_ base: any Plugin) { self.base = base }
        }
        let container = DIContainer {
            SpellingFeature.module
            GrammarFeature.module
            Decorate((any Plugin).self) { base, _ in Box(base) }
        }
        let (first, second) = try (
            container.resolve.orThrow.all((any Plugin).self), container.resolve.orThrow.all((any Plugin).self)
        )
        for (first, second) in zip(first, second) { #expect(isSame(first, second), "\(first) \(second)") }
        container.resetInstances()
        for (first, other) in zip(first, container.resolve.all((any Plugin).self)) {
            #expect(!isSame(first, other), "\(other)")
        }
    }

    @Test("Rules 17, 23: a decorator with a name wraps the contributions of that name")
    func named() throws {
        let container = DIContainer {
            Shared(Spelling("en"), name: "en").into((any Plugin).self)
            SpellingFeature.module
            Decorate((any Plugin).self, name: "en") { base, _ in Framed(base: base) }
        }
        #expect(try titles(container) == ["framed en", "spelling"])
    }

    @Test("Rules 17, 23: in a child, a decorator of a parent's contributions is an error")
    func misplaced() throws {
        let parent = DIContainer {
            SpellingFeature.module
            GrammarFeature.module
        }
        let child = parent.makeChild { Self.module }
        for (row, container) in ["child": child, "child.makeChild()": child.makeChild()] as KeyValuePairs {
            #expect(
                failure { _ = try container.resolve.orThrow([any Plugin].self) }?.kind == "misplacedDecorator", "\(row)"
            )
            #expect(
                failure { _ = try container.resolve.orThrow(All<any Plugin>.self) }?.kind == "misplacedDecorator",
                "\(row)")
            #expect(try container.resolve.orThrow(Spelling.self).title == "spelling", "\(row)")
        }
        #expect(try titles(parent) == ["spelling", "grammar"])
        #expect(try titles(child.fork()) == ["framed spelling", "framed grammar"])
        #expect(try titles(child.makeChild().fork()) == ["framed spelling", "framed grammar"])
        parent.register(Self.module)
        #expect(try titles(child) == ["framed spelling", "framed grammar"])
    }

    @Test("Rules 17, 23: a child's registration of the type has its own decorators")
    func childsRegistration() throws {
        let parent = DIContainer {
            SpellingFeature.module
            Shared(Grammar("parent's") as any Plugin)
        }
        let child = parent.makeChild {
            Shared(Grammar("child's") as any Plugin)
            Self.module
        }
        #expect(try titles(child) == ["framed child's", "spelling"])
        #expect(try titles(child.fork()) == ["framed child's", "spelling"])
        let grandchild = parent.makeChild { Self.module }
        #expect(try titles(grandchild.fork()) == ["framed spelling", "framed parent's"])
    }
}

@Suite("Rule 23: Modules can contribute to one collection (lifetimes in a collection)")
struct ContributionLifetimeTests {
    private final class Counted: Plugin {
        let title: String
        init(_ title: String) { self.title = title }
    }
    private struct Count: Sendable {
        let counter = Counter()
        func make(_ title: String) -> @Sendable (Resolver) -> Counted {
            { [counter] _ in counter.counting(Counted(title)) }
        }
    }

    private static func module(_ count: Count, isOwnType: Bool) -> Module {
        let make: (String) -> @Sendable (Resolver) -> any Plugin = { title in
            let make = count.make(title)
            return { make($0) as any Plugin }
        }
        let plugin = (any Plugin).self
        return isOwnType
            ? Module {
                Shared(make("shared")).into(plugin)
                Scoped(make("scoped")).into(plugin)
                Weak(make("weak")).into(plugin)
                Graph(make("graph")).into(plugin)
                New(make("new")).into(plugin)
            }
            : Module {
                Shared(count.make("shared"), name: "shared").into(plugin)
                Scoped(count.make("scoped"), name: "scoped").into(plugin)
                Weak(count.make("weak"), name: "weak").into(plugin)
                Graph(count.make("graph"), name: "graph").into(plugin)
                New(count.make("new"), name: "new").into(plugin)
            }
    }

    @Test("Each lifetime has its meaning in a collection", arguments: [false, true])
    func lifetimes(_ isOwnType: Bool) throws {
        let count = Count()
        let app = DIContainer { Self.module(count, isOwnType: isOwnType) }
        let first = try app.resolve.orThrow([any Plugin].self)
        #expect(first.map(\.title) == ["shared", "scoped", "weak", "graph", "new"])
        #expect(count.counter.count == 5)
        // The first collection retains the weak instance.
        let second = try app.resolve.orThrow([any Plugin].self)
        #expect(zip(first, second).map { isSame($0, $1) } == [true, true, true, false, false])
        let child = app.makeChild()
        let third = try child.resolve.orThrow([any Plugin].self)
        #expect(zip(first, third).map { isSame($0, $1) } == [true, false, true, false, false])
        #expect(isSame(try child.resolve.orThrow([any Plugin].self)[1], third[1]))
        app.resetInstances()
        let fourth = try app.resolve.orThrow([any Plugin].self)
        #expect(!zip(first, fourth).contains { isSame($0, $1) })
        let fork = app.fork()
        #expect(!zip(fourth, try fork.resolve.orThrow([any Plugin].self)).contains { isSame($0, $1) })
    }

    @Test("Rules 12, 23: nothing but the collection retains a weak element")
    func weakElement() throws {
        let count = Count()
        let container = DIContainer { Weak(count.make("weak")).into((any Plugin).self) }
        var plugins = try container.resolve.orThrow([any Plugin].self)
        weak let plugin = plugins.first as AnyObject?
        #expect(plugin != nil)
        plugins = []
        #expect(plugin == nil)
        #expect(try container.resolve.orThrow.all((any Plugin).self).count == 1)
        #expect(count.counter.count == 2)
    }

    @Test("Rules 1, 23: replacing or unregistering a contribution releases its instance", arguments: [false, true])
    func released(_ isOwnType: Bool) throws {
        let count = Count()
        let container = DIContainer { Self.module(count, isOwnType: isOwnType) }
        weak var shared = try container.resolve.orThrow([any Plugin].self).first as AnyObject?
        #expect(shared != nil)
        if isOwnType {
            container.unregister((any Plugin).self)
        } else {
            container.unregister(Counted.self, name: "shared")
        }
        #expect(shared == nil)
        let decorated = DIContainer { Self.module(count, isOwnType: isOwnType) }
        shared = try decorated.resolve.orThrow([any Plugin].self).first as AnyObject?
        decorated.register(Decorate((any Plugin).self) { base, _ in base })
        // A contribution of another type is an alias, so its decorator releases only the decorated box.
        #expect((shared == nil) == isOwnType)
    }

    @Test("The members of one collection share the Graph that they need")
    func oneGraph() throws {
        struct User: Plugin {
            let part: Counted
            var title: String { part.title }
        }
        let count = Count()
        let container = DIContainer {
            Graph(count.make("part"))
            New { resolve in User(part: resolve()) as any Plugin }.into((any Plugin).self)
            New { resolve in User(part: resolve()) as any Plugin }.into((any Plugin).self)
        }
        let users = try container.resolve.orThrow([any Plugin].self).compactMap { $0 as? User }
        #expect(users.count == 2 && users[0].part === users[1].part)
    }

    @Test("Rules 20, 23: a contribution closes its instance once, with onClose before or after into")
    func closing() async throws {
        let log = Locked<[String]>([])
        let close: @Sendable (any Plugin) -> Void = { plugin in log.withLock { $0.append(plugin.title) } }
        let app = DIContainer {
            Shared(Counted("before")).onClose { close($0) }.into((any Plugin).self)
            Shared(Counted("after"), name: "after").into((any Plugin).self).into((any Sendable).self).onClose {
                close($0)
            }
            Shared(Grammar("own before") as any Plugin).onClose { close($0) }.into((any Plugin).self)
            Shared(Grammar("own after") as any Plugin).into((any Plugin).self).onClose { close($0) }
            Decorate((any Plugin).self) { base, _ in Framed(base: base) }
        }
        #expect(try titles(app) == ["framed before", "after", "framed own before", "framed own after"])
        _ = try app.resolve.orThrow(Counted.self)
        try await app.close()
        #expect(log.withLock { $0 } == ["own after", "own before", "after", "before"])
        #expect(failure { _ = try app.resolve.orThrow([any Plugin].self) }?.kind == "closed")
    }

    @Test("Rules C10, 23: asynchronous contributions are prepared and awaited", arguments: [false, true])
    func asynchronous(_ isPrepared: Bool) async throws {
        let container = DIContainer {
            Shared(async: { _ in
                await Task.yield()
                return Counted("first")
            }).into((any Plugin).self)
            Shared(async: { _ in Counted("second") as any Plugin }).into((any Plugin).self)
            New(autowiring: Editor.init)
        }
        #expect(failure { _ = try container.resolve.orThrow([any Plugin].self) }?.kind == "asyncRequired")
        if isPrepared {
            try await container.prepare()
        } else {
            let editor = try await container.resolve.async(Editor.self)
            #expect(editor.plugins.map(\.title) == ["first", "second"])
            #expect(try await container.resolve.async([any Plugin].self).count == 2)
        }
        #expect(try titles(container) == ["first", "second"])
    }

    @MainActor
    @Test("Rules C6, 23: a main-actor contribution is resolved on the main actor only")
    func mainActor() async throws {
        let container = DIContainer {
            SpellingFeature.module
            Shared(mainActor: Counted("window")).into((any Plugin).self)
            New(mainActor: Counted("own") as any Plugin).into((any Plugin).self)
        }
        #expect(try titles(container) == ["spelling", "window", "own"])
        await Task { @concurrent in
            await Task.yield()
            #expect(failure { _ = try container.resolve.orThrow([any Plugin].self) }?.kind == "mainActorRequired")
        }.value
    }

    @Test("Rules 9, 23: a contribution that takes arguments can't be collected")
    func arguments() {
        let container = DIContainer {
            New { (_, title: String) in Counted(title) as any Plugin }.into((any Plugin).self)
        }
        #expect(failure { _ = try container.resolve.orThrow([any Plugin].self) }?.kind == "argumentMismatch")
    }

    @Test("Rules C1, 23: threads that contribute and collect find whole collections")
    func threads() async throws {
        let container = DIContainer { Shared(Grammar("0") as any Plugin).into((any Plugin).self) }
        await withTaskGroup { group in
            for writer in 0..<4 {
                group.addTask {
                    for round in 0..<100 {
                        let title = "\(writer)-\(round)"
                        container.register(Shared(Grammar(title) as any Plugin).into((any Plugin).self))
                        let titles = container.resolve([any Plugin].self).map(\.title)
                        if Set(titles).count != titles.count || !titles.contains(title) || titles[0] != "0" {
                            Issue.record("\(titles)")
                        }
                    }
                }
            }
        }
        #expect(try titles(container).count == 401)
    }
}
