/// The protocol that most rows resolve. It isn't class-bound, so its values are boxes of unknown content.
package protocol Service: Sendable {
    var number: Int { get }
}

final class ServiceImpl: Service {
    let number: Int
    private let padding = Padding()

    init(number: Int = 1) {
        self.number = number
    }
}

/// A second conformance, so that the optimizer can't assume the first one.
struct ServiceStub: Service {
    let number = 2
}

/// A second service, for a second thread.
protocol OtherService: Sendable {
    var number: Int { get }
}

final class OtherServiceImpl: OtherService {
    let number = 3
    private let padding = Padding()
}

/// An alias of the registration for ``AliasedServiceImpl``.
protocol AliasedService: Sendable {
    var number: Int { get }
}

final class AliasedServiceImpl: AliasedService {
    let number = 4
}

/// A protocol whose values are single references.
protocol ClassService: AnyObject, Sendable {
    var number: Int { get }
}

final class ClassServiceImpl: ClassService {
    let number = 5
}

/// A type that is built once for each child that resolves it.
package protocol ScopedService: Sendable {
    var number: Int { get }
}

final class ScopedServiceImpl: ScopedService {
    let number = 6
}

/// An alias of the registration for ``AliasedScopedServiceImpl``.
protocol AliasedScopedService: Sendable {
    var number: Int { get }
}

final class AliasedScopedServiceImpl: AliasedScopedService {
    let number = 7
}

/// A protocol that is never registered.
protocol MissingService: Sendable {}

/// A class that is never registered.
final class MissingClass: Sendable {}

/// Separates the reference counts of two instances by a cache line, because two threads would otherwise slow each other
/// down.
private struct Padding {
    let words = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}
