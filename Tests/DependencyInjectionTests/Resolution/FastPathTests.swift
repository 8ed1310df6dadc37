import Testing

@testable import DependencyInjection

/// A result that only the slow path finds is the same for a user, but takes many times longer.
@Suite("Rule C3: requests that the fast path resolves")
struct FastPathTests {
    /// What a lookup on the fast path has found.
    private enum Found: Equatable {
        case instance, factory, slowPath, nothing
    }

    private func find<T>(_ type: T.Type, name: RegistrationName?, in container: DIContainer) -> Found {
        ThreadRecord.reading {
            let type = ObjectIdentifier(type)
            let result = name == nil ? container.core.lookUp(type) : container.core.lookUp(Key(type, name))
            return switch result {
            case .instance: .instance
            case .factory: .factory
            case .slowPath: .slowPath
            case .missing: .nothing
            }
        }
    }

    /// Where a type is registered, seen from the container that is asked.
    enum Place: CaseIterable {
        case own, parent, ownAndParent

        func container(_ registrations: some RegistrationConvertible) -> DIContainer {
            switch self {
            case .own: DIContainer { registrations }
            case .parent: DIContainer { registrations }.makeChild().makeChild()
            case .ownAndParent: DIContainer { registrations }.makeChild { registrations }
            }
        }
    }

    /// Registers a class with an alias, without and with a name, and with or without decorators of both types.
    private func registrations(isDecorated: Bool, _ form: (RegistrationName?) -> any RegistrationConvertible) -> Module
    {
        Module {
            form(nil)
            form("named")
            if isDecorated {
                for name in [nil, "named"] as [RegistrationName?] {
                    Decorate(Diesel.self, name: name) { base, _ in base }
                    Decorate((any Engine).self, name: name) { base, _ in base }
                }
            }
        }
    }

    private func check(_ container: DIContainer, finds expected: Found, alias: Found) throws {
        for name in [nil, "named"] as [RegistrationName?] {
            _ = try container.resolve.orThrow(Diesel.self, name: name)
            _ = try container.resolve.orThrow((any Engine).self, name: name)
            #expect(find(Diesel.self, name: name, in: container) == expected)
            #expect(find((any Engine).self, name: name, in: container) == alias)
        }
    }

    @Test("A cached instance, by its type and by an alias", arguments: Place.allCases, [false, true])
    func instances(_ place: Place, isDecorated: Bool) throws {
        let shared = registrations(isDecorated: isDecorated) { Shared(Diesel(), name: $0, as: (any Engine).self) }
        try check(place.container(shared), finds: .instance, alias: .instance)
        let scoped = registrations(isDecorated: isDecorated) { Scoped(Diesel(), name: $0, as: (any Engine).self) }
        try check(place.container(scoped), finds: .instance, alias: .instance)
    }

    @Test("The factory of a New, by its type and by an alias", arguments: Place.allCases)
    func factories(_ place: Place) throws {
        let new = registrations(isDecorated: false) { New(Diesel(), name: $0, as: (any Engine).self) }
        try check(place.container(new), finds: .factory, alias: .factory)
    }

    @Test("Nothing, for a missing type")
    func missing() {
        for container in [DIContainer(), DIContainer().makeChild()] {
            #expect(find(Diesel.self, name: nil, in: container) == .nothing)
            #expect(find(Diesel.self, name: "named", in: container) == .nothing)
        }
    }
}
