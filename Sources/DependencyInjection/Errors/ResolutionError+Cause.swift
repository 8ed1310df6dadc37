extension ResolutionError {
    /// The reason why a request failed, with its details. ``Reason`` is its public form.
    enum Cause: Sendable {
        case notRegistered
        case cycle
        case argumentMismatch(ArgumentMismatch)
        case typeMismatch(instance: any Any.Type)
        case mainActorRequired
        case factoryFailed(any Error)
        case asyncRequired
        case weakValueType(instance: any Any.Type)
        case sealed(at: CallSite)
        case closed(by: CloseCall, isOver: Bool)
        /// The decorator that a container registers for a type of its parent.
        case misplacedDecorator(Registration)

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
            case .misplacedDecorator: .misplacedDecorator
            }
        }
    }
}
