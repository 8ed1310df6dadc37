import DependencyInjection
import DependencyInjectionDiagnostics
import Testing

@Suite("The report of many findings")
struct ValidationReportTests {
    @Test("prints each finding on its own lines, as an error or a warning")
    func list() throws {
        let line: UInt = #line + 3
        let found = findings(
            DIContainer {
                Weak(1)
                Shared { _ in Ticket?.none }
            })
        var printed = ""
        print(found, to: &printed)
        #expect(
            printed == """
                [
                error: Int is registered with Weak, but it is a value type, which cannot be held weakly.
                  registered at \(#fileID):\(line)
                  fix: register it with `New` or `Shared`
                   or: make it a class or an actor,\u{20}
                warning: Optional<Ticket> is an Optional, which no request resolves.
                  registered at \(#fileID):\(line + 1)
                  fix: unwrap Optional<Ticket> before it is registered, because no request resolves an Optional]

                """)
    }

    @Test("counts a single finding, and doesn't throw for warnings alone")
    func oneFinding() throws {
        #expect(try DIContainer { Shared { _ in Ticket?.none } }.validate().count == 1)
        let error = try #require(throws: DIContainer.ValidationError.self) { try DIContainer { Weak(1) }.validate() }
        #expect(error.description.hasPrefix("1 finding:\n1. error: "))
    }

    @Test("reports one fault of each kind once, errors first, and numbers them")
    func allKinds() throws {
        let container = DIContainer {
            Shared(Piece<String>())
            Shared(Piece<String>())
            Scoped(Piece<Double>())
            Shared(autowiring: { (_: Piece<Double>) in Piece<Character>() })
            Shared { _ in Ticket?.none }
            Shared(Dependent<Ticket>.init)
            Shared(Piece<Bool>(), name: "stagin")
            Decorate(Piece<Bool>.self, name: "staging") { base, _ in base }
            Shared(async: { _ in Piece<Substring>() })
            New(autowiring: { (_: Piece<Substring>) in Piece<Void>() })
            New(autowiring: { (_: Diesel) in Piece<Int8>() })
            New { (_, _: Int) in Piece<Int64>() }
            New(autowiring: { (_: Piece<Int64>) in Piece<UInt8>() })
            Shared(Wheel(), as: (any Engine).self)
            Weak(1)
            New(async: { _ in Piece<UInt16>() })
            New(autowiring: { (_: Piece<UInt16>) in Piece<UInt32>() })
            Shared(mainActor: Piece<UInt64>())
            New(autowiring: { (_: Piece<UInt64>) in Piece<Float>() })
            Shared(autowiring: Hen.init)
            Shared(autowiring: Egg.init)
        }
        let error = try #require(throws: DIContainer.ValidationError.self) { try container.validate() }
        let errors: [ValidationFinding.Kind] = [
            .error(.notRegistered), .error(.argumentMismatch), .error(.typeMismatch), .error(.weakValueType),
            .error(.asyncRequired), .error(.mainActorRequired), .error(.cycle),
        ]
        let warnings: [ValidationFinding.Kind] = [
            .replaced, .captiveDependency, .optionalRegistration, .missingAutowiring, .unusedDecorator,
            .unpreparedDependency, .similarName,
        ]
        #expect(error.findings.map(\.kind) == errors + warnings)
        #expect(error.findings.map(\.isError) == errors.map { _ in true } + warnings.map { _ in false })
        #expect(error.description.hasPrefix("14 findings:\n1. error: "))
        #expect(error.description.contains("\n14. warning: "))
    }

    static let inherited: [Wiring] = [
        Wiring("missing arguments", finds: [.error(.argumentMismatch)]) {
            New { _, number in Ticket(number: number) }
            New(autowiring: { (_: Ticket) in Wheel() })
            Shared(autowiring: Dependent<Wheel>.init)
        },
        Wiring("a cycle", finds: [.error(.cycle)]) {
            New(autowiring: Hen.init)
            New(autowiring: Egg.init)
            Shared(autowiring: Dependent<Egg>.init)
        },
        Wiring("the type of an alias", finds: [.error(.typeMismatch)]) {
            Shared(Wheel(), as: (any Engine).self)
            Shared(autowiring: Car.init)
        },
    ]

    @Test("reports a fault of several containers once in a child", arguments: inherited)
    func inChild(_ wiring: Wiring) {
        wiring.check(findings(wiring.container))
        #expect(findings(wiring.container.makeChild()).map(\.line) == findings(wiring.container).map(\.line))
    }

    @Test("reports each registration that a collection cannot build")
    func collection() {
        let found = findings(
            DIContainer {
                New { (_, kind: String) in Diesel(kind: kind) as any Engine }
                New({ (_, kind: String) in Diesel(kind: kind) as any Engine }, name: "spare")
                New(autowiring: Dependent<All<any Engine>>.init)
            })
        #expect(found.map(\.key) == ["any Engine", "any Engine named \"spare\""])
    }
}

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

    @Test("ignores all findings of a kind, or those about one type")
    func kindAndType() {
        let all: [ValidationFinding.Kind] = [
            .error(.notRegistered), .captiveDependency, .optionalRegistration, .optionalRegistration,
        ]
        let rows: [(allowed: [AllowedFinding], left: [ValidationFinding.Kind])] = [
            ([], all),
            ([.optionalRegistration], Array(all[...1])),
            ([.optionalRegistration(Ticket?.self)], Array(all[...2])),
            ([.captiveDependency((any Engine).self), .optionalRegistration(Int?.self)], [all[0], all[2]]),
            ([AllowedFinding(.captiveDependency)], [all[0], all[2], all[3]]),
        ]
        for (allowed, left) in rows {
            #expect(findings(container, allowing: allowed).map(\.kind) == left, "\(allowed)")
        }
    }

    @Test("does not throw an error that is allowed by its reason or for one type")
    func errors() throws {
        #expect(try container.validate(allowing: [.error(.notRegistered)]).count == 3)
        #expect(try container.validate(allowing: [.error(.notRegistered, String.self)]).count == 3)
        for other: AllowedFinding in [.error(.cycle), .error(.notRegistered, Int.self), .error(.cycle, String.self)] {
            #expect(throws: DIContainer.ValidationError.self, "\(other)") { try container.validate(allowing: [other]) }
        }
    }

    @Test("distinguishes names, and treats no name as a name of its own")
    func names() throws {
        let container = DIContainer {
            Decorate(Wheel.self, name: "spare") { base, _ in base }
            Decorate(Wheel.self) { base, _ in base }
        }
        let unnamed = try container.validate(allowing: [.unusedDecorator(Wheel.self)])
        #expect(unnamed.map(\.key) == ["Wheel named \"spare\""])
        let spare = try container.validate(allowing: [.unusedDecorator(Wheel.self, name: "spare")])
        #expect(spare.map(\.key) == ["Wheel"])
        #expect(try container.validate(allowing: [.unusedDecorator(Wheel.self, name: "other")]).count == 2)
        let otherKinds: [AllowedFinding] = [.replaced, .unchecked(Wheel.self), .error(.cycle, Wheel.self)]
        #expect(try container.validate(allowing: otherKinds).count == 2)
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
