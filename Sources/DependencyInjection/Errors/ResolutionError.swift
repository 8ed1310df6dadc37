/// The error of a failed request, with its reason, the requested key, the call site, the path, and a fix.
///
/// `resolve.orThrow` throws this error. The plain functions stop the program with the same text.
///
/// ```swift
/// do {
///     let router = try DIContainer.resolve.orThrow(Router.self)
///     router.start()
/// } catch {
///     print(error)
/// }
/// ```
public struct ResolutionError: Error {
    // One reference, so that throwing functions stay small.
    package let report: Report

    init(_ request: Request, _ cause: Cause, in core: ContainerCore?, by registration: Registration? = nil) {
        report = Report(request, cause, in: core, by: registration)
    }

    /// Creates an error from an error thrown by a factory. An error of the library is used unchanged.
    @usableFromInline
    package init(
        wrapping error: any Error, _ request: Request, in core: ContainerCore, by registration: Registration? = nil
    ) {
        switch error {
        case let error as ResolutionError: self = error
        case let error as ArgumentMismatch: self.init(request, .argumentMismatch(error), in: core, by: registration)
        case let error as TypeMismatch:
            self.init(request, .typeMismatch(instance: error.instance), in: core, by: registration)
        default: self.init(request, .factoryFailed(error), in: core, by: registration)
        }
    }

    /// The reason why the request failed.
    public var reason: Reason { report.cause.reason }
    /// The requested type and name, such as `any Router named "main"`.
    public var key: String { subject(TypeNameFormatter()) }
    /// The file of the request, as `Module/File.swift`.
    public var file: String { report.site.file.description }
    /// The line of the request.
    public var line: UInt { report.site.line }
    /// The registrations whose factories led to the request, outermost first.
    public var path: [Registration] { report.path }

    /// The requested type and name.
    package var dependency: DependencyID { DependencyID(report.type, report.key.name) }
    /// Qualifies types with the same name as the requested type.
    package var typeNames: TypeNameFormatter { TypeNameFormatter(disambiguating: [report.type]) }
    /// The registrations that are most similar to the requested key, if the key wasn't found.
    package var suggestedRegistrations: [Registration] {
        report.core?.registrations.suggestions(for: report.type) ?? []
    }

    /// Whether this registration was requested.
    func isAbout(_ registration: Registration) -> Bool { report.key == registration.key }

    /// Returns whether another error reports the same fault, possibly on another path.
    package func isSame(as other: ResolutionError) -> Bool {
        guard reason == other.reason else { return false }
        // A cycle may be entered at any step.
        if reason == .cycle, other.report.path.contains(where: isAbout) { return true }
        // The text of a factory's error may differ each time.
        return report.key == other.report.key && report.registration === other.report.registration
            && (reason == .factoryFailed || problem == other.problem)
    }
}

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
        fileprivate enum Code: String {
            case notRegistered, cycle, argumentMismatch, typeMismatch, mainActorRequired, factoryFailed, asyncRequired
            case weakValueType, sealed, closed, misplacedDecorator
        }

        fileprivate let code: Code
        /// The error that the factory threw, for the reason `factoryFailed`.
        public fileprivate(set) var underlyingError: (any Error)?

        /// The type isn't registered with the requested name.
        public static var notRegistered: Self { Self(code: .notRegistered) }
        /// The type depends on itself.
        public static var cycle: Self { Self(code: .cycle) }
        /// The supplied arguments differ from the parameters of the factory.
        public static var argumentMismatch: Self { Self(code: .argumentMismatch) }
        /// The instance behind an alias doesn't conform to the alias's type.
        public static var typeMismatch: Self { Self(code: .typeMismatch) }
        /// The type is isolated to the main actor and was requested off it.
        public static var mainActorRequired: Self { Self(code: .mainActorRequired) }
        /// The factory threw an error, which is the ``underlyingError``.
        public static var factoryFailed: Self { Self(code: .factoryFailed) }
        /// The type has an asynchronous factory, which hasn't been awaited.
        public static var asyncRequired: Self { Self(code: .asyncRequired) }
        /// The type is registered with ``Weak``, but it is a value type, which can't be held weakly.
        public static var weakValueType: Self { Self(code: .weakValueType) }
        /// The container is sealed.
        public static var sealed: Self { Self(code: .sealed) }
        /// The container is closing or closed.
        public static var closed: Self { Self(code: .closed) }
        /// A container decorates a type that only its parent registers.
        public static var misplacedDecorator: Self { Self(code: .misplacedDecorator) }

        /// The name of the reason, such as `notRegistered`.
        public var description: String { code.rawValue }

        /// Returns whether two reasons are of the same kind.
        public static func == (first: Self, second: Self) -> Bool { first.code == second.code }
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

        /// The public form of the cause.
        var reason: Reason {
            switch self {
            case .notRegistered: .notRegistered
            case .cycle: .cycle
            case .argumentMismatch: .argumentMismatch
            case .typeMismatch: .typeMismatch
            case .mainActorRequired: .mainActorRequired
            case .factoryFailed(let error): Reason(code: .factoryFailed, underlyingError: error)
            case .asyncRequired: .asyncRequired
            case .weakValueType: .weakValueType
            case .sealed: .sealed
            case .closed: .closed
            case .misplacedDecorator: .misplacedDecorator
            }
        }
    }
}
