import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("Findings that are allowed one by one")
struct AllowedFindingTests {
    /// A container with two findings of one kind, one of another kind, and an error.
    private let container = DIContainer {
        Scoped(Diesel(), as: (any Engine).self)
        Shared(autowiring: Car.init)
        Scoped(Wheel(), name: "spare")
        Shared { _ in Ticket?.none }
        Shared { _ in Int?.none }
        New(autowiring: { (_: String) in Character("a") })
    }

    private func kinds(allowing exceptions: [AllowedFinding]) -> [ValidationFinding.Kind] {
        do { return try container.validate(allowing: exceptions).map(\.kind) } catch {
            return error.findings.map(\.kind)
        }
    }

    @Test("ignores all findings of a kind, or those about one type")
    func kindAndType() {
        let all: [ValidationFinding.Kind] = [
            .error(.notRegistered), .captiveDependency, .optionalRegistration, .optionalRegistration,
        ]
        #expect(kinds(allowing: []) == all)
        #expect(kinds(allowing: [.optionalRegistration]) == [.error(.notRegistered), .captiveDependency])
        #expect(kinds(allowing: [.optionalRegistration(Ticket?.self)]) == Array(all.dropLast()))
        #expect(
            kinds(allowing: [.captiveDependency((any Engine).self), .optionalRegistration(Int?.self)]) == [
                all[0], all[2],
            ])
        #expect(kinds(allowing: [AllowedFinding(.captiveDependency)]) == [all[0], all[2], all[3]])
    }

    @Test("does not throw an error that is allowed by its reason or for one type")
    func errors() throws {
        #expect(try container.validate(allowing: [.error(.notRegistered)]).count == 3)
        #expect(try container.validate(allowing: [.error(.notRegistered, String.self)]).count == 3)
        for other: AllowedFinding in [.error(.cycle), .error(.notRegistered, Int.self), .error(.cycle, String.self)] {
            #expect(throws: DIContainer.ValidationError.self) { try container.validate(allowing: [other]) }
        }
    }

    @Test("distinguishes names, and treats no name as a name of its own")
    func names() throws {
        let container = DIContainer {
            Decorate(Wheel.self, name: "spare") { base, _ in base }
            Decorate(Wheel.self) { base, _ in base }
        }
        func keys(_ exceptions: AllowedFinding...) throws -> [String] {
            try container.validate(allowing: exceptions).map(\.key)
        }
        #expect(try keys(.unusedDecorator(Wheel.self)) == ["Wheel named \"spare\""])
        #expect(try keys(.unusedDecorator(Wheel.self, name: "spare")) == ["Wheel"])
        #expect(try keys(.unusedDecorator(Wheel.self, name: "other")).count == 2)
    }

    @Test("ignores an allowed finding that doesn't occur")
    func neverFound() throws {
        let container = DIContainer { Shared(Diesel()) }
        let exceptions: [AllowedFinding] = [.replaced, .unchecked(Diesel.self), .error(.cycle, Diesel.self)]
        #expect(try container.validate(allowing: exceptions).isEmpty)
    }

    @Test(
        "has a member for each kind",
        arguments: [
            (.blockedFactory, .blockedFactory), (.captiveDependency, .captiveDependency), (.replaced, .replaced),
            (.optionalRegistration, .optionalRegistration), (.missingAutowiring, .missingAutowiring),
            (.similarName, .similarName), (.unusedDecorator, .unusedDecorator),
            (.unpreparedDependency, .unpreparedDependency),
            (.unchecked, .unchecked), (.error(.sealed), .error(.sealed)),
        ] as [(AllowedFinding, ValidationFinding.Kind)])
    func members(allowed: AllowedFinding, kind: ValidationFinding.Kind) {
        #expect("\(allowed)" == "\(AllowedFinding(kind))")
    }

    @Test("also applies to findings of building")
    func building() async throws {
        let container = DIContainer {
            New { (_, number: Int) in Ticket(number: number) }
            Shared { _ -> Car in throw Sabotage() }
        }
        let exceptions: [AllowedFinding] = [.error(.factoryFailed, Car.self), .unchecked(Ticket.self)]
        #expect(try await container.validate(.building, allowing: exceptions).isEmpty)
        #expect(try await container.validate(.building, allowing: [.error(.factoryFailed)]).map(\.kind) == [.unchecked])
        await #expect(throws: DIContainer.ValidationError.self) {
            try await container.validate(.building, allowing: [.unchecked])
        }
    }
}
