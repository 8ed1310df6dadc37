import DependencyInjection
import Testing

/// Registers types in every form.
@Suite("Forms of registrations")
struct FormTests {
    private static let file: StaticString = "Form.swift"

    private static func shared() -> [any RegistrationConvertible] {
        [
            Shared(Diesel(), name: "n", as: (any Engine).self, file: file, line: 0),
            Shared({ _ in Diesel() }, name: "n", as: (any Engine).self, file: file, line: 1),
            Shared(name: "n", as: (any Engine).self, file: file, line: 2) { _ in Diesel() },
            Shared({ Diesel() }, name: "n", as: (any Engine).self, file: file, line: 3),
            Shared(name: "n", as: (any Engine).self, file: file, line: 4) { Diesel() },
            Shared(autowiring: Diesel.init(starter:), name: "n", as: (any Engine).self, file: file, line: 5),
            Shared(mainActor: Diesel(), name: "n", as: (any Engine).self, file: file, line: 6),
            Shared(mainActor: { _ in Diesel() }, name: "n", as: (any Engine).self, file: file, line: 7),
            Shared(mainActor: { Diesel() }, name: "n", as: (any Engine).self, file: file, line: 8),
            Shared(async: { _ in Diesel() }, name: "n", as: (any Engine).self, file: file, line: 9),
        ]
    }

    private static func new() -> [any RegistrationConvertible] {
        [
            New(Diesel(), name: "n", as: (any Engine).self, file: file, line: 0),
            New({ _ in Diesel() }, name: "n", as: (any Engine).self, file: file, line: 1),
            New(name: "n", as: (any Engine).self, file: file, line: 2) { _ in Diesel() },
            New({ Diesel() }, name: "n", as: (any Engine).self, file: file, line: 3),
            New(name: "n", as: (any Engine).self, file: file, line: 4) { Diesel() },
            New(autowiring: Diesel.init(starter:), name: "n", as: (any Engine).self, file: file, line: 5),
            New(mainActor: Diesel(), name: "n", as: (any Engine).self, file: file, line: 6),
            New(mainActor: { _ in Diesel() }, name: "n", as: (any Engine).self, file: file, line: 7),
            New(mainActor: { Diesel() }, name: "n", as: (any Engine).self, file: file, line: 8),
            New(async: { _ in Diesel() }, name: "n", as: (any Engine).self, file: file, line: 9),
        ]
    }

    @Test("Rules 2, 4, 11: every form takes the name, the aliases and the place", arguments: [shared, new])
    @MainActor func all(_ forms: @Sendable () -> [any RegistrationConvertible]) async throws {
        let types = [ObjectIdentifier(Diesel.self), ObjectIdentifier((any Engine).self)]
        for (line, form) in forms().enumerated() {
            let registrations = form.registrations
            #expect(registrations.map { ObjectIdentifier($0.type) } == types)
            #expect(registrations.allSatisfy { $0.name == "n" && $0.file == "Form.swift" && $0.line == UInt(line) })
            #expect(registrations[0].isMainActor == (6...8).contains(line))
            let container = DIContainer {
                Module(form)
                Shared(Diesel() as any Starter)
            }
            let engine = try await container.resolve.async((any Engine).self, name: "n")
            #expect(engine is Diesel)
        }
    }

    @Test("Rules 9, 18: an initializer's dependencies carry its registration's place")
    func needs() {
        let forms: [any RegistrationConvertible] = [
            Shared(autowiring: Diesel.init(starter:), name: "n", file: Self.file, line: 0),
            New(autowiring: Diesel.init(kind:starter:), arguments: String.self, name: "n", file: Self.file, line: 1),
            New(
                autowiring: Diesel.init(a:b:starter:), arguments: String.self, Int.self, name: "n", file: Self.file,
                line: 2),
            New(
                autowiring: Diesel.init(a:b:c:starter:), arguments: String.self, Int.self, Int.self, name: "n",
                file: Self.file, line: 3),
        ]
        let container = DIContainer { Module(forms[0]) }
        for (line, form) in forms.enumerated() {
            container.register { Module(form) }
            let error = failure {
                switch line {
                case 0: _ = try container.resolve.orThrow(Diesel.self, name: "n")
                case 1: _ = try container.resolve.orThrow(Diesel.self, name: "n", arguments: "")
                case 2: _ = try container.resolve.orThrow(Diesel.self, name: "n", arguments: "", 1)
                default: _ = try container.resolve.orThrow(Diesel.self, name: "n", arguments: "", 1, 2)
                }
            }
            #expect(error?.kind == "notRegistered" && error?.key == "any Starter")
            #expect(error?.file == "Form.swift" && error?.line == UInt(line))
            #expect(error?.path.map(\.key) == ["Diesel named \"n\""])
        }
    }

    @Test("Rules 4, 17, 20, 22: decorators, declarations and handlers accept a place")
    func others() async throws {
        let file = Self.file
        let registrations =
            Decorate(Diesel.self, name: "n", file: file, line: 0) { base, _ in base }.registrations
            + Decorate(Diesel.self, name: "n", file: file, line: 1, mainActor: { base, _ in base }).registrations
            + ProvidedByChild(Diesel.self, Car.self, name: "n", file: file, line: 2).registrations
        #expect(registrations.map(\.line) == [0, 1, 2, 2])
        #expect(registrations.allSatisfy { $0.name == "n" && $0.file == "Form.swift" })
        #expect(registrations.map { "\($0.type)" } == ["Diesel", "Diesel", "Diesel", "Car"])

        let closing = Shared(Diesel())
        let forms = [
            closing.onClose(file: file, line: 31) { _ in throw Sabotage() },
            closing.onClose(file: file, line: 32) { _, _ in throw Sabotage() },
            closing.onClose(mainActor: { _ in throw Sabotage() }, file: file, line: 33),
            closing.onClose(mainActor: { _, _ in throw Sabotage() }, file: file, line: 34),
        ]
        for (index, form) in forms.enumerated() {
            let container = DIContainer { form }
            _ = try container.resolve.orThrow(Diesel.self)
            let error = await #expect(throws: CloseError.self) { try await container.close() }
            #expect(error?.description.contains("Form.swift:\(31 + index)") == true)
        }
    }
}

extension Diesel {
    fileprivate convenience init(starter: any Starter) { self.init() }
    fileprivate convenience init(kind: String, starter: any Starter) { self.init(kind: kind) }
    fileprivate convenience init(a: String, b: Int, starter: any Starter) { self.init(kind: a) }
    fileprivate convenience init(a: String, b: Int, c: Int, starter: any Starter) { self.init(kind: a) }
}
