/// Says why something could not be resolved: what was asked, by whom, on which path, and what to write to mend it.
///
/// `resolve.orThrow` throws it; the plain forms stop the program with the same text.
///
/// ```swift
/// do {
///     let router = try DIContainer.resolve.orThrow(Router.self)
///     router.start()
/// } catch {
///     print(error)
/// }
/// ```
public struct ResolutionError: Error, CustomStringConvertible {
    /// Why a request failed. Cases may be added.
    public enum Reason: Sendable {
        /// Nothing is registered for the type and the name.
        case notRegistered
        /// Building it needs itself.
        case cycle
        /// The arguments supplied are not those that the factory takes; both as the text of a tuple type.
        case argumentMismatch(expected: String, supplied: String)
        /// The instance that an alias leads to is not of the alias's type.
        case typeMismatch(instance: String)
        /// It is registered with `mainActor:` and was asked for elsewhere.
        case mainActorRequired
        /// The factory threw this error.
        case factoryFailed(any Error)
        /// It is built by an asynchronous factory, which has not been awaited yet.
        case asyncRequired
        /// It is registered with ``Weak``, and is a value, which nobody else can hold.
        case weakValueType(instance: String)
        /// The container was sealed there.
        case sealed(file: String, line: UInt)
    }

    /// One step of the path that led to the request.
    public struct Step: Sendable, CustomStringConvertible {
        /// The type and the name that were being built.
        public let key: String
        /// The file in which the registration was written.
        public let file: String
        /// The line on which it was written.
        public let line: UInt

        /// The step on one line.
        public var description: String { "\(key)  (registered at \(file):\(line))" }

        init(_ registration: Registration) {
            key = registration.label
            file = registration.file
            line = registration.line
        }
    }

    // One reference, so that functions which may throw stay small.
    private let report: Report

    private final class Report: Sendable {
        let reason: Reason
        let key: String
        let type: ObjectIdentifier
        let typeName: TypeName
        let site: CallSite
        let path: [Step]
        let registration: Step?
        let candidates: [Candidate]
        let pending: AsyncBuild?

        init(_ request: Request, _ reason: Reason, in core: ContainerCore?, _ pending: AsyncBuild?) {
            self.pending = pending
            self.reason = reason
            key = label(request.type, request.key.name)
            type = ObjectIdentifier(request.type)
            typeName = TypeName(request.type)
            site = request.site
            path = (AsyncStep.path + ThreadRecord.current.path).map(Step.init)
            registration = (core?.find(request.key)?.entry.registration).map(Step.init)
            if case .notRegistered = reason, let core {
                candidates = Candidate.nearest(to: request, among: core.visibleRegistrations)
            } else {
                candidates = []
            }
        }
    }

    init(_ request: Request, _ reason: Reason, in core: ContainerCore? = nil, pending: AsyncBuild? = nil) {
        report = Report(request, reason, in: core, pending)
    }

    /// The asynchronous build that has to come first.
    var pending: AsyncBuild? { report.pending }

    /// Whether this says the same as another, which may have come about by another path.
    func isSame(as other: ResolutionError) -> Bool {
        // Types of two modules may have one name.
        report.type == other.report.type && headline == other.headline
    }

    @usableFromInline
    init(cycleOf request: Request) {
        self.init(request, .cycle)
    }

    /// Passes an error of the library on as it is, and puts any other under the request whose factory threw it.
    @usableFromInline
    init(wrapping error: any Error, _ request: Request, in core: ContainerCore) {
        switch error {
        case let error as ResolutionError:
            self = error
        case let mismatch as ArgumentMismatch:
            self.init(
                request, .argumentMismatch(expected: mismatch.expected, supplied: mismatch.supplied), in: core)
        default:
            self.init(request, .factoryFailed(error), in: core)
        }
    }

    /// Why the request failed.
    public var reason: Reason { report.reason }
    /// The type and the name asked for, such as `Router named "main"`.
    public var key: String { report.key }
    /// The file that asked, as `Module/File.swift`.
    public var file: String { report.site.file.description }
    /// The line that asked.
    public var line: UInt { report.site.line }
    /// The registrations whose factories led to the request, the outermost first.
    public var path: [Step] { report.path }
    /// What is registered and comes nearest to what was asked, best first.
    public var candidates: [String] { report.candidates.map(\.description) }

    /// What went wrong, where, on which path, and what to write to mend it.
    public var description: String {
        var lines = ["\(headline)", "  asked for at \(report.site)"]
        if let registration = report.registration, !isCycle {
            lines.append("  registered at \(registration.file):\(registration.line)")
        }
        if !path.isEmpty {
            lines.append("  path:")
            let shown = path.map { "    \($0)" }
            lines +=
                shown.count <= 30 ? shown : shown.prefix(10) + ["    … \(shown.count - 20) more"] + shown.suffix(10)
            lines.append("    → \(key)")
        }
        if !report.candidates.isEmpty {
            lines.append("  registered are:")
            lines += report.candidates.map { "    \($0)" }
        }
        lines.append("  to mend it: \(advice)")
        return lines.joined(separator: "\n")
    }

    private var isCycle: Bool {
        if case .cycle = reason { true } else { false }
    }

    private var headline: String {
        switch reason {
        case .notRegistered:
            "Nothing is registered for \(key)."
        case .cycle:
            "Building \(key) needs \(key) itself: "
                + (path.suffix(from: path.lastIndex { $0.key == key } ?? path.endIndex).map(\.key) + [key])
                .joined(separator: " → ")
        case .argumentMismatch(let expected, let supplied):
            "The factory of \(key) takes \(expected), but was given \(supplied)."
        case .typeMismatch(let instance):
            "An alias forwards \(key) to an instance of \(instance), which is no \(report.typeName)."
        case .mainActorRequired:
            "\(key) belongs to the main actor, and was asked for elsewhere."
        case .factoryFailed(let error):
            "The factory of \(key) failed: \(error)"
        case .asyncRequired:
            "\(key) is built by an asynchronous factory, which has not been awaited."
        case .weakValueType(let instance):
            "\(key) is registered with Weak, but \(instance) is a value: nobody but the container could hold it."
        case .sealed(let file, let line):
            "The container was sealed at \(file):\(line) and can no longer be changed for \(key)."
        }
    }

    private var advice: String {
        switch reason {
        case .notRegistered:
            report.candidates.first?.advice
                ?? "register it first, as in `DIContainer.register { Shared(… as \(report.typeName)) }`."
        case .cycle where path.last?.key == key:
            "wrap what is registered with `Decorate(\(report.typeName.metatype)) { base, resolve in … }`, "
                + "or register the inner one under a name."
        case .cycle:
            "let one of them ask later, with `@LazyInject` or `Provider<\(report.typeName)>`."
        case .argumentMismatch(let expected, _):
            expected == "()"
                ? "ask without arguments, or let the factory take them: `New { _, argument in … }`."
                : "ask with arguments of these types, as in `resolve(\(report.typeName.metatype), arguments: …)`."
        case .typeMismatch(let instance):
            "make \(instance) conform to it, or leave it out of `as:`."
        case .mainActorRequired:
            "ask on the main actor: mark the caller `@MainActor`, or go there with `await MainActor.run { … }`."
        case .factoryFailed:
            "see to what the factory reported; nothing was kept, and the next request runs it again."
        case .asyncRequired where report.pending?.entry.registration.lifetime == .new:
            "ask with `try await resolve.async(\(report.typeName.metatype))`, in an asynchronous factory or function."
        case .asyncRequired:
            "await it first, with `try await container.prepare()` or "
                + "`try await resolve.async(\(report.typeName.metatype))`."
        case .weakValueType(let instance):
            "register it with `Shared`, or make \(instance) a class or an actor."
        case .sealed:
            "register before `seal()`, or change a copy: `container.fork { … }`, `DIContainer.withOverrides({ … }) { … }`."
        }
    }

    /// Stops the program with this text.
    @usableFromInline
    func trap(file: StaticString, line: UInt) -> Never {
        fatalError(description, file: file, line: line)
    }
}

extension Registration {
    /// The type and the name, for messages.
    var label: String { DependencyInjection.label(type, name) }
}

private func label(_ type: any Any.Type, _ name: RegistrationName?) -> String {
    if let name { "\(TypeName(type)) named \"\(name)\"" } else { "\(TypeName(type))" }
}
