/// Says why something could not be resolved: what was asked for, by whom, on which path, and how to fix it.
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
public struct ResolutionError: Error {
    // One reference, so that functions which may throw stay small.
    let report: Report

    init(
        _ request: Request, _ cause: Cause, in core: ContainerCore?, by registration: Registration? = nil
    ) {
        report = Report(request, cause, in: core, by: registration)
    }

    /// Passes on an error of the library as it is; wraps any other in an error of the request whose factory threw it.
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

    /// Why the request failed.
    public var reason: Reason { Reason(of: report.cause) }
    /// The type and the name asked for, such as `any Router named "main"`.
    public var key: String { subject(Namesakes()) }
    /// The file that asked, as `Module/File.swift`.
    public var file: String { report.site.file.description }
    /// The line that asked.
    public var line: UInt { report.site.line }
    /// The registrations whose factories led to the request, the outermost first. Another type that has the name of the one
    /// asked for has its module before it.
    public var path: [Step] { report.path.map { Step(registration: $0, namesakes) } }
    /// The registrations that come nearest to what was asked for, best first. Each access looks for them anew, among
    /// the registrations of that moment.
    public var candidates: [String] { nearest.map { $0.step(namesakes) } }

    /// The type and the name asked for.
    package var label: Label { Label(report.type, report.name) }
    /// Tells other types from the one asked for.
    package var namesakes: Namesakes { Namesakes([report.type]) }
    /// The registrations on the path.
    package var registrations: [Registration] { report.path }
    /// The registrations that come nearest to what was asked for, where that was not found.
    var nearest: [Registration] { report.core?.registrations.nearest(to: report.type) ?? [] }

    /// The registration of the Optional of the requested type, if that type isn't registered.
    var registeredOptional: Registration? { report.core?.registrations.optional(of: label) }

    /// The registration whose factory failed, or made what cannot be kept. It is no step of the path any more.
    package var failedRegistration: Registration? {
        switch report.cause {
        case .factoryFailed, .weakValueType: report.registration
        default: nil
        }
    }

    /// Whether this registration was asked for.
    func isAbout(_ registration: Registration) -> Bool {
        report.type == registration.type && report.name == registration.name
    }

    /// Whether this says the same as another, which may have come about by another path.
    package func isSame(as other: ResolutionError) -> Bool {
        let (mine, others) = (reason, other.reason)
        // A circle may be entered anywhere.
        if mine == .cycle, others == .cycle, other.report.path.contains(where: isAbout) { return true }
        // What a factory throws may have another text each time.
        return mine == others && label.key == other.label.key && report.registration === other.report.registration
            && mine.instanceType == others.instanceType && mine.suppliedArguments == others.suppliedArguments
    }
}
