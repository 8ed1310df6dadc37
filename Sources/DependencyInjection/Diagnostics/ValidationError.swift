extension DIContainer {
    /// Lists everything that ``DIContainer/validate()`` found, if a request will fail.
    public final class ValidationError: Error, CustomStringConvertible {
        /// Everything found: errors first, then warnings, each in the order of registration.
        public let findings: [ValidationFinding]
        /// All findings, numbered.
        public let description: String

        @_alwaysEmitIntoClient init(_ all: [ValidationFinding], _ text: String) {
            (findings, description) = (all, text)
        }
    }
}

/// One fault that ``DIContainer/validate()`` found.
public final class ValidationFinding: Sendable, CustomStringConvertible {
    /// What is wrong. More kinds may come.
    public typealias Kind = KindOf<ValidationFinding>

    /// What is wrong.
    public let kind: Kind
    /// The type and the name that the finding is about.
    public let key: String
    /// The registrations that need one another, the outermost first; the last one has the fault.
    public let path: [ResolutionError.Step]
    /// What is wrong, where, on which path, and what to write.
    public let description: String
    /// What an error that says the same may be about.
    @usableFromInline let keys: [Key]

    @_alwaysEmitIntoClient init(
        _ kind: Kind, _ key: String, _ path: [ResolutionError.Step], _ text: String, about keys: [Key] = []
    ) {
        (self.kind, self.key, self.path, description, self.keys) = (kind, key, path, text, keys)
    }

    @_alwaysEmitIntoClient func covers(_ error: ResolutionError) -> Bool {
        kind == .error(error.reason) && keys.contains(error.asked)
    }

    /// Whether a request will fail; else the finding is a warning.
    public var isError: Bool { kind.code >= 128 }
    /// The file of the registration that has the fault, as `Module/File.swift`.
    public var file: String { path[path.count - 1].file }
    /// The line of that registration.
    public var line: UInt { path[path.count - 1].line }
}

extension KindOf where Subject == ValidationFinding {
    /// A request will fail, for this reason: `.error(.notRegistered)`.
    @_alwaysEmitIntoClient public static func error(_ reason: ResolutionError.Reason) -> Self {
        Self(code: 128 + reason.code)
    }
    /// An error: a factory took too long while everything was built.
    @_alwaysEmitIntoClient public static var blockedFactory: Self { Self(code: 255) }
    /// A warning: a ``Shared`` keeps the first instance of a ``Scoped``.
    @_alwaysEmitIntoClient public static var sharedKeepsScoped: Self { Self(code: 0) }
    /// A warning: a later registration replaced one of the same type and name.
    @_alwaysEmitIntoClient public static var replaced: Self { Self(code: 1) }
    /// A warning: an Optional was registered, which answers no request.
    @_alwaysEmitIntoClient public static var optionalRegistration: Self { Self(code: 2) }
    /// A warning: an initializer was registered, and not what it makes.
    @_alwaysEmitIntoClient public static var missingAutowiring: Self { Self(code: 3) }
    /// A warning: a name that nobody asks for nearly matches one that is asked for.
    @_alwaysEmitIntoClient public static var similarName: Self { Self(code: 4) }
    /// A warning: a decorator decorates nothing.
    @_alwaysEmitIntoClient public static var unusedDecorator: Self { Self(code: 5) }
    /// A warning: a plain factory needs what only `await` builds, and what has not been prepared yet.
    @_alwaysEmitIntoClient public static var unpreparedNeed: Self { Self(code: 6) }
    /// A warning: a registration was not built with the others, for want of arguments or of the main actor.
    @_alwaysEmitIntoClient public static var unchecked: Self { Self(code: 7) }
}
