/// An error that contains the failed builds of ``DIContainer/prepare(_:file:line:)``.
public struct PreparationError: Error, CustomStringConvertible {
    /// All failures. A failure that made several builds fail is listed once.
    public let failures: [ResolutionError]

    /// Creates the error, or returns `nil` if there are no failures.
    init?(_ failures: [ResolutionError]) {
        if failures.isEmpty { return nil }
        var known: [ResolutionError] = []
        for failure in failures where !known.contains(where: failure.isSame) { known.append(failure) }
        self.failures = known
    }

    /// The texts of the failures as a numbered list.
    public var description: String {
        let typeNames = TypeNameFormatter(disambiguating: failures.map(\.dependency.type))
        let texts = failures.map { $0.text(typeNames) }
        return "`prepare()` ended, but \(failures.count) of its builds failed.\(texts.numbered)"
    }
}

extension [String] {
    /// The texts as a numbered list, each on a line of its own.
    package var numbered: String { enumerated().map { "\n\($0 + 1). \($1)" }.joined() }
}
