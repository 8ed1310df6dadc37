public import DependencyInjection

/// One fault that ``DependencyInjection/DIContainer/validate(allowing:)`` found.
public struct ValidationFinding: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
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
        /// A warning: an Optional was registered, which no request resolves.
        case optionalRegistration
        /// A warning: a function was registered, and probably not meant, but what it makes.
        case missingAutowiring
        /// A warning: a name that nobody asks for nearly matches one that is asked for.
        case similarName
        /// A warning: a decorator decorates nothing.
        case unusedDecorator
        /// An error: an `onClose` failed with what was built.
        case failedOnClose
        /// A warning: a plain factory needs what only `await` builds, and what has not been prepared yet.
        case unpreparedNeed
        /// A warning: a registration was not built with the others, for want of arguments or of the main actor.
        case unchecked
    }

    /// What is wrong.
    public let kind: Kind
    /// What it is about.
    let label: Label
    /// The same in words, which tell it from all others in the container.
    let subject: String
    /// The registrations of the path, of which the last one has the fault.
    let registrations: [Registration]
    /// Further registrations of the path, which lead from there to what the finding is about.
    var way: [Registration] = []
    /// What is wrong, in words.
    let problem: String
    /// What to write; nil if the problem says all.
    let fix: String?
    /// The keys that a request may have asked for whose error says the same.
    var errorKeys: [Key?] = []
    /// The error that it was made of.
    var error: ResolutionError?

    /// The type and the name that the finding is about.
    public var key: String { label.description }

    /// The registrations that need one another, the outermost first. The last one has the fault, except where something shared
    /// keeps what is scoped by way of others: these come after it.
    public var path: [ResolutionError.Step] {
        (registrations + way).map { ResolutionError.Step(registration: $0, namesakes) }
    }

    private var namesakes: Namesakes { Namesakes([label.type]) }

    /// What is wrong, where, on which path, and what to write.
    public var description: String {
        guard let fix else { return problem }
        let steps = registrations + way
        let path = steps.count > 1 ? "\n  path:\(steps.lines(namesakes))\n    → \(subject)" : ""
        return "\(problem)\n  registered at \(file):\(line)\(path)\n  fix: \(fix)"
    }

    /// The description and how bad it is, on lines of their own in a list of findings.
    public var debugDescription: String { "\n\(isError ? "error" : "warning"): \(description)" }

    /// Whether a request will fail, or closing the container; else the finding is a warning.
    public var isError: Bool {
        if case .error = kind { true } else { kind == .blockedFactory || kind == .failedOnClose }
    }

    /// The file of the registration that has the fault, as `Module/File.swift`.
    public var file: String { registrations[registrations.count - 1].file }
    /// The line of that registration.
    public var line: UInt { registrations[registrations.count - 1].line }

    /// Whether it says what an error says, too.
    func covers(_ other: ResolutionError) -> Bool {
        if let error { return error.isSame(as: other) }
        guard kind == .error(other.reason), errorKeys.contains(other.label.key) else { return false }
        // A child and its parent may each have a registration for the key, and both may fail.
        // These are faults of whoever asks.
        let isOfUser = [.argumentMismatch, .mainActorRequired, .asyncRequired].contains(other.reason)
        let user = isOfUser ? other.registrations.last { !$0.isAlias && !$0.isDecorator } : nil
        guard let failed = other.failedRegistration ?? user else { return true }
        return failed.file == file && failed.line == line
    }
}

extension DIContainer {
    /// Lists everything that ``DependencyInjection/DIContainer/validate(allowing:)`` found, if a request will fail.
    public struct ValidationError: Error, CustomStringConvertible {
        /// Everything found: errors first, then warnings, each in the order of registration.
        public let findings: [ValidationFinding]

        /// All findings, numbered.
        public var description: String {
            let texts = findings.map { "\($0.isError ? "error" : "warning"): \($0)" }
            return "\(findings.count) finding\(findings.count == 1 ? "" : "s"):\(texts.numbered)"
        }
    }
}
