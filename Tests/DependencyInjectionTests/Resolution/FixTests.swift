import DependencyInjection
import Testing

@Suite("The fix in an error")
struct FixTests {
    @Test("Rule 18: an array of a registered type gets the advice to request all")
    func array() throws {
        let container = DIContainer { Shared(Diesel() as any Engine) }
        let error = try #require(failure { _ = try container.resolve.orThrow([any Engine].self) })
        #expect(error.description.contains("fix: resolve all of them: `resolve.all((any Engine).self)`"))
    }

    @Test("Rule 18: no advice to prepare an asynchronous factory with arguments")
    func asynchronous() throws {
        let container = DIContainer { Shared(async: { (_, number: Int) in Ticket(number: number) }) }
        let error = try #require(failure { _ = try container.resolve.orThrow(Ticket.self, arguments: 1) })
        #expect(error.description.contains("request it with `try await resolve.async(Ticket.self, arguments: …)`"))
        #expect(!error.description.contains("prepare"))
    }

    @Test("Rules 18, C11: without a prepared Scoped, no advice to prepare")
    func scoped() throws {
        let root = DIContainer { Scoped(async: { _ in Ticket(number: 1) }) }
        let inRoot = try fix { _ = try root.resolve.orThrow(Ticket.self) }
        #expect(
            inRoot.hasPrefix("request it with `try await resolve.async(Ticket.self)`\n   or: request it in a child"))
        let inChild = try fix { _ = try root.makeChild().resolve.orThrow(Ticket.self) }
        #expect(
            inChild == """
                call `try await child.prepare()` first in the operation of `withChild { … } operation: { child in … }`
                   or: request it with `try await resolve.async(Ticket.self)`
                """)
    }

    @Test("Rule 18: the advice to pass a closure appears if the factory takes one")
    func closures() throws {
        let container = DIContainer {
            New { (_, make: @escaping @Sendable () -> Int, other: Int) in Ticket(number: make() + other) }
            New { (_, number: Int) in "\(number)" }
        }
        let closure = try #require(failure { _ = try container.resolve.orThrow(Ticket.self, arguments: 1) })
        #expect(closure.description.contains("\n   or: pass a closure `f` as `arguments: { f }`"))
        let number = try #require(failure { _ = try container.resolve.orThrow(String.self, arguments: true) })
        #expect(number.description.hasSuffix("and call it with them"))
    }

    private func fix(_ work: () throws -> Void) throws -> String {
        let error = failure(work)
        let text = try #require(error).description
        let label = try #require(text.firstRange(of: "\n  fix: "))
        return String(text[label.upperBound...])
    }

    private struct FileRadio: Radio {}

    @Test("Rule 18: a request for an implementation suggests its registered protocol, too")
    func requestForImplementation() throws {
        let container = DIContainer { Scoped(FileRadio() as any Radio) }
        #expect(
            try fix { _ = try container.resolve.orThrow(FileRadio.self) } == """
                register it: `container.register { Shared(… as FixTests.FileRadio) }`
                """)
        // An alias has the name of its target.
        let named = DIContainer { Shared(FileRadio() as any Radio, name: "main") }
        #expect(
            try fix { _ = try named.resolve.orThrow(FileRadio.self) } == """
                register it: `container.register { Shared(… as FixTests.FileRadio) }`
                """)
    }

    private struct Starters: Sendable {}

    @Test("Rule 18: no advice to request a protocol to which the type does not conform")
    func noImplementation() throws {
        let container = DIContainer { Shared(Diesel() as any Starter) }
        let text = try fix { _ = try container.resolve.orThrow(Starters.self) }
        #expect(text == "register it: `container.register { Shared(… as FixTests.Starters) }`")
    }

    @Test("Rule 18: the advice to register a type has the lifetime of the suggested type")
    func lifetimeOfWhatIsNear() throws {
        let container = DIContainer { Scoped(Diesel()) }
        let text = try fix { _ = try container.resolve.orThrow((any Engine).self) }
        #expect(text.hasPrefix("register it as that type: `Scoped(… as any Engine)`"))
    }

    @Test("Rule 18: a name is printed as code, with escaped quotes and line breaks")
    func nameWithQuotationMarks() throws {
        let container = DIContainer { Shared(Diesel(), name: "the \"old\" one\n") }
        #expect(
            try fix { _ = try container.resolve.orThrow(Diesel.self) }
                .hasPrefix(#"request it by its name: `resolve(Diesel.self, name: "the \"old\" one\n")`"#))
        let module = Module(#"a "b""#) { Shared(Ticket(number: 1)) }
        #expect("\(module)" == #"Module("a \"b\"", registrations: 1)"#)
        #expect(module.registrations[0].description.hasSuffix(#"in module "a \"b\"""#))
    }

    @Test("Rule 18: if the compiler infers Any, the advice is to state a type")
    func noTypeStated() throws {
        func takesAnything(_ value: Any) {}
        // A type whose name contains the word "any" makes no difference.
        struct Company: Sendable {}
        for container in [DIContainer(), DIContainer { Shared(Company()) }] {
            let text = try fix { takesAnything(try container.resolve.orThrow()) }
            #expect(
                text == """
                    state the type, because the compiler inferred `Any`: `resolve(Router.self)` or \
                    `let router: Router = resolve()`
                       or: register `Any` itself: `container.register { Shared(… as Any) }`
                    """)
        }
        let named = DIContainer { New(Ticket(number: 1) as Any, name: "main") }
        #expect(try fix { takesAnything(try named.resolve.orThrow()) }.contains("resolve(Any.self, name: \"main\")"))
    }

    @Test("Rule 18: the advice for a provider with wrong arguments has the right ones")
    func otherProvider() throws {
        let container = DIContainer { New { (_, number: Int, isLast: Bool) in Ticket(number: isLast ? 0 : number) } }
        let provider: Provider<Ticket, String> = try container.resolve.orThrow()
        let text = try fix { _ = try provider.orThrow("one") }
        #expect(
            text == """
                pass arguments of these types: `resolve(Ticket.self, arguments: …)`
                   or: inject a `Provider<Ticket, Int, Bool>`, and call it with them
                """)
    }

    private struct Packed<each Element>: Sendable {}

    @Test("Rule 18: a type with a parameter pack is printed as in code")
    func packs() throws {
        let container = DIContainer()
        func key<T>(_ type: T.Type) -> String? { failure { _ = try container.resolve.orThrow(type) }?.key }
        #expect(key(Packed<Int, String>.self) == "FixTests.Packed<Int, String>")
        typealias Empty = Packed<>
        #expect(
            key(Packed<[Packed<Int>], Empty>.self) == "FixTests.Packed<Array<FixTests.Packed<Int>>, FixTests.Packed<>>")
        #expect(key([Provider<Ticket>].self) == "Array<Provider<Ticket>>")
        #expect(key([Provider<Ticket, Int>].self) == "Array<Provider<Ticket, Int>>")
    }

    private protocol Radio: Sendable {}
    private struct RadioImpl: Radio {}

    @Test("Rules 2, 18: an alias is not suggested for its own target")
    func danglingAlias() throws {
        let container = DIContainer { Shared(RadioImpl(), as: (any Radio).self) }
        container.unregister(RadioImpl.self)
        let error = try #require(failure { _ = try container.resolve.orThrow((any Radio).self) })
        #expect(error.key == "FixTests.RadioImpl" && error.suggestions.isEmpty)
        #expect(error.description.contains("fix: register it: "))
    }

    @Test("Rule 18: a function without parameters has to be registered by a factory")
    func requestForFunction() throws {
        typealias Make = @Sendable () -> Int
        let container = DIContainer()
        #expect(
            try fix { _ = try container.resolve.orThrow(Make.self) }.hasSuffix(
                "register it: `container.register { Shared({ _ in … as @Sendable () -> Int }) }`"))
        let four: Make = { 4 }
        container.register { Shared({ _ in four as @Sendable () -> Int }) }
        #expect(try container.resolve.orThrow(Make.self)() == 4)
    }

    @Test("Rule 18: wrong arguments of an asynchronous factory are corrected with await")
    func asynchronousArguments() async throws {
        let container = DIContainer { New(async: { (_, number: Int) in Ticket(number: number) }) }
        let error = await #expect(throws: ResolutionError.self) {
            try await container.resolve.async(Ticket.self, arguments: "one")
        }
        let text = try #require(error).description
        #expect(
            text.hasSuffix("pass arguments of these types: `try await resolve.async(Ticket.self, arguments: …)`"),
            "\(text)")
    }

    @Test("Rule 18: a consuming function or a metatype is not suggested for an instance")
    func nearByName() throws {
        let handlers = DIContainer { Shared { _ in { _ in } as @Sendable (Ticket) -> Void } }
        #expect(try !fix { _ = try handlers.resolve.orThrow(Ticket.self) }.contains("autowiring"))
        let container = DIContainer { Shared(Diesel() as any Starter) }
        let text = try fix { _ = try container.resolve.orThrow((any Starter.Type).self) }
        #expect(text.hasPrefix("register it: "), "\(text)")
    }
}
