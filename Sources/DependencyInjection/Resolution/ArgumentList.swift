/// Hands the arguments of a request to a factory one by one, converted to the types that it takes.
@usableFromInline struct ArgumentList {
    private let arguments: [Any]
    private let expected: [any Any.Type]
    private var position = 0

    /// Throws if the number of arguments is not what the factory takes.
    init(_ arguments: [Any], expected: [any Any.Type]) throws(ArgumentMismatch) {
        self.arguments = arguments
        self.expected = expected
        if arguments.count != expected.count { throw mismatch }
    }

    /// The next argument, converted as `as?` would: a `Dog` for an `any Animal`, a value for an Optional.
    mutating func next<T>(_ type: T.Type) throws(ArgumentMismatch) -> T {
        defer { position += 1 }
        guard let argument = arguments[position] as? T else { throw mismatch }
        return argument
    }

    /// Throws if an argument does not fit, before any is handed over.
    func check() throws(ArgumentMismatch) {
        for (type, argument) in zip(expected, arguments) {
            func fits<T>(_ type: T.Type) -> Bool { argument is T }
            if !_openExistential(type, do: fits) { throw mismatch }
        }
    }

    private var mismatch: ArgumentMismatch { ArgumentMismatch(expected: expected, arguments) }
}

/// Says why arguments do not fit. The request is added when the error is caught.
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
