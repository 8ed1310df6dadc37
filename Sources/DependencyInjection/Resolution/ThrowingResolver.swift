/// Resolves from a container and throws a ``ResolutionError`` where ``Resolver`` traps.
///
/// ```swift
/// let router = try DIContainer.resolve.orThrow(Router.self)
/// ```
///
/// An error passes through everything that can throw: autowired initializers, and factories that resolve with
/// `try resolve.orThrow()`. A failed request leaves the container unchanged. The overloads have the same thread
/// requirements and costs as the overloads of ``Resolver``.
@frozen public struct ThrowingResolver: Sendable {
    @usableFromInline let resolver: Resolver

    @inlinable init(resolver: Resolver) {
        self.resolver = resolver
    }

    /// Resolves an instance of a type, which is inferred if it is omitted.
    @inlinable public func callAsFunction<T>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line
    ) throws(ResolutionError) -> T {
        // An Optional has no entry of its own. The cast is unconditional, because the optimizer of Swift 6.3 crashes when
        // it folds a conditional cast of a constrained existential (swiftlang/swift#89367).
        if _isOptional(type) {
            let optional = type as! any ImplicitlyResolvableOptional.Type
            return try optional.resolveImplicitly(type, by: resolver, name, file, line)
        }
        let read = resolver.beginReading(type, name)
        if let box = read.box {
            let instance = Box<T>.read(box)
            read.thread.endReading()
            return instance
        }
        return try read.resolve(type, for: resolver, name, file, line) {
            []
        } call: { (factory: Factory<T>, resolver) in
            try factory.call(resolver)
        }
    }

    /// Resolves an instance of the inferred type, with arguments for its factory. The first argument is `Equatable`, as
    /// in the overload of ``Resolver``.
    @inlinable @_disfavoredOverload public func callAsFunction<T, First: Equatable, each Rest>(
        _ first: First, _ rest: repeat each Rest, name: RegistrationName? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) throws(ResolutionError) -> T {
        try self(T.self, name: name, arguments: first, repeat each rest, file: file, line: line)
    }

    /// Resolves an instance of the given type, with arguments for its factory.
    @inlinable @_disfavoredOverload public func callAsFunction<T, each Argument>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, arguments: repeat each Argument,
        file: StaticString = #fileID, line: UInt = #line
    ) throws(ResolutionError) -> T {
        try resolver.beginReading(type, name).resolve(type, for: resolver, name, file, line) {
            boxed(repeat each arguments)
        } call: { (factory: Factory<T, repeat each Argument>, resolver) in
            try factory.call(resolver, repeat each arguments)
        }
    }

    /// Resolves an instance, with a closure that returns the arguments for its factory as a tuple.
    @inlinable public func callAsFunction<T, each Argument>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line,
        arguments: () -> (repeat each Argument)
    ) throws(ResolutionError) -> T {
        let arguments = arguments()
        return try self(type, name: name, arguments: repeat each arguments, file: file, line: line)
    }

    /// Resolves an instance, with a closure of several statements that returns the only argument for its factory.
    @inlinable public func callAsFunction<T, Argument>(
        _ type: T.Type = T.self, name: RegistrationName? = nil, file: StaticString = #fileID, line: UInt = #line,
        arguments: (() -> Argument)?
    ) throws(ResolutionError) -> T {
        // An Optional that is nil is an argument itself.
        guard let arguments else { return try self(T.self, name: name, arguments: arguments, file: file, line: line) }
        return try self(type, name: name, arguments: arguments(), file: file, line: line)
    }
}

extension Resolver {
    /// The throwing counterpart of this resolver. It throws a ``ResolutionError`` instead of trapping.
    @inlinable public var orThrow: ThrowingResolver { ThrowingResolver(resolver: self) }
}

// MARK: Mistakes

extension ThrowingResolver {
    /// Diagnoses a request without a type.
    @available(*, unavailable, message: "state the type: 'let router: Router = try resolve.orThrow()'")
    @_disfavoredOverload public func callAsFunction(
        name: RegistrationName? = nil
    ) throws(ResolutionError) -> _StateTheTypeToResolve { fatalError() }

    /// Diagnoses a request with arguments and without a type.
    @available(*, unavailable, message: "state the type: 'let router: Router = try resolve.orThrow()'")
    // With a parameter pack, the compiler crashes if the name has a wrong type.
    @_disfavoredOverload public func callAsFunction<First: Equatable>(
        _ first: First, _ rest: Any..., name: RegistrationName? = nil
    ) throws(ResolutionError) -> _StateTheTypeToResolve { fatalError() }
}
