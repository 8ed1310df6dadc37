// Requests of a resolver that the fast path doesn't serve.

extension Resolver {
    /// The resolver's own container, or else the current one.
    var container: ContainerCore { core ?? CurrentContainer.core }

    /// Traps with the text of an error, after reporting the error to the observers.
    @usableFromInline func stopProgram(_ error: ResolutionError, _ file: StaticString, _ line: UInt) -> Never {
        container.stopProgram(error, at: CallSite(file: file, line: line))
    }

    /// Resolves an instance from the container on the slow path.
    @usableFromInline func resolveFromContainer<T>(
        _ type: T.Type, _ name: RegistrationName?, _ arguments: [Any], _ file: StaticString, _ line: UInt
    ) throws(ResolutionError) -> T {
        let request = Request(type, name, arguments, file: file, line: line)
        return try container.box(for: request).value(as: type)
    }
}

/// Boxes the arguments of a request that takes the slow path.
@usableFromInline func boxed<each Argument>(_ arguments: repeat each Argument) -> [Any] {
    var boxed: [Any] = []
    repeat boxed.append(each arguments)
    return boxed
}
