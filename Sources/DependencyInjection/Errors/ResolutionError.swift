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
    let report: Report

    init(
        _ request: Request, _ cause: Cause, in core: ContainerCore?, by registration: Registration? = nil
    ) {
        report = Report(request, cause, in: core, by: registration)
    }

    /// Creates an error from an error thrown by a factory. An error of the library is used unchanged.
    @usableFromInline
    init(
        wrapping error: any Error, _ request: Request, in core: ContainerCore,
        by registration: Registration? = nil
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
    public var reason: Reason { Reason(of: report.cause) }
    /// The requested type and name, such as `any Router named "main"`.
    public var key: String { subject(TypeNameFormatter()) }
    /// The file of the request, as `Module/File.swift`.
    public var file: String { report.site.file.description }
    /// The line of the request.
    public var line: UInt { report.site.line }
    /// The registrations whose factories led to the request, outermost first. A type with the same name as the
    /// requested type is qualified with its module.
    public var path: [Step] { report.path.map { Step(registration: $0, typeNames) } }
    /// The registrations that are most similar to the requested key, starting with the most similar one. Each access
    /// searches the current registrations.
    public var suggestions: [String] { suggestedRegistrations.map { $0.textWithPlace(typeNames) } }

    /// The requested type and name.
    package var dependency: DependencyID { DependencyID(report.type, report.key.name) }
    /// Qualifies types with the same name as the requested type.
    package var typeNames: TypeNameFormatter { TypeNameFormatter(disambiguating: [report.type]) }
    /// The registrations on the path.
    package var registrations: [Registration] { report.path }
    /// The registrations that are most similar to the requested key, if the key wasn't found.
    var suggestedRegistrations: [Registration] { report.core?.registrations.suggestions(for: report.type) ?? [] }

    /// The registration of the Optional of the requested type, if that type isn't registered.
    var registeredOptional: Registration? { report.core?.registrations.optional(of: dependency) }

    /// The registration whose factory failed or built an instance that can't be cached. The path doesn't contain it.
    package var failedRegistration: Registration? {
        switch report.cause {
        case .factoryFailed, .weakValueType: report.registration
        default: nil
        }
    }

    /// Whether this registration was requested.
    func isAbout(_ registration: Registration) -> Bool {
        report.key == registration.key
    }

    /// Returns whether another error reports the same fault, possibly on another path.
    package func isSame(as other: ResolutionError) -> Bool {
        let (mine, others) = (reason, other.reason)
        // A cycle may be entered at any step.
        if mine == .cycle, others == .cycle, other.report.path.contains(where: isAbout) { return true }
        // The text of a factory's error may differ each time.
        return mine == others && report.key == other.report.key
            && report.registration === other.report.registration
            && mine.instanceType == others.instanceType && mine.suppliedArguments == others.suppliedArguments
    }
}

extension ResolutionError {
    /// A step of the path that led to the request.
    public struct Step: Sendable, CustomStringConvertible {
        let registration: Registration
        /// Qualifies types with the same name in the text that contains the step.
        private let typeNames: TypeNameFormatter

        package init(registration: Registration, _ typeNames: TypeNameFormatter = TypeNameFormatter()) {
            self.registration = registration
            self.typeNames = typeNames
        }

        /// The type and the name of the instance under construction.
        public var key: String { typeNames.text(registration.id) }
        /// The file that contains the registration.
        public var file: String { registration.file }
        /// The line of the registration.
        public var line: UInt { registration.line }
        /// The name of the ``Module`` that contains the registration, if the module has a name.
        public var module: String? { registration.module }

        /// The step on one line.
        public var description: String { registration.textWithPlace(typeNames) }
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
        /// The name of the reason, such as `notRegistered`.
        public let description: String
        /// The details. `nil` for a reason that only serves for comparisons.
        private var cause: Cause?

        private init(_ name: String) { description = name }

        init(of cause: Cause) {
            self = cause.reason
            self.cause = cause
        }

        /// The type isn't registered with the requested name.
        public static var notRegistered: Self { Self("notRegistered") }
        /// The type depends on itself.
        public static var cycle: Self { Self("cycle") }
        /// The supplied arguments differ from the parameters of the factory.
        public static var argumentMismatch: Self { Self("argumentMismatch") }
        /// The instance behind an alias doesn't conform to the alias's type.
        public static var typeMismatch: Self { Self("typeMismatch") }
        /// The type is isolated to the main actor and was requested off it.
        public static var mainActorRequired: Self { Self("mainActorRequired") }
        /// The factory threw an error, which is the ``underlyingError``.
        public static var factoryFailed: Self { Self("factoryFailed") }
        /// The type has an asynchronous factory, which hasn't been awaited.
        public static var asyncRequired: Self { Self("asyncRequired") }
        /// The type is registered with ``Weak``, but it is a value type, which can't be held weakly.
        public static var weakValueType: Self { Self("weakValueType") }
        /// The container is sealed.
        public static var sealed: Self { Self("sealed") }
        /// The container is closing or closed.
        public static var closed: Self { Self("closed") }
        /// A container decorates a type that only its parent registers.
        public static var misplacedDecorator: Self { Self("misplacedDecorator") }

        /// The types of the arguments that the factory takes, as a tuple type. `nil` for other reasons than
        /// `argumentMismatch`.
        public var expectedArguments: String? {
            mismatch.map { TypeNameFormatter(disambiguating: $0.expected).tuple($0.expected) }
        }

        /// The types of the supplied arguments, as a tuple type. `nil` for other reasons than `argumentMismatch`.
        public var suppliedArguments: String? {
            mismatch.map { TypeNameFormatter(disambiguating: $0.expected).tuple($0.supplied) }
        }

        private var mismatch: ArgumentMismatch? {
            if case .argumentMismatch(let mismatch) = cause { mismatch } else { nil }
        }

        /// The type of the instance, for the reasons `typeMismatch` and `weakValueType`.
        public var instanceType: String? {
            switch cause {
            case .typeMismatch(let instance), .weakValueType(let instance): TypeName.short(instance)
            default: nil
            }
        }

        /// The error that the factory threw, for the reason `factoryFailed`.
        public var underlyingError: (any Error)? {
            if case .factoryFailed(let error) = cause { error } else { nil }
        }

        /// Returns whether two reasons are of the same kind.
        public static func == (first: Self, second: Self) -> Bool { first.description == second.description }
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

        /// The public kind of the cause.
        var reason: Reason {
            switch self {
            case .notRegistered: .notRegistered
            case .cycle: .cycle
            case .argumentMismatch: .argumentMismatch
            case .typeMismatch: .typeMismatch
            case .mainActorRequired: .mainActorRequired
            case .factoryFailed: .factoryFailed
            case .asyncRequired: .asyncRequired
            case .weakValueType: .weakValueType
            case .sealed: .sealed
            case .closed: .closed
            case .misplacedDecorator: .misplacedDecorator
            }
        }
    }
}
