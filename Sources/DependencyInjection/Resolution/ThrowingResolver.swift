/// Resolves from a container and throws a ``ResolutionError`` where ``Resolver`` stops the program.
///
/// ```swift
/// let router = try DIContainer.resolve.orThrow(Router.self)
/// ```
///
/// An error passes through everything that can throw: autowired initializers and factories that ask with
/// `try resolve.orThrow()`. It leaves the container as it was. The forms, threads and costs are those of ``Resolver``.
public struct ThrowingResolver: Sendable {
    @usableFromInline let resolver: Resolver

    @inlinable
    init(resolver: Resolver) {
        self.resolver = resolver
    }

    /// Resolves an instance of the type, which is inferred where it is not said.
    @inlinable
    public func callAsFunction<T>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line
    ) throws(ResolutionError) -> T {
        // An Optional has no entry of its own. (For a type that the compiler knows, it answers both questions itself.)
        if _isOptional(type), let synthesized = type as? any Synthesized.Type {
            return try synthesize(synthesized, name, file, line)
        }
        let read = resolver.beginReading(type, name)
        if let box = read.box {
            let instance = Box<T>.read(box)
            read.thread.endReading()
            return instance
        }
        if read.isCallable() {
            return try read.makeNew(type, name, file, line)
        }
        read.thread.endReading()
        return try resolver.resolve(type, Request(type, name, [], file: file, line: line))
    }

    /// Resolves an instance of the inferred type, with arguments for its factory.
    @inlinable
    @_disfavoredOverload
    public func callAsFunction<T, each Argument>(
        _ arguments: repeat each Argument, name: RegistrationName? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) throws(ResolutionError) -> T {
        try make(T.self, name, file, line, repeat each arguments)
    }

    /// Resolves an instance of the type said, with arguments for its factory.
    @inlinable
    @_disfavoredOverload
    public func callAsFunction<T, each Argument>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, arguments: repeat each Argument,
        file: StaticString = #fileID, line: UInt = #line
    ) throws(ResolutionError) -> T {
        try make(type, name, file, line, repeat each arguments)
    }

    /// Resolves an instance, with the arguments for its factory as the tuple that a closure returns.
    @inlinable
    public func callAsFunction<T, each Argument>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line,
        arguments: () -> (repeat each Argument)
    ) throws(ResolutionError) -> T {
        let arguments = arguments()
        return try make(type, name, file, line, repeat each arguments)
    }

    /// Calls a `New` factory that takes exactly these arguments; boxes the arguments for any other registration.
    @inlinable @inline(__always)
    func make<T, each Argument>(
        _ type: T.Type, _ name: RegistrationName?, _ file: StaticString, _ line: UInt,
        _ arguments: repeat each Argument
    ) throws(ResolutionError) -> T {
        let read = resolver.beginReading(type, name)
        if read.isCallable(with: repeat (each Argument).self) {
            return try read.makeNew(type, name, file, line, repeat each arguments)
        }
        read.thread.endReading()
        var boxed: [Any] = []
        repeat boxed.append(each arguments)
        return try resolver.resolve(type, Request(type, name, boxed, file: file, line: line))
    }

    @inlinable
    func synthesize<S: Synthesized, T>(
        _ type: S.Type, _ name: RegistrationName?, _ file: StaticString, _ line: UInt
    ) throws(ResolutionError) -> T {
        identityCast(try S.synthesize(by: resolver, name, file, line), to: T.self)
    }
}
