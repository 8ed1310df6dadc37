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
    package var dependency: DependencyID { DependencyID(report.type, report.name) }
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
        report.type == registration.type && report.name == registration.name
    }

    /// Returns whether another error reports the same fault, possibly on another path.
    package func isSame(as other: ResolutionError) -> Bool {
        let (mine, others) = (reason, other.reason)
        // A cycle may be entered at any step.
        if mine == .cycle, others == .cycle, other.report.path.contains(where: isAbout) { return true }
        // The text of a factory's error may differ each time.
        return mine == others && dependency.key == other.dependency.key
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
