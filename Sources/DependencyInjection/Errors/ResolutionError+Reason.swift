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
        enum Kind: UInt8 {
            case notRegistered, cycle, argumentMismatch, typeMismatch, mainActorRequired, factoryFailed
            case asyncRequired, weakValueType, sealed, closed
        }

        let kind: Kind
        /// The details; nil for a reason that is only there to compare others with.
        private let cause: Cause?

        private init(kind: Kind) {
            self.kind = kind
            cause = nil
        }

        init(of cause: Cause) {
            kind = cause.kind
            self.cause = cause
        }

        /// Nothing is registered for the type and the name.
        public static var notRegistered: Self { Self(kind: .notRegistered) }
        /// Building it needs itself.
        public static var cycle: Self { Self(kind: .cycle) }
        /// The arguments supplied are not those that the factory takes.
        public static var argumentMismatch: Self { Self(kind: .argumentMismatch) }
        /// The instance that an alias leads to is not of the alias's type.
        public static var typeMismatch: Self { Self(kind: .typeMismatch) }
        /// It belongs to the main actor and was asked for elsewhere.
        public static var mainActorRequired: Self { Self(kind: .mainActorRequired) }
        /// The factory threw an error, which is the ``underlyingError``.
        public static var factoryFailed: Self { Self(kind: .factoryFailed) }
        /// It is built by an asynchronous factory, which has not been awaited yet.
        public static var asyncRequired: Self { Self(kind: .asyncRequired) }
        /// It is registered with ``Weak``, and is a value, which nobody else can hold.
        public static var weakValueType: Self { Self(kind: .weakValueType) }
        /// The container was sealed before.
        public static var sealed: Self { Self(kind: .sealed) }
        /// The container was closed before, or is being closed.
        public static var closed: Self { Self(kind: .closed) }

        /// The types of the arguments that the factory takes, as the text of a tuple type, where they did not match.
        public var expectedArguments: String? { mismatch.map { $0.names.tuple($0.expected) } }

        /// The types of the arguments that were supplied, as the text of a tuple type, where they did not match.
        public var suppliedArguments: String? { mismatch.map { $0.names.tuple($0.supplied) } }

        private var mismatch: ArgumentMismatch? {
            if case .argumentMismatch(let mismatch) = cause { mismatch } else { nil }
        }

        /// The type of the instance that was made, where it is not the right one.
        public var instanceType: String? {
            switch cause {
            case .typeMismatch(let instance), .weakValueType(let instance): TypeNames.short[instance]
            default: nil
            }
        }

        /// The error that the factory threw, where it failed.
        public var underlyingError: (any Error)? {
            if case .factoryFailed(let error) = cause { error } else { nil }
        }

        /// The kind of the reason, such as `notRegistered`.
        public var description: String { "\(kind)" }

        /// Tells whether two reasons are of one kind.
        public static func == (first: Self, second: Self) -> Bool { first.kind == second.kind }
    }
}
