extension Resolver {
    /// The container to ask: its own, or the current one.
    var container: ContainerCore { core ?? CurrentContainer.core }

    /// Ends a read that found neither an instance to read nor a factory that the caller can call. Calls the factory
    /// behind an alias, or has the container answer.
    @usableFromInline func resolveSlowly<T>(
        _ type: T.Type, _ name: RegistrationName?, _ arguments: [Any], _ file: StaticString, _ line: UInt,
        after reading: Reading?
    ) throws(ResolutionError) -> T {
        if let reading {
            if case .direct(let entry) = reading.finding, arguments.isEmpty, entry.with({ !$0.takesArguments }),
                let entered = reading.enter(entry, isHeld: core != nil, file, line)
            {
                return try reading.call(entry, as: type, in: entered, name, file, line)
            }
            reading.thread.endReading()
        }
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
