extension ResolutionError {
    /// The reason why a request failed, with its details. ``Reason`` is its public form.
    enum Cause: Sendable {
        case notRegistered
        case cycle
        case argumentMismatch(ArgumentMismatch)
        case typeMismatch(instance: any Any.Type)
        case mainActorRequired
        case factoryFailed(any Error)
        /// With the build that has to come first, which an awaiting request further out begins, or nil if there is none.
        case asyncRequired(AsyncBuild?)
        case weakValueType(instance: any Any.Type)
        case sealed(at: CallSite)
        case closed(at: CallSite, isOver: Bool)

        /// The public kind of the cause.
        var reason: Reason {
            switch self {
            case .notRegistered: .notRegistered
            case .cycle: .cycle
            case .argumentMismatch: .argumentMismatch
            case .typeMismatch: .typeMismatch
            case .mainActorRequired: .mainActorRequired
            case .factoryFailed: .factoryFailed
            case .asyncRequired: .asyncRequired
            case .weakValueType: .weakValueType
            case .sealed: .sealed
            case .closed: .closed
            }
        }
    }
}
