public import DependencyInjection
public import Testing

/// Resolves a type, and records an issue with the text of the error if resolving fails.
///
/// ```swift
/// import DependencyInjection
/// import DependencyInjectionTesting
/// import Testing
///
/// @Test func routerCanBeBuilt() {
///     expectResolves(Router.self, in: app)
///     expectResolves(DetailViewModel.self, arguments: 42, in: app)
/// }
/// ```
///
/// The instance is built together with its dependencies. Can be called on any thread, but only on the main actor for
/// types registered with `mainActor:`.
///
/// > Important: If a factory or a wrapper makes a plain request for a missing type, the program stops: see
/// > ``/DependencyInjection/Resolver``. Before that, an issue is recorded here so that the output names the test and
/// > the line.
///
/// - Parameters:
///   - type: The type to resolve.
///   - name: The name of the registration.
///   - arguments: The arguments for the factory.
///   - container: The container to resolve from, or `nil` for the current one.
///   - file: The file reported in the error. Defaults to the caller's file.
///   - line: The line reported in the error. Defaults to the caller's line.
///   - sourceLocation: The source location of the issue. Defaults to the caller's location.
/// - Returns: The instance, or `nil` if an issue was recorded.
@discardableResult @_disfavoredOverload public func expectResolves<T, each Argument>(
    _ type: T.Type, name: RegistrationName? = nil, arguments: repeat each Argument, in container: DIContainer? = nil,
    file: StaticString = #fileID, line: UInt = #line, sourceLocation: SourceLocation = #_sourceLocation
) -> T? {
    let container = container ?? .current
    let expectation = ResolvingExpectation(sourceLocation)
    let observer = expectation.observer
    container.core.add(observer)
    defer { container.core.remove(observer) }
    do {
        return try ResolvingExpectation.$current.withValue(expectation) {
            try container.resolve.orThrow(type, name: name, arguments: repeat each arguments, file: file, line: line)
        }
    } catch {
        Issue.record(Comment(rawValue: "\(error)"), sourceLocation: sourceLocation)
        return nil
    }
}

/// Resolves a type with the arguments that a closure returns as a tuple, and records an issue if resolving fails.
@discardableResult public func expectResolves<T, each Argument>(
    _ type: T.Type, name: RegistrationName? = nil, arguments: () -> (repeat each Argument),
    in container: DIContainer? = nil, file: StaticString = #fileID, line: UInt = #line,
    sourceLocation: SourceLocation = #_sourceLocation
) -> T? {
    let arguments = arguments()
    return expectResolves(
        type, name: name, arguments: repeat each arguments, in: container, file: file, line: line,
        sourceLocation: sourceLocation)
}

/// Resolves a type with one argument from a closure with several statements, and records an issue if resolving fails.
@discardableResult public func expectResolves<T, Argument>(
    _ type: T.Type, name: RegistrationName? = nil, arguments: (() -> Argument)?, in container: DIContainer? = nil,
    file: StaticString = #fileID, line: UInt = #line, sourceLocation: SourceLocation = #_sourceLocation
) -> T? {
    // A `nil` Optional is itself an argument.
    let argument: Any = if let arguments { arguments() } else { arguments as Any }
    return expectResolves(
        type, name: name, arguments: argument, in: container, file: file, line: line, sourceLocation: sourceLocation)
}

/// A call of `expectResolves`, which records an issue before a failed plain request inside stops the program. It is a
/// task-local value, because other tasks may use the same container.
private final class ResolvingExpectation: Sendable {
    @TaskLocal static var current: ResolvingExpectation?

    private let sourceLocation: SourceLocation

    init(_ sourceLocation: SourceLocation) { self.sourceLocation = sourceLocation }

    var observer: EventObserver {
        EventObserver(.onlyRefusals) { [self] event in
            guard case .refused(let error, at: _) = event.kind, Self.current === self else { return }
            let text = "The program stops in `expectResolves`, because a plain request failed.\n\(error)"
            Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
        }
    }
}
