/// The reason why a request failed, with the requested key, the place and the path of the request, and a fix.
///
/// `resolve.orThrow` throws it. The plain forms stop the program with the same text.
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
    // One reference, so that functions which may throw stay small.
    let report: Report

    init(
        _ request: Request, _ cause: Cause, in core: ContainerCore?, by registration: Registration? = nil
    ) {
        report = Report(request, cause, in: core, by: registration)
    }

    /// Creates an error from one that a factory threw. An error of the library stays as it is.
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
    public var key: String { subject(Namesakes()) }
    /// The file of the request, as `Module/File.swift`.
    public var file: String { report.site.file.description }
    /// The line of the request.
    public var line: UInt { report.site.line }
    /// The registrations whose factories led to the request, the outermost first. A type with the name of the requested type is
    /// qualified with its module.
    public var path: [Step] { report.path.map { Step(registration: $0, namesakes) } }
    /// The registrations that are most similar to the requested key, the most similar first. Each access searches the present
    /// registrations.
    public var candidates: [String] { nearest.map { $0.step(namesakes) } }

    /// The requested type and name.
    package var label: Label { Label(report.type, report.name) }
    /// Qualifies types that have the name of the requested type.
    package var namesakes: Namesakes { Namesakes([report.type]) }
    /// The registrations on the path.
    package var registrations: [Registration] { report.path }
    /// The registrations that are most similar to the requested key, if that was not found.
    var nearest: [Registration] { report.core?.registrations.nearest(to: report.type) ?? [] }

    /// The registration of the Optional of the requested type, if that type isn't registered.
    var registeredOptional: Registration? { report.core?.registrations.optional(of: label) }

    /// The registration whose factory failed, or built an instance that cannot be cached. The path does not contain it.
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

    /// Whether another error reports the same fault, perhaps on another path.
    package func isSame(as other: ResolutionError) -> Bool {
        let (mine, others) = (reason, other.reason)
        // A circle may be entered anywhere.
        if mine == .cycle, others == .cycle, other.report.path.contains(where: isAbout) { return true }
        // The error of a factory may have another text each time.
        return mine == others && label.key == other.label.key && report.registration === other.report.registration
            && mine.instanceType == others.instanceType && mine.suppliedArguments == others.suppliedArguments
    }
}
