import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Rule 17: Decorators wrap a type and keep its lifetime", .serialized, .mayHang, .ownThread)
struct DecorateTests {
    @Test("Run in registration order, before or after the decorated registration, until it is removed")
    func stack() throws {
        let container = DIContainer {
            tune("inner")
            Shared(Diesel() as any Engine)
            Module { tune("outer") }
        }
        #expect(try container.resolve.orThrow((any Engine).self).kind == "outer inner diesel")
        container.register(Shared(Diesel(kind: "new") as any Engine))
        #expect(try container.resolve.orThrow((any Engine).self).kind == "outer inner new")
        container.register { tune("last") }
        #expect(try container.resolve.orThrow((any Engine).self).kind == "last outer inner new")
        container.unregister((any Engine).self)
        container.register(New(Diesel() as any Engine))
        #expect(try container.resolve.orThrow((any Engine).self).kind == "diesel")
        container.register(tune())
        container.reset()
        container.register(Shared(Diesel() as any Engine))
        #expect(try container.resolve.orThrow((any Engine).self).kind == "diesel")
    }

    @Test("Preserve the lifetime of the decorated registration")
    func lifetimes() throws {
        let tuned = Counter()
        let container = DIContainer {
            Shared(Diesel() as any Engine)
            New(Diesel() as any Engine, name: "new")
            Weak(Diesel() as any Engine, name: "weak")
            for name in [nil, "new", "weak"] as [RegistrationName?] { tune(name: name, calls: tuned) }
        }
        #expect(try isSame(container.resolve.orThrow((any Engine).self), container.resolve.orThrow((any Engine).self)))
        #expect(tuned.count == 1)
        let new = try container.resolve.orThrow((any Engine).self, name: "new")
        #expect(try !isSame(new, container.resolve.orThrow((any Engine).self, name: "new")))
        #expect(tuned.count == 3)
        var held: (any Engine)? = try container.resolve.orThrow(name: "weak")
        #expect(try isSame(held!, container.resolve.orThrow((any Engine).self, name: "weak")))
        #expect(tuned.count == 4)
        weak let gone = held as? Tuned
        held = nil
        #expect(gone == nil)
    }

    @Test("An alias is decorated once if its target is shared")
    func decoratedAlias() throws {
        let container = DIContainer {
            Shared(Diesel.init, as: (any Engine).self, (any Starter).self)
            tune()
        }
        let engine = try container.resolve.orThrow((any Engine).self)
        #expect(engine.kind == "tuned diesel")
        #expect(try isSame(engine, container.resolve.orThrow((any Engine).self)))
        #expect(try isSame((engine as! Tuned).base, container.resolve.orThrow(Diesel.self)))
        #expect(try isSame(container.resolve.orThrow((any Starter).self), container.resolve.orThrow(Diesel.self)))
        #expect(try isSame(container.makeChild().resolve.orThrow((any Engine).self), engine))
    }

    @Test("Wrap each name separately, resolve dependencies, rethrow errors")
    func namesAndErrors() throws {
        let container = DIContainer {
            Shared(Diesel() as any Engine)
            Shared(Diesel() as any Engine, name: "main")
            Decorate((any Engine).self, name: "main") { base, resolve in
                Tuned(base, "\(resolve(Ticket.self).number)")
            }
            Shared(Ticket(number: 7))
            New(1)
            Decorate(Int.self) { _, _ in throw Sabotage() }
        }
        #expect(try container.resolve.orThrow((any Engine).self).kind == "diesel")
        #expect(try container.resolve.orThrow((any Engine).self, name: "main").kind == "7 diesel")
        #expect(container.error(of: Int.self)?.kind == "factoryFailed")
    }

    @Test("Rules 17, C6: with mainActor:, the decorated type belongs to the main actor")
    func mainActor() async {
        let container = DIContainer {
            Shared(Diesel() as any Engine)
            Decorate((any Engine).self, mainActor: { base, _ in Tuned(base) })
        }
        #expect(container.error(of: (any Engine).self)?.kind == "mainActorRequired")
        await MainActor.run {
            #expect(container.resolve((any Engine).self).kind == "tuned diesel")
            #expect(isSame(container.resolve((any Engine).self), container.resolve((any Engine).self)))
        }
        #expect(container.error(of: (any Engine).self)?.kind == "mainActorRequired")
    }

    @Test(
        "Rules 7, C8: many threads on the first resolution get one decorated instance", arguments: [false, true],
        [false, true])
    func race(isChild: Bool, isScoped: Bool) {
        for round in 0..<raceRounds {
            let tuned = Counter()
            let parent = DIContainer {
                if isScoped { Scoped(Diesel(), as: (any Engine).self) } else { Shared(Diesel(), as: (any Engine).self) }
                tune(calls: tuned)
            }
            let container = isChild ? parent.makeChild() : parent
            let instances = onThreads(raceThreads) { _ in container.resolve((any Engine).self) }
            let isOne = instances.allSatisfy { isSame($0, instances[0]) }
            #expect(isOne && tuned.count == 1, "round \(round)")
        }
    }

    @Test("Rules 8, 17: a decorated but unregistered type is missing, its Optional nil")
    func onlyDecorated() throws {
        let parent = DIContainer { Decorate(Ticket.self) { base, _ in Ticket(number: base.number + 10) } }
        let child = parent.makeChild { Decorate(Ticket.self) { base, _ in Ticket(number: base.number + 10) } }
        let grandchild = child.makeChild()
        for (row, container) in ["parent": parent, "child": child, "grandchild": grandchild] as KeyValuePairs {
            #expect(!container.isRegistered(Ticket.self), "\(row)")
            #expect(try container.resolve.orThrow(Ticket?.self) == nil, "\(row)")
            #expect(try container.resolve.orThrow(Provider<Ticket>?.self) == nil, "\(row)")
            #expect(try container.resolve.orThrow.all(Ticket.self).isEmpty, "\(row)")
            #expect(container.error(of: Ticket.self)?.kind == "notRegistered", "\(row)")
        }
        child.register(Shared(Ticket(number: 1)))
        #expect(!parent.isRegistered(Ticket.self) && [child, grandchild].allSatisfy { $0.isRegistered(Ticket.self) })
        #expect([parent, child, grandchild].map { $0.resolve(Ticket?.self)?.number } == [nil, 11, 11])
    }

    // MARK: The same Decorate value wraps once

    private static let decorator = Module(Decorate(String.self) { base, _ in "<\(base)>" })
    private static let module = Module { decorator }
    private static let named = Module("Named") { decorator }

    /// A new decorator for each access.
    private var another: Decorate { Decorate(String.self) { base, _ in "(\(base))" } }

    @Test("a module registered a hundred times wraps once, but a new value, and any after a reset, wraps again")
    func registeredAgain() {
        let container = DIContainer { New("x") }
        for _ in 0..<100 { container.register(Self.module) }
        #expect(container.resolve(String.self) == "<x>")
        container.register { another }
        container.register { another }
        container.register(Self.module)
        #expect(container.resolve(String.self) == "((<x>))")
        #expect(container.registrations.first?.decorators.count == 3)
        container.reset()
        container.register(New("x"), Self.decorator)
        #expect(container.resolve(String.self) == "<x>")
    }

    @Test("registering it again releases no Shared instance")
    func instanceStays() throws {
        let decorator = tune()
        let container = DIContainer {
            Shared(Diesel() as any Engine)
            decorator
        }
        let first = try container.resolve.orThrow((any Engine).self)
        container.register(decorator)
        #expect(try isSame(container.resolve.orThrow((any Engine).self), first) && first.kind == "tuned diesel")
        container.register(tune("again"))
        #expect(try container.resolve.orThrow((any Engine).self).kind == "again tuned diesel")
    }

    @Test("a fork, an override and the fork of a child wrap once")
    func forks() {
        let container = DIContainer {
            New("x")
            Self.module
        }
        #expect(container.fork { Self.module }.resolve(String.self) == "<x>")
        #expect(container.makeChild { Self.module }.fork().resolve(String.self) == "<x>")
        #expect(container.makeChild { Self.module }.fork { Self.named }.resolve(String.self) == "<x>")
        #expect(container.makeChild { another }.fork().resolve(String.self) == "(<x>)")
        DIContainer.withContainer(container) {
            DIContainer.withOverrides({ Self.module }) { #expect(DIContainer.resolve(String.self) == "<x>") }
        }
    }

    // MARK: Misplaced decorators

    private static let frameLine: UInt = #line + 2
    /// A new decorator for each access.
    private static var frame: Decorate { Decorate((any Engine).self) { base, _ in Tuned(base) } }

    private static let registrations: [Module] = [
        Module(Shared(Diesel() as any Engine)), Module(New(Diesel() as any Engine)),
        Module(Scoped(Diesel() as any Engine)), Module(Weak(Diesel() as any Engine)),
        Module(Graph(Diesel() as any Engine)), Module(Shared(async: { _ in Diesel() as any Engine })),
        Module(Shared(Diesel(), as: (any Engine).self)),
    ]

    @Test("In a child, decorating a type that only a parent registers is an error", arguments: registrations)
    func misplaced(_ registration: Module) async throws {
        let parent = DIContainer { registration }
        let child = parent.makeChild { Self.frame }
        try await parent.prepare()
        for (row, container) in ["child": child, "child.makeChild()": child.makeChild()] as KeyValuePairs {
            let errors = [
                container.error(of: (any Engine).self), container.error(of: (any Engine)?.self),
                failure { _ = try container.resolve.orThrow.all((any Engine).self) },
                await #expect(throws: ResolutionError.self, "\(row)") {
                    try await container.resolve.async((any Engine).self)
                },
            ]
            let place = "decorated at \(#fileID):\(Self.frameLine)\n"
            #expect(errors.allSatisfy { $0?.reason == .misplacedDecorator }, "\(row)")
            #expect(errors.allSatisfy { $0?.description.contains(place) == true }, "\(row)")
        }
        #expect(try parent.resolve.orThrow((any Engine).self).kind == "diesel")
    }

    @Test("validate() finds a misplaced decorator once, at its own line")
    func finding() throws {
        let parent = DIContainer {
            Shared(Diesel() as any Engine)
            New(autowiring: Car.init)
        }
        let child = parent.makeChild { Self.frame }
        let finding = try only(child)
        #expect(finding.kind == .error(.misplacedDecorator) && finding.line == Self.frameLine)
        try parent.validate()
        try child.fork().validate()
    }

    @Test("A decorator that is also in the parent's registration wraps once", arguments: registrations)
    func sameDecorator(_ registration: Module) async throws {
        let (first, second) = (Module(Self.frame), Module(Self.frame))
        let parent = DIContainer {
            registration
            first
            second
        }
        let child = parent.makeChild { second }
        let grandchild = child.makeChild {
            first
            second
        }
        for (row, container) in [
            "parent": parent, "child": child, "grandchild": grandchild, "child.fork()": child.fork(),
        ] as KeyValuePairs {
            try await container.prepare()
            #expect(try await container.resolve.async((any Engine).self).kind == "tuned tuned diesel", "\(row)")
            #expect(try container.resolve.orThrow((any Engine).self).kind == "tuned tuned diesel", "\(row)")
        }
        #expect(throws: Never.self) { try grandchild.validate() }
        child.register(Self.frame)
        #expect(grandchild.error(of: (any Engine).self)?.kind == "misplacedDecorator")
    }

    @Test("A hundred nested containers may each register and decorate a type")
    func nested() throws {
        var containers = [DIContainer()]
        for level in 1...100 {
            containers.append(
                containers[level - 1].makeChild {
                    Shared(Diesel(kind: "\(level)"), as: (any Engine).self)
                    Self.frame
                })
        }
        let levels = Array(containers.enumerated().dropFirst())
        // The innermost first and the outermost first.
        for (level, container) in levels.reversed() + levels {
            #expect(try container.resolve.orThrow((any Engine).self).kind == "tuned \(level)", "level \(level)")
            #expect(try container.makeChild().resolve.orThrow(Diesel.self).kind == "\(level)", "level \(level)")
        }
    }

    // MARK: The container of a decorator

    @Test("A decorator resolves from the building container, which is current", arguments: [true, false])
    func current(isInScope: Bool) async throws {
        let parent = DIContainer {
            Shared("parent's")
            New(Diesel(), name: "plain")
            New(async: { _ in Diesel() })
            New(async: { _ in Diesel() }, name: "alias", as: (any Engine).self)
            Shared(async: { _ in Diesel() }, name: "shared")
            Scoped(async: { _ in Diesel() }, name: "scoped")
            Decorate((any Engine).self, name: "alias") { _, resolve in Diesel(kind: resolve.textOfCurrentContainer) }
            for name in [nil, "plain", "shared", "scoped"] as [RegistrationName?] {
                Decorate(Diesel.self, name: name) { _, resolve in Diesel(kind: resolve.textOfCurrentContainer) }
            }
        }
        let child = parent.makeChild { Shared("child's") }
        /// The container seen during a request, outside of every scope or in the scope of another container.
        func seen(_ request: () async throws -> any Engine) async throws -> String? {
            if !isInScope { return try await request().kind }
            return try await DIContainer.withContainer(DIContainer { Shared("another's") }) { try await request().kind }
        }
        for (container, own) in [(parent, "parent's"), (child, "child's")] {
            let resolve = container.resolve
            #expect(try await seen { try resolve.orThrow(Diesel.self, name: "plain") } == own, "\(own)")
            #expect(try await seen { try await resolve.async(Diesel.self) } == own, "\(own)")
            #expect(try await seen { try await resolve.async(Diesel?.self) ?? Diesel() } == own, "\(own)")
            #expect(try await seen { try await resolve.async((any Engine).self, name: "alias") } == own, "\(own)")
            #expect(try await seen { try await resolve.async(Diesel.self, name: "shared") } == "parent's", "\(own)")
            #expect(try await seen { try await resolve.async(Diesel.self, name: "scoped") } == own, "\(own)")
        }
    }

    @Test("A main-actor decorator has the child's resolver, and its asynchronous dependency is built first")
    @MainActor func onMainActor() async throws {
        let parent = DIContainer {
            Shared("parent's")
            Shared(async: { _ in Ticket(number: 1) })
            Scoped(async: { _ in Diesel() })
            Shared(async: { _ in Diesel() }, name: "shared")
            for name in [nil, "shared"] as [RegistrationName?] {
                Decorate(
                    Diesel.self, name: name,
                    mainActor: { base, resolve in
                        MainActor.assertIsolated()
                        return Diesel(kind: "\(resolve(String.self)) \(try resolve.orThrow(Ticket.self).number)")
                    })
            }
        }
        let child = parent.makeChild { Shared("child's") }
        #expect(try await child.resolve.async(Diesel.self).kind == "child's 1")
        #expect(try await parent.resolve.async(Diesel.self).kind == "parent's 1")
        #expect(try await child.resolve.async(Diesel.self, name: "shared").kind == "parent's 1")
    }

    // MARK: Asynchronous dependencies of decorators

    @Test("A decorator's asynchronous dependency is built first, by a request and by prepare()")
    func asynchronousDependency() async throws {
        let container = DIContainer {
            Shared(async: { _ in Diesel(kind: "base") })
            Shared(async: { _ in Ticket(number: 1) })
            Decorate(Diesel.self) { base, resolve in
                Diesel(kind: "\(base.kind) \(try resolve.orThrow(Ticket.self).number)")
            }
        }
        #expect(try await container.fork().resolve.async(Diesel.self).kind == "base 1")
        try await container.prepare()
        #expect(try container.resolve.orThrow(Diesel.self).kind == "base 1")
    }

    @Test("Rules 17, C10: a decorator's plain request for a New(async:) is an error", arguments: [true, false])
    func needsNew(isAsync: Bool) async throws {
        let container = DIContainer {
            if isAsync { Shared(async: { _ in Diesel() }) } else { Shared(Diesel()) }
            New(async: { _ in Ticket(number: 1) })
            Decorate(Diesel.self) { base, resolve in
                _ = try resolve.orThrow(Ticket.self)
                return base
            }
        }
        let error = await #expect(throws: ResolutionError.self) { try await container.resolve.async(Diesel.self) }
        #expect(error?.kind == "asyncRequired" && error?.key == "Ticket")
    }
}

extension Resolver {
    /// The text that is registered in the current container, which should be the container of the resolver.
    fileprivate var textOfCurrentContainer: String {
        let (current, own) = (DIContainer.resolve(String?.self), self(String?.self))
        return current == own ? current ?? "none" : "two containers"
    }
}
