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
        // An Optional has no entry of its own.
        if mayBeOptional(type), let optional = type as? any SynthesizedOptional.Type {
            return try synthesize(optional, name, file, line)
        }
        let read = resolver.beginReading(type, name)
        if let box = read.box {
            let instance = Box<T>.read(box)
            read.thread.endReading()
            return instance
        }
        return try read.make(type, for: resolver, name, file, line) {
            []
        } call: { (registration: FactoryRegistration<T>, resolver) in
            try registration.factory(resolver)
        }
    }

    /// Resolves an instance of the inferred type, with arguments for its factory.
    @inlinable
    @_disfavoredOverload
    public func callAsFunction<T, each Argument>(
        _ arguments: repeat each Argument, name: RegistrationName? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) throws(ResolutionError) -> T {
        try resolver.beginReading(T.self, name).make(T.self, for: resolver, name, file, line) {
            boxed(repeat each arguments)
        } call: { (registration: FactoryRegistration<T, repeat each Argument>, resolver) in
            try registration.factory(resolver, repeat each arguments)
        }
    }

    /// Resolves an instance of the type said, with arguments for its factory.
    @inlinable
    @_disfavoredOverload
    public func callAsFunction<T, each Argument>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, arguments: repeat each Argument,
        file: StaticString = #fileID, line: UInt = #line
    ) throws(ResolutionError) -> T {
        try resolver.beginReading(type, name).make(type, for: resolver, name, file, line) {
            boxed(repeat each arguments)
        } call: { (registration: FactoryRegistration<T, repeat each Argument>, resolver) in
            try registration.factory(resolver, repeat each arguments)
        }
    }

    /// Resolves an instance, with the arguments for its factory as the tuple that a closure returns.
    @inlinable
    public func callAsFunction<T, each Argument>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line,
        arguments: () -> (repeat each Argument)
    ) throws(ResolutionError) -> T {
        let arguments = arguments()
        return try self(type, name: name, arguments: repeat each arguments, file: file, line: line)
    }

    @inlinable
    func synthesize<S: SynthesizedOptional, T>(
        _ type: S.Type, _ name: RegistrationName?, _ file: StaticString, _ line: UInt
    ) throws(ResolutionError) -> T {
        identityCast(try S.synthesize(by: resolver, name, file, line), to: T.self)
    }
}
