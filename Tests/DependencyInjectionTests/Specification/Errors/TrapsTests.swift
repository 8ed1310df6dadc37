import DependencyInjection
import Testing

// Each plain form stops the program with the text of the error. The tests read the text from the stopped process.

private func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
}

extension ExitTests {
    @Suite("Rule 18: There is one type of error, and it names the fix") struct TrapTests {}
}

extension ExitTests.TrapTests {
    @Test("A missing registration traps with its text")
    func missing() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            DIContainer { Shared(Diesel()) }.resolve((any Engine).self).kind.first.map { _ in }
        }
        #expect(text(result).contains("Nothing is registered for any Engine."))
        #expect(text(result).contains("requested at \(#fileID):"))
        #expect(text(result).contains("fix:"))
    }

    @Test("A plain request in a factory traps with the whole path")
    func plainRequestInFactory() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = DIContainer {
                Shared { resolve in Car(engine: resolve()) }
                New { resolve in Ticket(number: resolve(Car.self).engine.kind.count) }
            }
            _ = try? container.resolve.orThrow(Ticket.self)
        }
        #expect(text(result).contains("Nothing is registered for any Engine."))
        #expect(text(result).contains("Ticket  (registered at"))
        #expect(text(result).contains("Car  (registered at"))
    }

    @Test("Rule 16: a cycle through @Inject in initializers traps with its path")
    func cycle() async {
        final class Chicken: Sendable {
            init() { @Inject var egg: Egg; _ = egg }
        }
        final class Egg: Sendable {
            init() { _ = DIContainer.resolve(Chicken.self) }
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            DIContainer.register {
                Shared(Chicken.init)
                New(Egg.init)
            }
            _ = DIContainer.resolve(Chicken.self)
        }
        #expect(text(result).contains("ExitTests.TrapTests.Chicken → ExitTests.TrapTests.Egg"))
        #expect(
            text(result).contains(
                "inject a `Provider<ExitTests.TrapTests.Chicken>`, and call it after the initializer"))
    }

    @Test("Rule 9: wrong arguments trap by position, label, closure and provider", arguments: 0..<4)
    func arguments(_ form: Int) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [form] in
            let container = DIContainer { New { (_, number: Int) in Ticket(number: number) } }
            switch form {
            case 0: let _: Ticket = container.resolve("one", 2)
            case 1: _ = container.resolve(Ticket.self, arguments: "one", 2)
            case 2: _ = container.resolve(Ticket.self) { ("one", 2) }
            default: _ = container.resolve(Provider<Ticket, String, Int>.self)("one", 2)
            }
        }
        #expect(text(result).contains("The factory of Ticket takes (Int), but the request supplied (String, Int)."))
    }

    @Test("Rule 13: a failing registration traps in a request for all")
    func all() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = DIContainer { Shared { _ -> Ticket in throw Sabotage() } }.resolve.all(Ticket.self)
        }
        #expect(text(result).contains("The factory of Ticket failed: sabotaged"))
    }

    @Test("Every form shows the requested name and the given place", arguments: 0..<9)
    func nameAndPlace(_ form: Int) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [form] in
            let resolve = DIContainer { Shared(name: "n") { _ -> Diesel in throw Sabotage() } }.resolve
            let file: StaticString = "Asked.swift"
            switch form {
            case 0: _ = resolve(Diesel.self, name: "n", file: file, line: 7)
            case 1: let _: Diesel = resolve(name: "n", file: file, line: 7)
            case 2: let _: Diesel = resolve(1, name: "n", file: file, line: 7)
            case 3: _ = resolve(Diesel.self, name: "n", arguments: 1, file: file, line: 7)
            case 4: _ = resolve(Diesel.self, name: "n", file: file, line: 7) { 1 }
            case 5: _ = resolve(Diesel.self, name: "n", file: file, line: 7) as AnyObject
            case 6: _ = resolve(Diesel.self, name: "n", file: file, line: 7) as AnyObject?
            case 7: _ = resolve.all(Diesel.self, name: "n", file: file, line: 7)
            default: _ = resolve(Provider<Diesel>.self, name: "n")(file: file, line: 7)
            }
        }
        #expect(text(result).contains("Diesel named \"n\""))
        #expect(text(result).contains("requested at Asked.swift:7"))
        #expect(text(result).contains("Asked.swift:7: Fatal error"))
    }

    // Not in a macro, where the wrappers would have the line of the macro.
    private static let firstWrapper: UInt = #line + 5

    @Sendable private static func useWrapper(_ kind: Int) {
        DIContainer.withContainer(DIContainer()) {
            switch kind {
            case 0: @Inject var engine: any Engine; _ = engine
            case 1: @MutableInject var engine: any Engine; _ = engine
            case 2: @LazyInject var engine: any Engine; _ = engine
            default: @MutableLazyInject var engine: any Engine; _ = engine
            }
        }
    }

    @Test("Each wrapper shows the line of its declaration", arguments: 0..<4)
    func wrappers(_ kind: Int) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
            Self.useWrapper(kind)
        }
        #expect(text(result).contains("Nothing is registered for any Engine."))
        #expect(text(result).contains("requested at \(#fileID):\(Self.firstWrapper + UInt(kind)), in "))
    }
}
