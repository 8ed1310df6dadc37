import DependencyInjection
import Testing

@Suite("Two objects that reference each other")
struct LazyCycleTests {
    private final class Lazy: @unchecked Sendable { @LazyInject var other: LazyOther }
    private final class LazyOther: @unchecked Sendable { @LazyInject var other: Lazy }
    private final class Provided: Sendable {
        let other: Provider<ProvidedOther>
        init(other: Provider<ProvidedOther>) { self.other = other }
    }
    private final class ProvidedOther: Sendable {
        let other: Provided
        init(other: Provided) { self.other = other }
    }

    @Test("Rule 16: lazy wrappers on both sides retain each other after they were read", arguments: [true, false])
    func lazy(isWeak: Bool) throws {
        weak var object: Lazy?
        do {
            let container = DIContainer {
                if isWeak { Weak { _ in Lazy() } } else { Shared { _ in Lazy() } }
                if isWeak { Weak { _ in LazyOther() } } else { Shared { _ in LazyOther() } }
            }
            let first = try container.resolve.orThrow(Lazy.self)
            #expect(first.other.other === first)
            object = first
        }
        #expect(object != nil)
    }

    @Test("Rule 16: a provider on one side retains nothing", arguments: [true, false])
    func provided(isWeak: Bool) throws {
        weak var object: Provided?
        do {
            let container = DIContainer {
                if isWeak { Weak(autowiring: Provided.init) } else { Shared(autowiring: Provided.init) }
                if isWeak { Weak(autowiring: ProvidedOther.init) } else { Shared(autowiring: ProvidedOther.init) }
            }
            let first = try container.resolve.orThrow(Provided.self)
            #expect(first.other().other === first)
            object = first
        }
        #expect(object == nil)
    }
}
