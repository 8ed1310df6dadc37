/// The protocol that most rows resolve. It is not bound to classes, so its values are boxes of unknown content.
protocol Service: Sendable {
    var number: Int { get }
}

final class ServiceImpl: Service {
    let number: Int
    private let padding = Padding()

    init(number: Int = 1) {
        self.number = number
    }
}

/// A second conformance, so that the optimiser cannot assume the first.
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

/// The type that a registration made for ``AliasedServiceImpl`` answers as well.
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

/// Built once for each child that resolves it.
protocol ScopedService: Sendable {
    var number: Int { get }
}

final class ScopedServiceImpl: ScopedService {
    let number = 6
}

/// The type that a registration made for ``AliasedScopedServiceImpl`` answers as well.
protocol AliasedScopedService: Sendable {
    var number: Int { get }
}

final class AliasedScopedServiceImpl: AliasedScopedService {
    let number = 7
}

/// What nobody registers.
protocol MissingService: Sendable {}

/// A class that nobody registers.
final class MissingClass: Sendable {}

/// Keeps the reference counts of two instances out of one cache line, where two threads would slow each other down.
private struct Padding {
    let words = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}
