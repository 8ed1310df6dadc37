extension ResolutionError {
    /// Tells why a request failed. More reasons may come: a `switch` over them has a `default`.
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
    /// Two reasons are equal if they are of one kind, whatever their details.
    public struct Reason: Equatable, Sendable, CustomStringConvertible {
        /// The name of the reason, such as `notRegistered`.
        public let description: String
        /// What is known of it; nil for a reason that is only there to compare others with.
        private var cause: Cause?

        private init(_ name: String) { description = name }

        init(of cause: Cause) {
            self = cause.reason
            self.cause = cause
        }

        /// Nothing is registered for the type and the name.
        public static var notRegistered: Self { Self("notRegistered") }
        /// Building it needs itself.
        public static var cycle: Self { Self("cycle") }
        /// The arguments supplied are not those that the factory takes.
        public static var argumentMismatch: Self { Self("argumentMismatch") }
        /// The instance that an alias leads to is not of the alias's type.
        public static var typeMismatch: Self { Self("typeMismatch") }
        /// It belongs to the main actor and was asked for elsewhere.
        public static var mainActorRequired: Self { Self("mainActorRequired") }
        /// The factory threw an error, which is the ``underlyingError``.
        public static var factoryFailed: Self { Self("factoryFailed") }
        /// It is built by an asynchronous factory, which has not been awaited yet.
        public static var asyncRequired: Self { Self("asyncRequired") }
        /// It is registered with ``Weak``, and is a value, which nobody else can hold.
        public static var weakValueType: Self { Self("weakValueType") }
        /// The container was sealed before.
        public static var sealed: Self { Self("sealed") }
        /// The container was closed before, or is being closed.
        public static var closed: Self { Self("closed") }
        /// A container decorates a type that only its parent registers.
        public static var misplacedDecorator: Self { Self("misplacedDecorator") }

        /// The types of the arguments that the factory takes, as the text of a tuple type, where they did not match.
        public var expectedArguments: String? { mismatch.map { Namesakes($0.expected).tuple($0.expected) } }

        /// The types of the arguments that were supplied, as the text of a tuple type, where they did not match.
        public var suppliedArguments: String? { mismatch.map { Namesakes($0.expected).tuple($0.supplied) } }

        private var mismatch: ArgumentMismatch? {
            if case .argumentMismatch(let mismatch) = cause { mismatch } else { nil }
        }

        /// The type of the instance that was made, where it is not the right one.
        public var instanceType: String? {
            switch cause {
            case .typeMismatch(let instance), .weakValueType(let instance): TypeName.short(instance)
            default: nil
            }
        }

        /// The error that the factory threw, where it failed.
        public var underlyingError: (any Error)? {
            if case .factoryFailed(let error) = cause { error } else { nil }
        }

        /// Tells whether two reasons are of one kind.
        public static func == (first: Self, second: Self) -> Bool { first.description == second.description }
    }
}
