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

    private var mismatch: ArgumentMismatch { ArgumentMismatch(expected: expected, supplied: arguments) }
}

/// Says why arguments do not fit. The request is added when the error is caught.
struct ArgumentMismatch: Error {
    /// The types that are expected and those that were supplied, each as the text of a tuple type.
    let signatures: [String]

    init(expected: [any Any.Type], supplied arguments: [Any]) {
        signatures = [expected, arguments.map { type(of: $0) }].map { types in
            "(" + types.map { TypeName($0).description }.joined(separator: ", ") + ")"
        }
    }
}
