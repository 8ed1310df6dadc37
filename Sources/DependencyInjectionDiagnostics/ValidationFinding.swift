public import DependencyInjection

/// A fault found by ``DependencyInjection/DIContainer/validate(allowing:)``.
public struct ValidationFinding: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The kind of a fault. A `switch` over kinds needs a `default`, because later versions may add cases.
    public enum Kind: Equatable, Sendable {
        /// A request will fail for this reason: `.error(.notRegistered)`.
        case error(ResolutionError.Reason)
        /// An error: a factory exceeded the time limit when the container was validated by building.
        case blockedFactory
        /// A warning: a ``/DependencyInjection/Shared`` caches the first instance of a ``/DependencyInjection/Scoped``.
        case captiveDependency
        /// A warning: a later registration replaced one of the same type and name.
        case replaced
        /// A warning: an Optional was registered, which no request resolves.
        case optionalRegistration
        /// A warning: a function was registered, probably instead of its result.
        case missingAutowiring
        /// A warning: a name that is never requested nearly matches a requested one.
        case similarName
        /// A warning: a decorator's type isn't registered.
        case unusedDecorator
        /// An error: an `onClose` handler failed.
        case failedOnClose
        /// A warning: a plain factory needs an asynchronous one that hasn't been prepared.
        case unpreparedDependency
        /// A warning: one or more registrations weren't built. Their factories need arguments, the main actor, or a
        /// type that children register, or too many earlier builds have blocked.
        case unchecked
    }

    /// The kind of the fault.
    public let kind: Kind
    /// The type and the name of the faulty registration or dependency.
    let id: DependencyID
    /// The type and the name as a text that is unique in the container.
    let subject: String
    /// The registrations of the path. The last one has the fault.
    let registrations: [Registration]
    /// Further registrations of the path, from the faulty one to the subject of the finding.
    var via: [Registration] = []
    /// The description of the fault.
    let problem: String
    /// The alternatives of the fix. Empty if the description of the fault contains them.
    var fixes: [String] = []
    /// The keys of the requests whose errors report the same fault.
    var errorKeys: [Key?] = []
    /// The error of the request that the finding reports.
    var error: ResolutionError?
    /// The missing input because of which a registration wasn't built.
    var missingInput: MissingInput?

    /// The type and the name that the finding is about.
    public var key: String { id.description }

    /// The registrations that depend on one another, outermost first. The last one has the fault. In a finding of the
    /// kind `captiveDependency`, the registrations between the two follow it.
    public var path: [Registration] { registrations + via }

    private var typeNames: TypeNameFormatter { TypeNameFormatter(disambiguating: [id.type]) }

    /// The fault, its source location, its path, and the fix.
    public var description: String { text(showsPlace: true) }

    /// Returns the fault, its path, the fix and, unless the caller shows it, the source location.
    func text(showsPlace: Bool) -> String {
        if fixes.isEmpty { return problem }
        let place = showsPlace ? "\n  registered at \(file):\(line)" : ""
        let steps = path.count > 1 ? "\n  path:\(path.lines(typeNames))\n    → \(subject)" : ""
        return "\(problem)\(place)\(steps)\n  fix: \(fixes.alternatives)"
    }

    /// The description and the severity, starting on a new line.
    public var debugDescription: String { "\n\(isError ? "error" : "warning"): \(description)" }

    /// Whether a request or closing the container will fail. All other findings are warnings.
    public var isError: Bool {
        if case .error = kind { true } else { kind == .blockedFactory || kind == .failedOnClose }
    }

    /// The file of the faulty registration, as `Module/File.swift`.
    public var file: String { registrations[registrations.count - 1].file }
    /// The line of the faulty registration.
    public var line: UInt { registrations[registrations.count - 1].line }

    /// Whether the finding reports the same fault as an error.
    func covers(_ other: ResolutionError) -> Bool {
        if let error { return error.isSame(as: other) }
        guard kind == .error(other.reason), errorKeys.contains(other.dependency.key) else { return false }
        // A child and its parent may each have a registration for the key, and both may fail.
        // Errors for these reasons are faults of the dependent.
        let isOfUser = [.argumentMismatch, .mainActorRequired, .asyncRequired].contains(other.reason)
        let user = isOfUser ? other.report.path.last { !$0.isAlias && !$0.isDecorator } : nil
        guard let failed = other.failedRegistration ?? user else { return true }
        return failed.file == file && failed.line == line
    }
}

extension DIContainer {
    /// An error that contains all findings of ``DependencyInjection/DIContainer/validate(allowing:)``, thrown if a
    /// request will fail.
    public struct ValidationError: Error, CustomStringConvertible {
        /// All findings: errors first, then warnings, each in the order of registration.
        public let findings: [ValidationFinding]

        /// All findings as a numbered list.
        public var description: String {
            let texts = findings.map { "\($0.isError ? "error" : "warning"): \($0)" }
            return "\(findings.count) finding\(findings.count == 1 ? "" : "s"):\(texts.numbered)"
        }
    }
}
