import DependencyInjection
import Foundation
import Testing

class Ferry: Vehicle, Port, @unchecked Sendable {}
final class Catamaran: Ferry, @unchecked Sendable {}
// Types with names that are similar to that of `Ferry`.
struct Ferri: Sendable {}
private struct FerryImpl: Sendable {}

/// A protocol that the library can't look up, because it is private.
private protocol DieselMachine: Sendable {}
extension Diesel: DieselMachine {}

@Suite("Rule 18: The text names the container and similar registrations")
struct SimilarRegistrationTests {
    // MARK: Similar registrations

    @Test("A subclass is suggested, whatever its name")
    func subclass() throws {
        let here: UInt = #line
        let container = DIContainer {
            Shared(Ticket(number: 1))
            Shared(Bicycle())
        }
        let message = try Message(from: here) { try container.resolve.orThrow(Vehicle.self) }
        #expect(message.similar == ["Bicycle  (registered at +3)"])
        #expect(message.fixes == ["add `as: Vehicle.self` to the registration at +3"])
    }

    @Test("The type under another name comes first, then longer and misspelled names")
    func order() throws {
        let container = DIContainer {
            Shared(Ticket(number: 1))
            Shared(Ferri())
            Shared(FerryImpl())
            Shared(Ferry(), name: "main")
        }
        let error = try #require(container.error(of: Ferry.self))
        #expect(error.suggestions.map { $0.prefix { $0 != " " } } == ["Ferry", "FerryImpl", "Ferri"])
    }

    /// A requested type, and similar registrations in the order of the suggestions.
    typealias Order = Row<(type: any Sendable.Type, names: [String])>

    static let orders = [
        Order(
            "the type under another name, a subclass and the superclass",
            (Ferry.self, ["Ferry named \"main\"", "Catamaran", "Vehicle", "Ferri"])),
        Order(
            "a subclass, a protocol and a type with a similar name", (Ferry.self, ["Catamaran", "any Port", "Ferri"])),
        Order(
            "the protocol under another name and two types that conform",
            ((any Port).self, ["any Port named \"main\"", "Ferry", "Catamaran"])),
    ]

    @Test("At most three suggestions have one order, however the types are registered", arguments: orders)
    func registrationOrder(_ order: Order) {
        let registrations = [
            "Ferry named \"main\"": Module { Shared(Ferry(), name: "main") },
            "Ferry": Module { Shared(Ferry()) },
            "Catamaran": Module { Shared(Catamaran()) },
            "Vehicle": Module { Shared(Vehicle()) },
            "any Port": Module { Shared(Ferry() as any Port) },
            "any Port named \"main\"": Module { Shared(Ferry() as any Port, name: "main") },
            "Ferri": Module { Shared(Ferri()) },
        ]
        for names in order.value.names.permutations {
            let container = DIContainer { for name in names { registrations[name]! } }
            let suggestions = container.error(of: order.value.type)?.suggestions ?? []
            let suggested = suggestions.map { $0.components(separatedBy: "  (")[0] }
            #expect(suggested == Array(order.value.names.prefix(3)), "\(names)")
        }
    }

    @Test("A type whose name is part of the requested name is suggested, to a child and its child")
    func nameWithin() throws {
        let here: UInt = #line
        let parent = DIContainer { Shared(Log()) }
        let child = parent.makeChild { Shared(Ticket(number: 1)) }
        for (row, container) in ["parent": parent, "child": child, "child.makeChild()": child.makeChild()]
            as KeyValuePairs
        {
            let message = try Message(from: here) { try container.resolve.orThrow(EventLog.self) }
            #expect(message.similar == ["Log  (registered at +1)"], "\(row)")
            #expect(message.fixes == ["register EventLog"], "\(row)")
        }
    }

    @Test("A name that shares one of three letters is not suggested")
    func shortName() throws {
        let container = DIContainer { Shared(Log()) }
        #expect(try Message(from: #line) { try container.resolve.orThrow(Egg.self) }.similar == [])
    }

    @Test("A protocol that the library can't look up is suggested by its name, without advice")
    func privateProtocol() throws {
        let container = DIContainer { Scoped(Diesel() as any DieselMachine) }
        let message = try Message(from: #line) { try container.resolve.orThrow(Diesel.self) }
        #expect(message.similar.count == 1)
        #expect(message.fixes == ["register Diesel"])
    }

    @Test("A parent's overridden registration is not suggested")
    func overridden() throws {
        let here: UInt = #line
        let parent = DIContainer { Shared(Diesel(), name: "main") }
        let child = parent.makeChild { Shared(Diesel(), name: "main") }
        let message = try Message(from: here) { try child.resolve.orThrow(Diesel.self) }
        #expect(message.similar == ["Diesel named \"main\"  (registered at +2)"])
    }

    @Test("Rule 2: An alias is not suggested for its own target")
    func danglingAlias() throws {
        let container = DIContainer {
            Shared(Diesel(), as: (any Engine).self)
            Shared(Ticket(number: 1))
        }
        container.unregister(Diesel.self)
        let message = try Message(from: #line) { try container.resolve.orThrow((any Engine).self) }
        #expect(message.problem == "Nothing is registered for Diesel.")
        #expect(message.similar == [])
        #expect(message.fixes == ["register Diesel"])
    }

    @Test("A metatype gets no advice for instances of its protocol")
    func metatype() throws {
        let container = DIContainer { Shared(Diesel() as any Starter) }
        let message = try Message(from: #line) { try container.resolve.orThrow((any Starter.Type).self) }
        #expect(message.fixes == ["register any Starter.Type"])
    }

    @Test("A name is written with escaped quotes and line breaks")
    func escapedName() throws {
        let container = DIContainer { Shared(Diesel(), name: "the \"old\" one\n") }
        let message = try Message(from: #line) { try container.resolve.orThrow(Diesel.self) }
        #expect(message.fixes.first == #"request it by its name "the \"old\" one\n""#)
    }

    // MARK: The container

    @Test("A child and an empty container are named, and a root is not")
    func container() throws {
        let here: UInt = #line
        let root = DIContainer { Shared(Ticket(number: 1)) }
        for (text, container) in [
            "": root, "a child of the container with the registration at +1": root.makeChild(),
            "a container that is without any registration": DIContainer(),
        ] as KeyValuePairs {
            let message = try Message(from: here) { try container.resolve.orThrow((any Engine).self) }
            #expect(message.container == text)
        }
    }
}

extension ExitTests {
    @Test("Rule 18: The default container and its children are named")
    static func defaultContainer() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            func report() {
                let error = failure { _ = try DIContainer.resolve.orThrow((any Engine).self) }
                let container = Message(error?.description ?? "", from: 0).container
                FileHandle.standardError.write(Data("\(container)\n".utf8))
            }
            DIContainer.shared = DIContainer()
            report()
            DIContainer.register(Shared(Ticket(number: 1)))
            report()
            DIContainer.withContainer(DIContainer.shared.makeChild()) { report() }
        }
        #expect(
            result.standardError == """
                the default container, which is without any registration
                the default container
                a child of the default container

                """)
    }
}

extension Array {
    /// The array in each order of its elements.
    fileprivate var permutations: [[Element]] {
        guard let first else { return [[]] }
        return Array(dropFirst()).permutations.flatMap { rest in
            (0...rest.count).map { Array(rest[..<$0]) + [first] + rest[$0...] }
        }
    }
}
