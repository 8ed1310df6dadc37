extension ResolutionError {
    /// The reason why a request failed. A `switch` over reasons needs a `default`, because later versions may add some.
    ///
    /// ```swift
    /// func explain(_ error: ResolutionError) {
    ///     switch error.reason {
    ///     case .notRegistered: print("register \(error.key) first")
    ///     case .factoryFailed: print(error.reason.underlyingError ?? error)
    ///     default: print(error)
    ///     }
    /// }
    /// ```
    /// Two reasons are equal if they are of the same kind, regardless of their details.
    public struct Reason: Equatable, Sendable, CustomStringConvertible {
        /// The name of the reason, such as `notRegistered`.
        public let description: String
        /// The details. `nil` for a reason that only serves for comparisons.
        private var cause: Cause?

        private init(_ name: String) { description = name }

        init(of cause: Cause) {
            self = cause.reason
            self.cause = cause
        }

        /// The type isn't registered with the requested name.
        public static var notRegistered: Self { Self("notRegistered") }
        /// The type depends on itself.
        public static var cycle: Self { Self("cycle") }
        /// The supplied arguments differ from the parameters of the factory.
        public static var argumentMismatch: Self { Self("argumentMismatch") }
        /// The instance behind an alias doesn't conform to the alias's type.
        public static var typeMismatch: Self { Self("typeMismatch") }
        /// The type is isolated to the main actor and was requested off it.
        public static var mainActorRequired: Self { Self("mainActorRequired") }
        /// The factory threw an error, which is the ``underlyingError``.
        public static var factoryFailed: Self { Self("factoryFailed") }
        /// The type has an asynchronous factory, which hasn't been awaited.
        public static var asyncRequired: Self { Self("asyncRequired") }
        /// The type is registered with ``Weak``, but it is a value type, which can't be held weakly.
        public static var weakValueType: Self { Self("weakValueType") }
        /// The container is sealed.
        public static var sealed: Self { Self("sealed") }
        /// The container is closing or closed.
        public static var closed: Self { Self("closed") }
        /// A container decorates a type that only its parent registers.
        public static var misplacedDecorator: Self { Self("misplacedDecorator") }

        /// The types of the arguments that the factory takes, as a tuple type. `nil` for other reasons than
        /// `argumentMismatch`.
        public var expectedArguments: String? {
            mismatch.map { TypeNameFormatter(disambiguating: $0.expected).tuple($0.expected) }
        }

        /// The types of the supplied arguments, as a tuple type. `nil` for other reasons than `argumentMismatch`.
        public var suppliedArguments: String? {
            mismatch.map { TypeNameFormatter(disambiguating: $0.expected).tuple($0.supplied) }
        }

        private var mismatch: ArgumentMismatch? {
            if case .argumentMismatch(let mismatch) = cause { mismatch } else { nil }
        }

        /// The type of the instance, for the reasons `typeMismatch` and `weakValueType`.
        public var instanceType: String? {
            switch cause {
            case .typeMismatch(let instance), .weakValueType(let instance): TypeName.short(instance)
            default: nil
            }
        }

        /// The error that the factory threw, for the reason `factoryFailed`.
        public var underlyingError: (any Error)? {
            if case .factoryFailed(let error) = cause { error } else { nil }
        }

        /// Returns whether two reasons are of the same kind.
        public static func == (first: Self, second: Self) -> Bool { first.description == second.description }
    }
}

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
