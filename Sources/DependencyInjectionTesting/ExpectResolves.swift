public import DependencyInjection
public import Testing

/// Resolves a type, and records an issue with the text of the ``ResolutionError`` if that fails.
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
/// The instance is built, with all that its factory resolves. May be called on any thread; for types that are registered with
/// `mainActor:` on the main actor.
///
/// > Important: If a factory or a wrapper asks plainly for what is missing, the program stops there: see ``Resolver``. An
/// > issue is recorded here first, which tells the test and the line.
///
/// - Parameters:
///   - type: The type asked for.
///   - name: The name under which it was registered.
///   - arguments: The arguments for its factory.
///   - container: The container to ask; nil for the current one.
///   - file: The file reported in the error; defaults to the caller's.
///   - line: The line reported in the error; defaults to the caller's.
///   - sourceLocation: Where the issue is recorded; defaults to the caller's place.
/// - Returns: The instance; nil if an issue was recorded.
@discardableResult @_disfavoredOverload public func expectResolves<T, each Argument>(
    _ type: T.Type, name: RegistrationName? = nil, arguments: repeat each Argument, in container: DIContainer? = nil,
    file: StaticString = #fileID, line: UInt = #line, sourceLocation: SourceLocation = #_sourceLocation
) -> T? {
    let container = container ?? .current
    let expectation = ResolvingExpectation(sourceLocation)
    let end = container.add(expectation.observer)
    defer { end() }
    do {
        return try ResolvingExpectation.$current.withValue(expectation) {
            try container.resolve.orThrow(type, name: name, arguments: repeat each arguments, file: file, line: line)
        }
    } catch {
        Issue.record(Comment(rawValue: "\(error)"), sourceLocation: sourceLocation)
        return nil
    }
}

/// Resolves a type with the arguments that a closure returns as a tuple, and records an issue if that fails.
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

/// Resolves a type with one argument from a closure with several statements, and records an issue if that fails.
@discardableResult public func expectResolves<T, Argument>(
    _ type: T.Type, name: RegistrationName? = nil, arguments: (() -> Argument)?, in container: DIContainer? = nil,
    file: StaticString = #fileID, line: UInt = #line, sourceLocation: SourceLocation = #_sourceLocation
) -> T? {
    // An Optional that is nil is an argument itself.
    let argument: Any = if let arguments { arguments() } else { arguments as Any }
    return expectResolves(
        type, name: name, arguments: argument, in: container, file: file, line: line, sourceLocation: sourceLocation)
}

/// A call of `expectResolves`. It records an issue there before a plain request inside stops the program. It is a
/// task-local value, because other tasks may use the same container.
private final class ResolvingExpectation: Sendable {
    @TaskLocal static var current: ResolvingExpectation?

    private let sourceLocation: SourceLocation

    init(_ sourceLocation: SourceLocation) { self.sourceLocation = sourceLocation }

    var observer: EventObserver {
        EventObserver(.refusals) { [self] event in
            guard case .refused(let error, at: _) = event.kind, Self.current === self else { return }
            let text = "The program stops in `expectResolves`, because a plain request failed.\n\(error)"
            Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
        }
    }
}
