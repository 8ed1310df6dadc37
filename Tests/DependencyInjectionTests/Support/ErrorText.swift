import DependencyInjection

/// The error that the work throws, if it does.
func failure(_ work: () throws -> Void) -> ResolutionError? {
    do {
        try work()
        return nil
    } catch { return error as? ResolutionError }
}

extension ResolutionError {
    /// The reason as a word that tests can compare.
    var kind: String {
        switch reason {
        case .notRegistered: "notRegistered"
        case .cycle: "cycle"
        case .tooDeep: "tooDeep"
        case .argumentMismatch: "argumentMismatch"
        case .typeMismatch: "typeMismatch"
        case .mainActorRequired: "mainActorRequired"
        case .factoryFailed: "factoryFailed"
        case .asyncRequired: "asyncRequired"
        case .weakValueType: "weakValueType"
        case .sealed: "sealed"
        }
    }
}
