import DependencyInjection
import Testing

// The table of all forms of a registration. This file is compiled in Swift 5 mode, in Swift 6 mode, and with the main
// actor as default isolation: the other targets of clients have a symbolic link to it.

/// A type without `Sendable`.
nonisolated class Page {
    let text: String
    init() { text = "" }
    init(text: String) { self.text = text }
    init(wheel: Wheel) { text = "" }
    init(a: Int, wheel: Wheel) { text = "\(a)" }
    init(a: Int, b: Int, wheel: Wheel) { text = "\(a)\(b)" }
    init(a: Int, b: Int, c: Int, wheel: Wheel) { text = "\(a)\(b)\(c)" }
}

nonisolated final class Part: Sendable {
    init() {}
    init(wheel: Wheel) {}
}

nonisolated struct Wheel: Sendable {}

/// One form, written in a plain property or in an asynchronous function on the main actor.
nonisolated struct FormRow: Sendable, CustomTestStringConvertible {
    let line: Int
    let code: String
    let properties: String
    let isOnMainActor: Bool

    var testDescription: String { isOnMainActor ? "\(code) on the main actor" : code }
    var lifetime: String { code.prefix { $0 != "(" } == "New" ? "New" : "Shared" }

    /// The code of each form, in the order of the registrations below, and the properties that differ.
    static let shared: KeyValuePairs = [
        "(C())": "hidden dependencies",
        "({ _ in C() })": "requested dependencies",
        "(name:) { _ in C() }": "requested dependencies",
        "({ C() })": "hidden dependencies",
        "(name:) { C() }": "hidden dependencies",
        "(C.init)": "hidden dependencies",
        "(autowiring: C.init(wheel:))": "depends on Wheel",
        "(autowiring: { C(wheel: $0) })": "depends on Wheel",
        "(mainActor: C())": "hidden dependencies, main actor",
        "(mainActor: { _ in C() })": "requested dependencies, main actor",
        "(mainActor: { C() })": "hidden dependencies, main actor",
        "(mainActor: C.init)": "hidden dependencies, main actor",
        "(async: { _ in C() })": "requested dependencies, asynchronous",
    ]
    static let withArguments: KeyValuePairs = [
        "({ _, a in C(text: a) })": "requested dependencies, takes Int",
        "(autowiring: C.init(a:wheel:), arguments: Int.self)": "depends on Wheel, takes Int",
        "(autowiring: C.init(a:b:wheel:), arguments: Int.self, Int.self)": "depends on Wheel, takes Int, Int",
        "(autowiring: C.init(a:b:c:wheel:), arguments: Int.self, Int.self, Int.self)":
            "depends on Wheel, takes Int, Int, Int",
        "(mainActor: { _, a in C(text: a) })": "requested dependencies, takes Int, main actor",
        "(mainActor: makePage)": "requested dependencies, takes Int, main actor",
    ]
    static let new = (Array(shared) + Array(withArguments)).map { ("New\($0.key)", $0.value) }
    static let all = new + shared.map { ("Shared\($0.key)", $0.value) }

    /// The registration of the form, and that of its alias.
    @MainActor var registrations: [Registration] {
        get async { Array((isOnMainActor ? await formsOnMainActor() : forms)[2 * line..<2 * line + 2]) }
    }

    static let rows = [false, true].flatMap { isOnMainActor in
        all.enumerated().map {
            FormRow(line: $0, code: $1.0, properties: $1.1, isOnMainActor: isOnMainActor)
        }
    }
}

extension Registration {
    /// The name, the place, and the properties that forms set.
    nonisolated fileprivate var form: String {
        let known =
            switch knownDependencies {
            case .declared(let types) where types.isEmpty: "depends on nothing"
            case .declared(let types): "depends on \(types.map { "\($0)" }.joined(separator: ", "))"
            case .hidden: "hidden dependencies"
            case .requested: "requested dependencies"
            }
        return "\(type) named \(name?.rawValue ?? "nothing") at \(file):\(line), \(known)"
            + (argumentTypes.isEmpty ? "" : ", takes \(argumentTypes.map { "\($0)" }.joined(separator: ", "))")
            + (isMainActor ? ", main actor" : "")
            + (isAsync ? ", asynchronous" : "")
    }
}

@Suite("Rules 2, 4, 9, 11: Each form of a registration means the same in each mode")
@MainActor struct FormTests {
    @Test("A form stores its name, alias, place, isolation and dependencies", arguments: FormRow.rows)
    func stores(_ row: FormRow) async throws {
        try #require(forms.count == 2 * FormRow.all.count)
        let (form, alias) = (await row.registrations[0], await row.registrations[1])
        let type = row.lifetime == "New" ? "Page" : "Part"
        #expect(form.form == "\(type) named n at Form.swift:\(row.line), \(row.properties)")
        #expect(alias.form == "AnyObject named n at Form.swift:\(row.line), depends on nothing")
        #expect(form.lifetime.map { "\($0)" } == row.lifetime.lowercased())
    }

    @Test("A form builds its instance, which is found by the alias", arguments: FormRow.rows)
    func builds(_ row: FormRow) async throws {
        let instance = try await instance(of: row, with: Shared(Wheel()))
        #expect(instance is Page == (row.lifetime == "New"))
        let count = await row.registrations[0].argumentTypes.count
        #expect(((instance as? Page)?.text ?? "") == ["", "1", "12", "123"][count])
    }

    @Test(
        "Rule 18: A missing dependency of an initializer has the place of the form, and the form in its path",
        arguments: FormRow.rows.filter { $0.properties.hasPrefix("depends") })
    func dependency(_ row: FormRow) async {
        let error = await #expect(throws: ResolutionError.self) { _ = try await instance(of: row) }
        #expect(error?.reason == .notRegistered)
        #expect(error?.key == "Wheel")
        #expect(error?.file == "Form.swift")
        #expect(error?.line == UInt(row.line))
        let type = row.lifetime == "New" ? "Page" : "Part"
        #expect(error?.path.map(\.id.description) == ["AnyObject named \"n\"", "\(type) named \"n\""])
    }

    /// Builds an instance by the alias of a form.
    private func instance(
        of row: FormRow, with dependencies: any RegistrationConvertible...
    ) async throws -> AnyObject {
        let registrations = await row.registrations
        let resolve = DIContainer {
            Module(registrations)
            Module(dependencies)
        }.resolve
        return switch registrations[0].argumentTypes.count {
        case 0: try await resolve.async(name: "n")
        case 1: try await resolve.async(name: "n", arguments: 1)
        case 2: try await resolve.async(name: "n", arguments: 1, 2)
        default: try await resolve.async(name: "n", arguments: 1, 2, 3)
        }
    }
}

// MARK: The forms

nonisolated private let file: StaticString = "Form.swift"

@MainActor private func makePage(_ resolve: Resolver, a: Int) -> Page { Page(text: "\(a)") }

/// Not marked, so that the forms are written on the main actor in the target of which that is the default isolation.
@RegistrationBuilder private var forms: [Registration] {
    New(Page(), name: "n", as: AnyObject.self, file: file, line: 0)
    New({ _ in Page() }, name: "n", as: AnyObject.self, file: file, line: 1)
    New(name: "n", as: AnyObject.self, file: file, line: 2) { _ in Page() }
    New({ Page() }, name: "n", as: AnyObject.self, file: file, line: 3)
    New(name: "n", as: AnyObject.self, file: file, line: 4) { Page() }
    New(Page.init, name: "n", as: AnyObject.self, file: file, line: 5)
    New(autowiring: Page.init(wheel:), name: "n", as: AnyObject.self, file: file, line: 6)
    New(autowiring: { Page(wheel: $0) }, name: "n", as: AnyObject.self, file: file, line: 7)
    New(mainActor: Page(), name: "n", as: AnyObject.self, file: file, line: 8)
    New(mainActor: { _ in Page() }, name: "n", as: AnyObject.self, file: file, line: 9)
    New(mainActor: { Page() }, name: "n", as: AnyObject.self, file: file, line: 10)
    New(mainActor: Page.init, name: "n", as: AnyObject.self, file: file, line: 11)
    New(async: { _ in Page() }, name: "n", as: AnyObject.self, file: file, line: 12)
    New({ (_: Resolver, a: Int) in Page(text: "\(a)") }, name: "n", as: AnyObject.self, file: file, line: 13)
    New(autowiring: Page.init(a:wheel:), arguments: Int.self, name: "n", as: AnyObject.self, file: file, line: 14)
    New(
        autowiring: Page.init(a:b:wheel:), arguments: Int.self, Int.self, name: "n", as: AnyObject.self, file: file,
        line: 15)
    New(
        autowiring: Page.init(a:b:c:wheel:), arguments: Int.self, Int.self, Int.self, name: "n", as: AnyObject.self,
        file: file, line: 16)
    New(mainActor: { (_: Resolver, a: Int) in Page(text: "\(a)") }, name: "n", as: AnyObject.self, file: file, line: 17)
    New(mainActor: makePage, name: "n", as: AnyObject.self, file: file, line: 18)
    Shared(Part(), name: "n", as: AnyObject.self, file: file, line: 19)
    Shared({ _ in Part() }, name: "n", as: AnyObject.self, file: file, line: 20)
    Shared(name: "n", as: AnyObject.self, file: file, line: 21) { _ in Part() }
    Shared({ Part() }, name: "n", as: AnyObject.self, file: file, line: 22)
    Shared(name: "n", as: AnyObject.self, file: file, line: 23) { Part() }
    Shared(Part.init, name: "n", as: AnyObject.self, file: file, line: 24)
    Shared(autowiring: Part.init(wheel:), name: "n", as: AnyObject.self, file: file, line: 25)
    Shared(autowiring: { Part(wheel: $0) }, name: "n", as: AnyObject.self, file: file, line: 26)
    Shared(mainActor: Part(), name: "n", as: AnyObject.self, file: file, line: 27)
    Shared(mainActor: { _ in Part() }, name: "n", as: AnyObject.self, file: file, line: 28)
    Shared(mainActor: { Part() }, name: "n", as: AnyObject.self, file: file, line: 29)
    Shared(mainActor: Part.init, name: "n", as: AnyObject.self, file: file, line: 30)
    Shared(async: { _ in Part() }, name: "n", as: AnyObject.self, file: file, line: 31)
}

/// The same forms, because the compiler may choose other initializers and another isolation here.
@MainActor @RegistrationBuilder private func formsOnMainActor() async -> [Registration] {
    New(Page(), name: "n", as: AnyObject.self, file: file, line: 0)
    New({ _ in Page() }, name: "n", as: AnyObject.self, file: file, line: 1)
    New(name: "n", as: AnyObject.self, file: file, line: 2) { _ in Page() }
    New({ Page() }, name: "n", as: AnyObject.self, file: file, line: 3)
    New(name: "n", as: AnyObject.self, file: file, line: 4) { Page() }
    New(Page.init, name: "n", as: AnyObject.self, file: file, line: 5)
    New(autowiring: Page.init(wheel:), name: "n", as: AnyObject.self, file: file, line: 6)
    New(autowiring: { Page(wheel: $0) }, name: "n", as: AnyObject.self, file: file, line: 7)
    New(mainActor: Page(), name: "n", as: AnyObject.self, file: file, line: 8)
    New(mainActor: { _ in Page() }, name: "n", as: AnyObject.self, file: file, line: 9)
    New(mainActor: { Page() }, name: "n", as: AnyObject.self, file: file, line: 10)
    New(mainActor: Page.init, name: "n", as: AnyObject.self, file: file, line: 11)
    New(async: { _ in Page() }, name: "n", as: AnyObject.self, file: file, line: 12)
    New({ (_: Resolver, a: Int) in Page(text: "\(a)") }, name: "n", as: AnyObject.self, file: file, line: 13)
    New(autowiring: Page.init(a:wheel:), arguments: Int.self, name: "n", as: AnyObject.self, file: file, line: 14)
    New(
        autowiring: Page.init(a:b:wheel:), arguments: Int.self, Int.self, name: "n", as: AnyObject.self, file: file,
        line: 15)
    New(
        autowiring: Page.init(a:b:c:wheel:), arguments: Int.self, Int.self, Int.self, name: "n", as: AnyObject.self,
        file: file, line: 16)
    New(mainActor: { (_: Resolver, a: Int) in Page(text: "\(a)") }, name: "n", as: AnyObject.self, file: file, line: 17)
    New(mainActor: makePage, name: "n", as: AnyObject.self, file: file, line: 18)
    Shared(Part(), name: "n", as: AnyObject.self, file: file, line: 19)
    Shared({ _ in Part() }, name: "n", as: AnyObject.self, file: file, line: 20)
    Shared(name: "n", as: AnyObject.self, file: file, line: 21) { _ in Part() }
    Shared({ Part() }, name: "n", as: AnyObject.self, file: file, line: 22)
    Shared(name: "n", as: AnyObject.self, file: file, line: 23) { Part() }
    Shared(Part.init, name: "n", as: AnyObject.self, file: file, line: 24)
    Shared(autowiring: Part.init(wheel:), name: "n", as: AnyObject.self, file: file, line: 25)
    Shared(autowiring: { Part(wheel: $0) }, name: "n", as: AnyObject.self, file: file, line: 26)
    Shared(mainActor: Part(), name: "n", as: AnyObject.self, file: file, line: 27)
    Shared(mainActor: { _ in Part() }, name: "n", as: AnyObject.self, file: file, line: 28)
    Shared(mainActor: { Part() }, name: "n", as: AnyObject.self, file: file, line: 29)
    Shared(mainActor: Part.init, name: "n", as: AnyObject.self, file: file, line: 30)
    Shared(async: { _ in Part() }, name: "n", as: AnyObject.self, file: file, line: 31)
}
