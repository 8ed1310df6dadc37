import DependencyInjection
import Testing

private typealias Fix = Fault.Fix

/// Dependency cycles.
enum CycleFaults {
    static let table: [Fault] = [
        Fault("Two types depend on each other", "Circular dependency: Cock → Pullet → Cock") {
            let container = DIContainer {
                Shared(autowiring: Cock.init)
                Shared(autowiring: Pullet.init)
            }
            _ = try container.resolve.orThrow(Cock.self)
        } fixes: {
            Fix("inject a `Provider<Cock>`, and call it after the initializer") {
                final class Pullet: Sendable {
                    let cock: Provider<Cock>
                    init(_ cock: Provider<Cock>) { self.cock = cock }
                }
                final class Cock: Sendable { init(_ pullet: Pullet) {} }
                let container = DIContainer {
                    Shared(autowiring: Cock.init)
                    Shared(autowiring: Pullet.init)
                }
                let cock = try container.resolve.orThrow(Cock.self)
                #expect(container.resolve(Pullet.self).cock() === cock)
            }
            Fix("inject Cock with `@LazyInject`, unless its owner has to be `Sendable`") {
                final class Pullet { @LazyInject var cock: Cock }
                final class Cock { init(_ pullet: Pullet) {} }
                let container = DIContainer {
                    New { resolve in Cock(resolve()) }
                    New { _ in Pullet() }
                }
                _ = try container.resolve.orThrow(Cock.self)
            }
        },
        Fault("Two types with arguments depend on each other", "Circular dependency: Ticket → String → Ticket") {
            let container = DIContainer {
                New { (resolve, number: Int) in
                    Ticket(number: try resolve.orThrow(String.self, arguments: number).count)
                }
                New { (resolve, number: Int) in "\(try resolve.orThrow(Ticket.self, arguments: number))" }
            }
            _ = try container.resolve.orThrow(Ticket.self, arguments: 1)
        } fixes: {
            Fix("inject a `Provider<Ticket, Int>`, and call it after the initializer") {
                struct Text: Sendable {
                    let number: Int
                    let ticket: Provider<Ticket, Int>
                }
                let container = DIContainer {
                    New { (resolve, number: Int) in
                        Ticket(number: try resolve.orThrow(Text.self, arguments: number).number)
                    }
                    New(autowiring: Text.init, arguments: Int.self)
                }
                let text = try container.resolve.orThrow(Text.self, arguments: 3)
                #expect(text.ticket(3).number == 3)
            }
        },
        Fault("A factory resolves its own type", "Circular dependency: any Engine → any Engine") {
            let container = DIContainer {
                Shared(Diesel() as any Engine)
                Shared { resolve in Diesel(kind: try resolve.orThrow((any Engine).self).kind) as any Engine }
            }
            _ = try container.resolve.orThrow((any Engine).self)
        } fixes: {
            Fix("register the inner instance under a name, and request it by that name") {
                let container = DIContainer {
                    Shared(Diesel() as any Engine, name: "inner")
                    Shared { resolve in Diesel(kind: resolve((any Engine).self, name: "inner").kind) as any Engine }
                }
                _ = try container.resolve.orThrow((any Engine).self)
            }
            Fix("wrap the earlier registration with `Decorate`, if there is one") {
                let container = DIContainer {
                    Shared(Diesel() as any Engine)
                    Decorate((any Engine).self) { base, resolve in Diesel(kind: base.kind) }
                }
                _ = try container.resolve.orThrow((any Engine).self)
            }
        },
        Fault("An asynchronous factory waits for its own type", "Circular dependency: Ticket → Ticket") {
            let container = DIContainer {
                Shared(async: { resolve in Ticket(number: try await resolve.async(Ticket.self).number) })
            }
            _ = try await container.resolve.async(Ticket.self)
        } fixes: {
            Fix("register the inner instance under a name, and request it by that name") {
                let container = DIContainer {
                    Shared(async: { _ in Ticket(number: 1) }, name: "inner")
                    Shared(async: { resolve in
                        Ticket(number: try await resolve.async(Ticket.self, name: "inner").number)
                    })
                }
                _ = try await container.resolve.async(Ticket.self)
            }
        },
        Fault("Two asynchronous factories wait for each other", "Circular dependency: Ticket → String → Ticket") {
            let container = DIContainer {
                Shared(async: { resolve in Ticket(number: try await resolve.async(String.self).count) })
                Shared(async: { resolve in "\(try await resolve.async(Ticket.self).number)" })
            }
            _ = try await container.resolve.async(Ticket.self)
        } fixes: {
            Fix("connect the instances after their initializers, in one factory") {
                struct Text: Sendable { let ticket: Ticket }
                let container = DIContainer {
                    Shared(async: { _ in
                        let ticket = Ticket(number: 1)
                        return Text(ticket: ticket)
                    })
                    Shared(async: { resolve in try await resolve.async(Text.self).ticket })
                }
                try await container.prepare()
                #expect(container.resolve(Ticket.self).number == 1)
            }
        },
        Fault("Two instances of a graph depend on each other", "Circular dependency: Turn → Partner → Turn") {
            let container = DIContainer {
                Graph { resolve in Turn(partner: try resolve.orThrow()) }
                Graph { resolve in
                    _ = try resolve.orThrow(Turn.self); return Partner()
                }
            }
            _ = try container.resolve.orThrow(Turn.self)
        } fixes: {
            Fix("connect the instances after their initializers, in one factory") {
                final class C: @unchecked Sendable { let d: D; init(d: D) { self.d = d } }
                final class D: @unchecked Sendable { weak var c: C? }
                let container = DIContainer {
                    // swift-format-ignore
                    Graph { resolve in let c = C(d: resolve()); c.d.c = c; return c }
                    Graph(D())
                }
                let c = try container.resolve.orThrow(C.self)
                #expect(c.d.c === c)
            }
        },
        Fault(
            "A recursion does not end",
            "Circular dependency: Bough → Bough"
        ) {
            let container = DIContainer {
                New { (resolve, depth: Int) in Bough(twigs: try resolve.orThrow(Bough.self, arguments: depth + 1).twigs)
                }
            }
            _ = try container.resolve.orThrow(Bough.self, arguments: 0)
        } fixes: {
            Fix("end the recursion: a factory with arguments may resolve its own type at most 64 levels deep") {
                let container = DIContainer {
                    New { (resolve, depth: Int) in
                        Bough(twigs: depth > 60 ? 1 : try resolve.orThrow(Bough.self, arguments: depth + 1).twigs)
                    }
                }
                _ = try container.resolve.orThrow(Bough.self, arguments: 0)
            }
        },
    ]
}
