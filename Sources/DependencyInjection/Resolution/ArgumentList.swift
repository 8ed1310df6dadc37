/// The arguments of a request, which a factory reads one by one, converted to its parameter types.
@usableFromInline struct ArgumentList {
    private let arguments: [Any]
    private let expected: [any Any.Type]
    private var position = 0

    /// Creates a list. Throws if the number of arguments doesn't match the factory's parameters.
    init(_ arguments: [Any], expected: [any Any.Type]) throws(ArgumentMismatch) {
        self.arguments = arguments
        self.expected = expected
        if arguments.count != expected.count { throw mismatch }
    }

    /// Returns the next argument, converted as `as?` would: a `Dog` for an `any Animal`, a value for an Optional.
    mutating func next<T>(_ type: T.Type) throws(ArgumentMismatch) -> T {
        defer { position += 1 }
        guard let argument = arguments[position] as? T else { throw mismatch }
        return argument
    }

    /// Checks the types of all arguments before the first is read. Throws if an argument doesn't match.
    func check() throws(ArgumentMismatch) {
        for (type, argument) in zip(expected, arguments) {
            func fits<T>(_ type: T.Type) -> Bool { argument is T }
            if !_openExistential(type, do: fits) { throw mismatch }
        }
    }

    private var mismatch: ArgumentMismatch { ArgumentMismatch(expected: expected, arguments) }
}

/// The error for arguments that don't match. The code that catches it adds the request.
struct ArgumentMismatch: Error {
    /// The types that are expected.
    let expected: [any Any.Type]
    /// The types that were supplied.
    let supplied: [any Any.Type]

    init(expected: [any Any.Type], _ arguments: [Any]) {
        self.expected = expected
        supplied = arguments.map { type(of: $0) }
    }
}
