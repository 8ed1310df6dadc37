import DependencyInjection
import Testing

@Suite("Rule C8: instances released together follow the reverse order of construction")
struct ReleaseOrderTests {
    /// The names of the released instances, in order of release.
    private typealias Log = Locked<[String]>

    private final class Part: Sendable {
        private let name: String
        private let log: Log

        init(_ name: String, _ log: Log) {
            self.name = name
            self.log = log
        }

        deinit { log.withLock { $0.append(name) } }
    }

    /// The names of the users. There are so many that no table has them in this order by chance.
    private static let users = (0..<30).map { "user \($0)" }
    private static let releases = Array(users.reversed()) + ["connection"]

    /// Parts that resolve the connection without retaining it.
    private static func parts<T>(
        _ log: Log, _ form: (RegistrationName, @escaping @Sendable (Resolver) throws -> Part) -> T
    ) -> [T] {
        let connection = form("connection") { _ in Part("connection", log) }
        let users = users.map { name in
            form(RegistrationName(name)) { resolve in
                _ = try resolve.orThrow(Part.self, name: "connection")
                return Part(name, log)
            }
        }
        return users + [connection]
    }

    /// Builds the users in their order. The first user resolves the connection.
    private static func build(in container: DIContainer) {
        for name in users { _ = container.resolve(Part.self, name: RegistrationName(name)) }
    }

    /// Returns a container that has built all its parts.
    private static func container(_ log: Log) -> DIContainer {
        let container = DIContainer {
            for part in parts(log, { name, make in Shared(name: name) { try make($0) } }) { part }
        }
        build(in: container)
        return container
    }

    /// Releases a container without other references, and returns the released instances.
    private static func releases(ofReleasing make: (Log) -> DIContainer) -> [String] {
        let log = Log([])
        withExtendedLifetime(make(log)) {}
        return log.withLock { $0 }
    }

    @Test("by releasing a container with many registrations added after the build")
    func releasedAfterGrowing() {
        let releases = Self.releases { log in
            let container = Self.container(log)
            container.register { for number in 0..<1_000 { New(number, name: RegistrationName("\(number)")) } }
            return container
        }
        #expect(releases == Self.releases)
    }

    @Test("by releasing a container whose resolver lives on")
    func releasedWithResolver() {
        var resolver: Resolver?
        let releases = Self.releases { log in
            let container = Self.container(log)
            resolver = container.resolve
            return container
        }
        #expect(releases == Self.releases)
        withExtendedLifetime(resolver) {}
    }

    @Test("by releasing a container while another one builds")
    func releasedWhileBuilding() throws {
        let log = Log([])
        let container = Locked<DIContainer?>(Self.container(log))
        let other = DIContainer {
            Shared { _ in
                container.withLock { $0 = nil }
                return 1
            }
        }
        #expect(try other.resolve.orThrow(Int.self) == 1)
        #expect(log.withLock { $0 } == Self.releases)
    }

    @Test("by releasing a child with instances of its parent's registrations")
    func releasedChild() {
        let releases = Self.releases { log in
            let parent = DIContainer {
                for part in Self.parts(log, { name, make in Scoped(name: name) { try make($0) } }) { part }
            }
            let child = parent.makeChild()
            Self.build(in: child)
            return child
        }
        #expect(releases == Self.releases)
    }

    @Test("by releasing a container with decorated instances")
    func releasedWithDecorated() {
        let releases = Self.releases { log in
            let parent = DIContainer {
                Scoped(name: "part") { _ in Part("part", log) }
                Scoped(name: "last") { _ in Part("last", log) }
            }
            parent.register { Decorate(Part.self, name: "part") { _, _ in Part("decorated", log) } }
            let child = parent.makeChild()
            _ = child.resolve(Part.self, name: "part")
            _ = child.resolve(Part.self, name: "last")
            return child
        }
        // The decorator doesn't retain the decorated instance.
        #expect(releases == ["part", "last", "decorated"])
    }

    @Test("by resetting a container", arguments: [true, false])
    func reset(_ keepsRegistrations: Bool) {
        let log = Log([])
        let container = Self.container(log)
        if keepsRegistrations { container.resetInstances() } else { container.reset() }
        #expect(log.withLock { $0 } == Self.releases)
    }
}
