/// The builds that failed in ``DIContainer/prepare(file:line:)``.
public struct PreparationError: Error, CustomStringConvertible {
    /// All failures, each once, even if it made several builds fail.
    public let failures: [ResolutionError]

    /// Nil if there are none.
    init?(_ failures: [ResolutionError]) {
        if failures.isEmpty { return nil }
        var known: [ResolutionError] = []
        for failure in failures where !known.contains(where: failure.isSame) { known.append(failure) }
        self.failures = known
    }

    /// The texts of the failures, numbered.
    public var description: String {
        let namesakes = Namesakes(failures.map(\.label.type))
        let texts = failures.map { $0.text(namesakes) }
        return "\(failures.count) asynchronous \(failures.count == 1 ? "build" : "builds") failed.\(texts.numbered)"
    }
}

extension [String] {
    /// The texts, each on a line of its own with its number.
    package var numbered: String { enumerated().map { "\n\($0 + 1). \($1)" }.joined() }
}
