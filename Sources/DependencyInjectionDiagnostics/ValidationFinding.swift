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
    private let label: Label
    private let registrations: [Registration]
    /// The description, which may be part of a longer text.
    let message: Message
    /// The keys that an error which says the same may be about.
    let errorKeys: [Key]

    init(_ kind: Kind, _ label: Label, _ path: [Registration], _ message: Message, errorKeys: [Key] = []) {
        self.kind = kind
        self.label = label
        registrations = path
        self.message = message
        self.errorKeys = errorKeys
    }

    /// The type and the name that the finding is about.
    public var key: String { label.message.text(with: message.names) }

    /// The registrations that need one another, the outermost first; the last one has the fault.
    public var path: [ResolutionError.Step] {
        let names = message.names
        return registrations.map { ResolutionError.Step(registration: $0, in: names) }
    }

    /// What is wrong, where, on which path, and what to write.
    public var description: String { message.description }

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
    public var file: String { registrations[registrations.count - 1].file }
    /// The line of that registration.
    public var line: UInt { registrations[registrations.count - 1].line }

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
    let text: Message
    let fix: Message

    init(_ kind: ValidationFinding.Kind, _ text: Message, fix: Message) {
        self.kind = kind
        self.text = text
        self.fix = fix
    }

    /// Tells what it says, with the types that it mentions, from what others say.
    var id: [AnyHashable] { [text.text(with: .short)] + text.types.map { ObjectIdentifier($0) } }
}

extension ValidationFinding {
    /// Makes a finding; the last registration of the path has the fault.
    convenience init(_ fault: Fault, _ path: [RegistrationInfo], _ label: Label? = nil, errorKeys: [Key]? = nil) {
        let node = path[path.count - 1]
        let label = label ?? node.registration.label
        var text: Message = "\(fault.text)\n  registered at \(node.registration.file):\(node.registration.line)"
        if path.count > 1 {
            text += "\n  path:"
            for node in path { text += "\n    \(step: node.registration)" }
            text += "\n    → \(label)"
        }
        text += "\n  fix: \(fault.fix)"
        self.init(fault.kind, label, path.map(\.registration), text, errorKeys: errorKeys ?? [node.base.key])
    }
}

extension DIContainer {
    /// Lists everything that ``DependencyInjection/DIContainer/validate()`` found, if a request will fail.
    public struct ValidationError: Error, CustomStringConvertible {
        /// Everything found: errors first, then warnings, each in the order of registration.
        public let findings: [ValidationFinding]

        /// All findings, numbered.
        public var description: String {
            var text: Message = "\(findings.count) finding\(findings.count == 1 ? "" : "s"):"
            for (index, finding) in findings.enumerated() {
                text += "\n\(index + 1). \(finding.isError ? "error" : "warning"): \(finding.message)"
            }
            return text.description
        }
    }
}
