import DependencyInjection
import Testing

@Suite("Sealing")
struct SealTests {
    @Test("Rule 3: a sealed container resolves, and can have children and forks")
    func stillResolves() throws {
        let container = DIContainer { Shared(Ticket(number: 1)) }
        container.seal()
        #expect(try container.resolve.orThrow(Ticket.self).number == 1)
        #expect(container.makeChild { Shared(Ticket(number: 2)) }.resolve(Ticket.self).number == 2)
        let fork = container.fork { Shared(Ticket(number: 3)) }
        fork.register(Shared(Ticket(number: 4)))
        #expect(try fork.resolve.orThrow(Ticket.self).number == 4)
        DIContainer.withContainer(container) {
            DIContainer.withOverrides({ Shared(Ticket(number: 5)) }) {
                #expect(DIContainer.resolve(Ticket.self).number == 5)
            }
        }
        weak let instance = DIContainer { Shared(Diesel()) }.resolve(Diesel.self)
        #expect(instance == nil)
    }
}

extension ExitTests {
    @Suite("Sealing, in another process") struct SealExitTests {}
}

extension ExitTests.SealExitTests {
    private static let sealLine: UInt = #line + 4

    @Sendable private static func change(_ kind: Int) {
        let container = DIContainer { Shared(Ticket(number: 1)) }
        container.seal()
        switch kind {
        case 0: container.register(Shared(Ticket(number: 2)))
        case 1: container.register { Decorate(Ticket.self) { base, _ in base } }
        case 2: container.register(ProvidedByChild(Ticket.self))
        case 3: container.unregister(Ticket.self)
        case 4: container.reset()
        default: container.resetInstances()
        }
    }

    private static let firstSealLine: UInt = #line + 4

    @Sendable private static func changeAfterTwoSeals() {
        let container = DIContainer()
        container.seal()
        container.seal()
        container.register(Shared(1))
    }

    @Test("Rules 3, 22: after seal() a change stops the program with its place and type", arguments: 0..<6)
    func changes(_ kind: Int) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
            Self.change(kind)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let seal = Self.sealLine
        let sealed = "The container was sealed at \(#fileID):\(seal) and can no longer be changed"
        #expect(text.contains(kind < 4 ? "\(sealed) for Ticket.\n" : "\(sealed).\n"))
        #expect(text.contains("requested at \(#fileID):\(seal + 2 + UInt(kind))"))
        #expect(text.contains("`container.fork`"))
    }

    @Test("Rule 3: a container that is sealed twice names the first place")
    func twice() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.changeAfterTwoSeals()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("The container was sealed at \(#fileID):\(Self.firstSealLine) "))
    }
}
