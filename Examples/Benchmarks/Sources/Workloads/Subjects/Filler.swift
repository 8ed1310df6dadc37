package import DependencyInjection

/// One of ten thousand types that are registered but not resolved.
package protocol Filler: Sendable {
    init()
}

extension Filler {
    package static func registration(_ name: RegistrationName? = nil) -> any RegistrationConvertible {
        Shared({ _ in Self() }, name: name)
    }
    static func register(in container: BareContainer) { container.register(Self()) }
    static func register(in locator: MutexLocator) { locator.register(Self()) }
    static func register(in locator: QueueLocator) { locator.register(Self()) }
    static func register(in locator: LinearLocator) { locator.register { Self() } }
    static func register(in locator: DictionaryLocator) { locator.register { Self() } }
}

package enum Fillers {
    package static let all = types(10_000)

    /// Returns registrations of a hundred types, each under as many names as necessary.
    @RegistrationBuilder
    package static func registrations(_ count: Int) -> [Registration] {
        for number in 0..<count { all[number % 100].registration(RegistrationName("name \(number / 100)")) }
    }

    /// The registrations that surround the resolved ones.
    ///
    /// They aren't taken from ``all``, because the run time allocates metadata for each type, which takes seconds for
    /// thousands of types under callgrind.
    static let others = types(200)

    private static let digits: [any Digit.Type] = [
        Zero.self, One.self, Two.self, Three.self, Four.self, Five.self, Six.self, Seven.self, Eight.self, Nine.self,
    ]

    private static func types(_ count: Int) -> [any Filler.Type] {
        (0..<count).map { number in
            let (first, second) = (digits[number / 1_000], digits[number / 100 % 10])
            let (third, fourth) = (digits[number / 10 % 10], digits[number % 10])
            return type(first, second, third, fourth)
        }
    }

    private static func type<A: Digit, B: Digit, C: Digit, D: Digit>(
        _: A.Type, _: B.Type, _: C.Type, _: D.Type
    ) -> any Filler.Type {
        Number<A, B, C, D>.self
    }
}

private struct Number<A: Digit, B: Digit, C: Digit, D: Digit>: Filler {}

private protocol Digit: Sendable {}
private enum Zero: Digit {}
private enum One: Digit {}
private enum Two: Digit {}
private enum Three: Digit {}
private enum Four: Digit {}
private enum Five: Digit {}
private enum Six: Digit {}
private enum Seven: Digit {}
private enum Eight: Digit {}
private enum Nine: Digit {}
