/// Hands the arguments of a request to a factory one by one, converted to the types that it takes.
struct ArgumentList {
    private let arguments: [Any]
    private let registration: Registration
    private var position = 0

    init(_ arguments: [Any], takenBy registration: Registration) {
        self.arguments = arguments
        self.registration = registration
    }

    func checkCount() throws(ArgumentMismatch) {
        guard arguments.count == registration.argumentTypes.count else { throw mismatch }
    }

    /// The next argument, converted as `as?` would: a `Dog` for an `any Animal`, a value for an Optional.
    mutating func next<T>(_ type: T.Type) throws(ArgumentMismatch) -> T {
        defer { position += 1 }
        guard let argument = arguments[position] as? T else { throw mismatch }
        return argument
    }

    private var mismatch: ArgumentMismatch {
        ArgumentMismatch(expected: registration.argumentTypes, supplied: arguments)
    }
}

/// The reason why arguments do not fit, before it is known who asked.
struct ArgumentMismatch: Error {
    let expected: String
    let supplied: String

    init(expected: [any Any.Type], supplied arguments: [Any]) {
        self.expected = Self.signature(expected)
        supplied = Self.signature(arguments.map { Swift.type(of: $0) })
    }

    private static func signature(_ types: [any Any.Type]) -> String {
        "(" + types.map { "\(TypeName($0))" }.joined(separator: ", ") + ")"
    }
}
