import DependencyInjection

/// Returns the `ResolutionError` that the work throws, or nil.
func failure(_ work: () throws -> Void) -> ResolutionError? {
    do {
        try work()
        return nil
    } catch { return error as? ResolutionError }
}

extension ResolutionError {
    /// The reason as a word that tests can compare.
    var kind: String { reason.description }
}
