public import DependencyInjection

/// One fault that ``DependencyInjection/DIContainer/validate()`` found.
public final class ValidationFinding: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// What is wrong. More kinds may come: a `switch` over them has a `default`.
    public enum Kind: Equatable, Sendable {
        /// A request will fail, for this reason: `.error(.notRegistered)`.
        case error(ResolutionError.Reason)
        /// An error: a factory took too long while everything was built.
        case blockedFactory
        /// A warning: a ``/DependencyInjection/Shared`` keeps the first instance of a ``/DependencyInjection/Scoped``.
        case sharedKeepsScoped
        /// A warning: a later registration replaced one of the same type and name.
        case replaced
        /// A warning: an Optional was registered, which answers no request.
        case optionalRegistration
        /// A warning: a function was registered, and probably not meant, but what it makes.
        case missingAutowiring
        /// A warning: a name that nobody asks for nearly matches one that is asked for.
        case similarName
        /// A warning: a decorator decorates nothing.
        case unusedDecorator
        /// A warning: a plain factory needs what only `await` builds, and what has not been prepared yet.
        case unpreparedNeed
        /// A warning: a registration was not built with the others, for want of arguments or of the main actor.
        case unchecked
    }

    /// What is wrong.
    public let kind: Kind
    /// The type and the name that the finding is about.
    public let key: String
    /// The registrations that need one another, the outermost first; the last one has the fault.
    public let path: [ResolutionError.Step]
    /// What is wrong, where, on which path, and what to write.
    public let description: String
    /// The keys that an error which says the same may be about.
    let errorKeys: [Key]

    init(_ kind: Kind, _ key: String, _ path: [ResolutionError.Step], _ text: String, errorKeys: [Key] = []) {
        self.kind = kind
        self.key = key
        self.path = path
        self.errorKeys = errorKeys
        description = text
    }

    /// The description and how bad it is, on lines of their own in a list of findings.
    public var debugDescription: String { "\n\(isError ? "error" : "warning"): \(description)" }

    /// Whether a request will fail; else the finding is a warning.
    public var isError: Bool {
        switch kind {
        case .error, .blockedFactory: true
        default: false
        }
    }

    /// The file of the registration that has the fault, as `Module/File.swift`.
    public var file: String { path[path.count - 1].file }
    /// The line of that registration.
    public var line: UInt { path[path.count - 1].line }

    /// Whether it says what an error says, too.
    func covers(_ error: ResolutionError) -> Bool {
        guard kind == .error(error.reason), errorKeys.contains(error.asked) else { return false }
        // A child and its parent may each have a registration for the key, and both may fail.
        guard let failed = error.failedRegistration else { return true }
        return failed.file == file && failed.line == line
    }
}

/// What is wrong with a registration, in words, and what to write.
struct Fault {
    let kind: ValidationFinding.Kind
    let text: String
    let fix: String

    init(_ kind: ValidationFinding.Kind, _ text: String, fix: String) {
        self.kind = kind
        self.text = text
        self.fix = fix
    }
}

extension ValidationFinding {
    /// Makes a finding; the last registration of the path has the fault.
    convenience init(_ fault: Fault, _ path: [RegistrationInfo], _ key: String? = nil, errorKeys: [Key]? = nil) {
        let node = path[path.count - 1]
        let key = key ?? node.step.key
        var text = "\(fault.text)\n  registered at \(node.step.file):\(node.step.line)"
        if path.count > 1 {
            text += "\n  path:"
            for node in path { text += "\n    \(node.step)" }
            text += "\n    → \(key)"
        }
        text += "\n  fix: \(fault.fix)"
        self.init(fault.kind, key, path.map(\.step), text, errorKeys: errorKeys ?? [node.base.key])
    }
}

extension DIContainer {
    /// Lists everything that ``DependencyInjection/DIContainer/validate()`` found, if a request will fail.
    public struct ValidationError: Error, CustomStringConvertible {
        /// Everything found: errors first, then warnings, each in the order of registration.
        public let findings: [ValidationFinding]

        /// All findings, numbered.
        public var description: String {
            var text = "\(findings.count) finding\(findings.count == 1 ? "" : "s"):"
            for (index, finding) in findings.enumerated() {
                text += "\n\(index + 1). \(finding.isError ? "error" : "warning"): \(finding)"
            }
            return text
        }
    }
}
