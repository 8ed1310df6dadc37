import DependencyInjection
import Testing

// Plain requests: an application in Swift 5 mode writes them.

/// Registers types in every form of Swift 5 mode.
struct FormTests {
    private class Part {
        let text: String
        init() { text = "" }
        init(router: Router) { text = "" }
        init(a: Int, router: Router) { text = "\(a)" }
        init(a: Int, b: Int, router: Router) { text = "\(a)\(b)" }
        init(a: Int, b: Int, c: Int, router: Router) { text = "\(a)\(b)\(c)" }
    }

    private static let file: StaticString = "Form.swift"

    private func shared() -> [any RegistrationConvertible] {
        let file = Self.file
        return [
            Shared(Part(), name: "n", as: AnyObject.self, file: file, line: 0),
            Shared({ _ in Part() }, name: "n", as: AnyObject.self, file: file, line: 1),
            Shared(name: "n", as: AnyObject.self, file: file, line: 2) { _ in Part() },
            Shared({ Part() }, name: "n", as: AnyObject.self, file: file, line: 3),
            Shared(name: "n", as: AnyObject.self, file: file, line: 4) { Part() },
            Shared(autowiring: Part.init(router:), name: "n", as: AnyObject.self, file: file, line: 5),
            Shared(autowiring: { Part(router: $0) }, name: "n", as: AnyObject.self, file: file, line: 6),
            Shared(mainActor: Part(), name: "n", as: AnyObject.self, file: file, line: 7),
            Shared(mainActor: { _ in Part() }, name: "n", as: AnyObject.self, file: file, line: 8),
            Shared(mainActor: Part.init, name: "n", as: AnyObject.self, file: file, line: 9),
        ]
    }

    private func new() -> [any RegistrationConvertible] {
        let file = Self.file
        return [
            New(Part(), name: "n", as: AnyObject.self, file: file, line: 0),
            New(
                autowiring: Part.init(a:router:), arguments: Int.self, name: "n", as: AnyObject.self, file: file,
                line: 1),
            New(
                autowiring: Part.init(a:b:router:), arguments: Int.self, Int.self, name: "n", as: AnyObject.self,
                file: file, line: 2),
            New(
                autowiring: Part.init(a:b:c:router:), arguments: Int.self, Int.self, Int.self, name: "n",
                as: AnyObject.self, file: file, line: 3),
        ]
    }

    private func check(_ form: any RegistrationConvertible, _ line: Int) {
        let registrations = form.registrations
        #expect(
            registrations.map { ObjectIdentifier($0.type) } == [
                ObjectIdentifier(Part.self), ObjectIdentifier(AnyObject.self),
            ])
        #expect(registrations.allSatisfy { $0.name == "n" && $0.file == "Form.swift" && $0.line == UInt(line) })
    }

    @Test("Rules 2, 4, 11: every form takes the name, the aliases and the place")
    @MainActor
    func all() throws {
        for (line, form) in shared().enumerated() {
            check(form, line)
            #expect(form.registrations[0].isMainActor == (7...9).contains(line))
            let container = DIContainer {
                Module(form)
                Shared(RouterImpl() as Router)
            }
            #expect(container.resolve(AnyObject.self, name: "n") is Part)
        }
    }

    @Test("Rules 9, 18: initializer parameters have the registration's place")
    func arguments() throws {
        let container = DIContainer()
        for (line, form) in new().enumerated() {
            check(form, line)
            container.register { Module(form) }
            let resolve = container.resolve
            func part() throws -> Part {
                switch line {
                case 0: try resolve.orThrow(Part.self, name: "n")
                case 1: try resolve.orThrow(Part.self, name: "n", arguments: 1)
                case 2: try resolve.orThrow(Part.self, name: "n", arguments: 1, 2)
                default: try resolve.orThrow(Part.self, name: "n", arguments: 1, 2, 3)
                }
            }
            if line > 0 {
                let error = #expect(throws: ResolutionError.self) { try part() }
                #expect(error?.key == "any Router" && error?.file == "Form.swift" && error?.line == UInt(line))
            }
            container.register(Shared(RouterImpl() as Router))
            #expect(try part().text == ["", "1", "12", "123"][line])
            container.unregister(Router.self)
        }
    }
}
