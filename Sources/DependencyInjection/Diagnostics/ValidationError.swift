extension DIContainer {
    /// Says everything that ``DIContainer/validate()`` found, where a request will fail.
    public struct ValidationError: Error, CustomStringConvertible {
        /// Everything found: errors first, then warnings, each in the order of registration.
        public let findings: [ValidationFinding]
        /// All findings, numbered.
        public let description: String

        @usableFromInline init(_ findings: [ValidationFinding], _ description: String) {
            self.findings = findings
            self.description = description
        }
    }
}

/// One fault that ``DIContainer/validate()`` found.
public final class ValidationFinding: Sendable, CustomStringConvertible {
    /// What is wrong.
    public struct Kind: Equatable, Sendable {
        @usableFromInline let code: UInt8

        @usableFromInline init(code: UInt8) { self.code = code }

        /// Nothing is registered for what a registration needs.
        @_alwaysEmitIntoClient public static var missingDependency: Kind { Kind(code: 0) }
        /// Building it needs itself.
        @_alwaysEmitIntoClient public static var cycle: Kind { Kind(code: 1) }
        /// A factory takes other arguments than whoever needs its instance supplies.
        @_alwaysEmitIntoClient public static var argumentMismatch: Kind { Kind(code: 2) }
        /// The instance is not of the type of an alias.
        @_alwaysEmitIntoClient public static var aliasMismatch: Kind { Kind(code: 3) }
        /// A value is registered with ``Weak``.
        @_alwaysEmitIntoClient public static var weakValue: Kind { Kind(code: 4) }
        /// A plain factory needs what only `await` builds, each time anew.
        @_alwaysEmitIntoClient public static var asynchronousNeed: Kind { Kind(code: 5) }
        /// A factory that may run anywhere needs what belongs to the main actor.
        @_alwaysEmitIntoClient public static var mainActorNeed: Kind { Kind(code: 6) }
        /// A factory failed while everything was built.
        @_alwaysEmitIntoClient public static var factoryFailed: Kind { Kind(code: 7) }
        /// A factory took too long while everything was built.
        @_alwaysEmitIntoClient public static var blockedFactory: Kind { Kind(code: 8) }
        /// A warning: a ``Shared`` keeps the first instance of a ``Scoped``.
        @_alwaysEmitIntoClient public static var sharedKeepsScoped: Kind { Kind(code: 9) }
        /// A warning: a later registration replaced one of the same type and name.
        @_alwaysEmitIntoClient public static var replaced: Kind { Kind(code: 10) }
        /// A warning: an Optional was registered, which answers no request.
        @_alwaysEmitIntoClient public static var optionalRegistration: Kind { Kind(code: 11) }
        /// A warning: an initializer was registered, and not what it makes.
        @_alwaysEmitIntoClient public static var missingAutowiring: Kind { Kind(code: 12) }
        /// A warning: a name that nobody asks for nearly matches one that is asked for.
        @_alwaysEmitIntoClient public static var similarName: Kind { Kind(code: 13) }
        /// A warning: a decorator decorates nothing.
        @_alwaysEmitIntoClient public static var unusedDecorator: Kind { Kind(code: 14) }
        /// A warning: a plain factory needs what only `await` builds, and what is not prepared yet.
        @_alwaysEmitIntoClient public static var unpreparedNeed: Kind { Kind(code: 15) }
        /// A warning: it was not built when everything else was, since arguments or the main actor were not granted.
        @_alwaysEmitIntoClient public static var unchecked: Kind { Kind(code: 16) }

        /// What the reasons of errors are called here.
        @_alwaysEmitIntoClient static var all: [(reason: ResolutionError.Reason, kind: Kind)] {
            [
                (.notRegistered, .missingDependency), (.cycle, .cycle), (.argumentMismatch, .argumentMismatch),
                (.typeMismatch, .aliasMismatch), (.weakValueType, .weakValue), (.asyncRequired, .asynchronousNeed),
                (.mainActorRequired, .mainActorNeed),
            ]
        }
    }

    /// What is wrong.
    public let kind: Kind
    /// The type and the name that the finding is about.
    public let key: String
    /// The file of the registration that has the fault, as `Module/File.swift`.
    public let file: String
    /// The line of that registration.
    public let line: UInt
    /// The registrations that need one another, the outermost first; the last one has the fault.
    public let path: [ResolutionError.Step]
    /// What is wrong, where, on which path, and what to write.
    public let description: String

    /// Whether a request will fail; else the finding is a warning.
    public var isError: Bool { kind.code < 9 }

    @usableFromInline
    init(_ kind: Kind, _ key: String, _ file: String, _ line: UInt, _ path: [ResolutionError.Step], _ text: String) {
        (self.kind, self.key, self.file, self.line) = (kind, key, file, line)
        (self.path, description) = (path, text)
    }
}
