import DependencyInjection
import Testing

// Plain requests: the forms with arguments are compared with one another.

@Suite("Arguments")
struct ArgumentTests {
    class Animal {}
    final class Dog: Animal {}
    final class Visit {
        let text: String
        init(_ text: String) { self.text = text }
    }

    private let container = DIContainer {
        New { _, number in Ticket(number: number) }
        New { (_, name: String, age: Int, isTame: Bool) in Visit("\(name) \(age) \(isTame)") }
        New(name: "animal") { (_, animal: Animal, note: String?) in
            Visit("\(type(of: animal)) \(note ?? "no note")")
        }
        Shared { (_, kind: String) in Diesel(kind: kind) }
        Shared(autowiring: Car.init)
        Shared(Diesel() as any Engine)
    }

    @Test("Rule 9: arguments are matched by position in every form of request")
    func forms() throws {
        let positional: Visit = container.resolve("Rex", 3, true)
        #expect(positional.text == "Rex 3 true")
        #expect(container.resolve(Visit.self, arguments: "Rex", 4, false).text == "Rex 4 false")
        #expect(container.resolve(Visit.self) { ("Rex", 5, true) }.text == "Rex 5 true")
        let inferred: Visit = container.resolve { ("Rex", 6, true) }
        #expect(inferred.text == "Rex 6 true")
        #expect(container.resolve(Ticket.self) { 7 }.number == 7)
        #expect(try container.resolve.orThrow(Visit.self, arguments: "Rex", 8, true).text == "Rex 8 true")
        let thrown: Visit = try container.resolve.orThrow("Rex", 9, true)
        #expect(thrown.text == "Rex 9 true")
        #expect(try container.resolve.orThrow(Visit.self) { ("Rex", 10, true) }.text == "Rex 10 true")
        let provider: Provider<Visit, String, Int, Bool> = container.resolve()
        #expect(provider("Rex", 11, true).text == "Rex 11 true")
    }

    @Test("Rule 9: a closure with several statements is called for the arguments")
    func severalStatements() throws {
        let inferred: Ticket = container.resolve {
            let number = 1
            return number
        }
        #expect(inferred.number == 1)
        let stated = container.resolve(Ticket.self) {
            if inferred.number > 1 { return 1 }
            return 2
        }
        #expect(stated.number == 2)
        let labeled = container.resolve(
            Ticket.self,
            arguments: {
                let number = 3
                return number
            })
        #expect(labeled.number == 3)
        let thrown = try container.resolve.orThrow(Ticket.self) {
            let number = 4
            return number
        }
        #expect(thrown.number == 4)
        let tuple = container.resolve(Visit.self) {
            let name = "Rex"
            return (name, 5, true)
        }
        #expect(tuple.text == "Rex 5 true")
    }

    @Test("Rule 9: an Optional closure is passed as an argument instead of being called")
    func closureThatIsNil() throws {
        let container = DIContainer { New { (_, action: (() -> Int)?) in Ticket(number: action == nil ? 1 : 2) } }
        let action: (() -> Int)? = nil
        #expect(container.resolve(Ticket.self, arguments: action).number == 1)
        #expect(try container.resolve.orThrow(Ticket.self, arguments: action).number == 1)
    }

    @Test("Rule 9: an argument of another type is converted as `as?` would")
    func conversion() {
        #expect(container.resolve(Visit.self, name: "animal", arguments: Dog(), "good").text == "Dog good")
        let none: String? = nil
        #expect(container.resolve(Visit.self, name: "animal", arguments: Animal(), none).text == "Animal no note")
        #expect(container.resolve(Visit.self, name: "animal", arguments: Dog() as Any, "x").text == "Dog x")
        let provider: Provider<Visit, Dog, String> = container.resolve(name: "animal")
        #expect(provider(Dog(), "by provider").text == "Dog by provider")
    }

    @Test("Rule 9: wrong arguments are an error that prints both signatures", arguments: [0, 1, 2])
    func mismatch(_ variant: Int) throws {
        let error = try #require(
            failure {
                switch variant {
                case 0: _ = try container.resolve.orThrow(Visit.self)
                case 1: _ = try container.resolve.orThrow(Visit.self, arguments: "Rex", 3)
                default: _ = try container.resolve.orThrow(Visit.self, arguments: "Rex", "3", true)
                }
            })
        let supplied = ["()", "(String, Int)", "(String, String, Bool)"][variant]
        #expect(error.description.contains("takes (String, Int, Bool), but the request supplied \(supplied)."))
        #expect(error.path.isEmpty)
    }

    @Test("Rule 9: a Shared takes the first arguments, and ignores later ones")
    func sharedArguments() throws {
        #expect(failure { _ = try container.resolve.orThrow(Diesel.self) }?.kind == "argumentMismatch")
        let first: Diesel = container.resolve("first")
        let second: Diesel = container.resolve("second")
        #expect(isSame(first, second))
        #expect(second.kind == "first")
        #expect(isSame(container.resolve(Diesel.self), first))
    }

    @Test("Rule 9: an argument for a registration without any is an error")
    func unwantedArgument() throws {
        for _ in 0..<2 {
            let error = try #require(failure { _ = try container.resolve.orThrow(Car.self, arguments: 1) })
            #expect(error.description.contains("takes (), but the request supplied (Int)."))
            _ = container.resolve(Car.self)
        }
        container.register(New(Visit("plain")))
        #expect(failure { _ = try container.resolve.orThrow(Visit.self, arguments: 1) }?.kind == "argumentMismatch")
    }

    @Test("Rules 9, 11: an unwanted argument is an error of an alias's target")
    func unwantedArgumentOfAlias() throws {
        let line: UInt = #line + 1
        let parent = DIContainer { Shared(Diesel(), as: (any Engine).self) }
        let child = parent.makeChild()
        for container in [parent, parent, child, child] {
            let error = try #require(failure { _ = try container.resolve.orThrow((any Engine).self, arguments: 1) })
            #expect(error.kind == "argumentMismatch" && error.key == "Diesel")
            #expect(error.description.contains("\n  registered at \(#fileID):\(line)\n"))
            _ = container.resolve((any Engine).self)
        }
    }

    @Test("Rule 9: a tuple is one argument, and doesn't match several parameters")
    func tuples() {
        let container = DIContainer {
            New { (_, number: Int, text: String) in Visit("\(number) \(text)") }
            New(name: "tuple") { (_, pair: (Int, String)) in Visit("\(pair.0) \(pair.1)") }
            New(Ticket(number: 1))
        }
        #expect(
            failure { _ = try container.resolve.orThrow(Visit.self, arguments: (1, "a")) }?.kind == "argumentMismatch")
        #expect(
            failure { _ = try container.resolve.orThrow(Visit.self, name: "tuple", arguments: 1, "a") }?.kind
                == "argumentMismatch")
        #expect(container.resolve(Visit.self, name: "tuple", arguments: (1, "a")).text == "1 a")
        #expect(failure { _ = try container.resolve.orThrow(Ticket.self, arguments: ()) }?.kind == "argumentMismatch")
    }

    @Test("Rule 9: an Optional passes arguments on, but a collection or provider has none")
    func synthesized() {
        #expect(container.resolve(Ticket?.self, arguments: 3)?.number == 3)
        #expect(failure { _ = try container.resolve.orThrow(Ticket?.self, arguments: "3") }?.kind == "argumentMismatch")
        let provider: Provider<Ticket?, Int> = container.resolve()
        #expect(provider(4)?.number == 4)
        #expect(
            failure { _ = try container.resolve.orThrow(All<Ticket>.self, arguments: 1) }?.kind == "argumentMismatch")
        #expect(
            failure { _ = try container.resolve.orThrow(Provider<Ticket>.self, arguments: 1) }?.kind
                == "argumentMismatch")
    }

    @Test("An explicit type is never an argument, even if the result is converted")
    func explicitTypeIsNoArgument() {
        let any: Any = container.resolve(Car.self)
        let object: AnyObject? = container.resolve(Car.self)
        #expect(any is Car)
        #expect(object === container.resolve(Car.self))
    }

    @Test("Rule 9: a closure also supplies the arguments of a named registration")
    func namedClosure() throws {
        #expect(container.resolve(Visit.self, name: "animal") { (Dog() as Animal, "x" as String?) }.text == "Dog x")
        let inferred: Visit = container.resolve(name: "animal") { (Dog(), "y") }
        #expect(inferred.text == "Dog y")
        #expect(try container.resolve.orThrow(Visit.self, name: "animal") { (Animal(), "z") }.text == "Animal z")
        let error = failure { _ = try container.resolve.orThrow(Visit.self, name: "other") { ("Rex", 1, true) } }
        #expect(error?.kind == "notRegistered" && error?.key == "ArgumentTests.Visit named \"other\"")
    }

    @Test("Rule 9: a closure is an argument by position, and is called for one by label")
    func closures() throws {
        typealias Action = @Sendable () -> String
        let container = DIContainer {
            New { (_, action: @escaping Action) in Visit(action()) }
            New(name: "text") { (_, text: String) in Visit(text) }
        }
        let action: Action = { "action" }
        let positional: Visit = container.resolve(arguments: { action })
        #expect(positional.text == "action")
        #expect(container.resolve(Visit.self, arguments: { action }).text == "action")
        #expect(container.resolve(Visit.self) { action }.text == "action")
        #expect(container.resolve(Visit.self, name: "text", arguments: { "id" }).text == "id")
        #expect(container.resolve(Visit.self, name: "text", arguments: action).text == "action")
        let error = try #require(failure { _ = try container.resolve.orThrow(Visit.self, arguments: action) })
        #expect(error.description.contains("but the request supplied (String)."))
    }
}
