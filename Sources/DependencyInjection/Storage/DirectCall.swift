/// Calling the factory of a ``Lifetime/new`` registration at once: without the queue, without boxing arguments, and without
/// retaining anything, which would cost as much as all the rest.
extension Read {
    /// Ends the read and makes an instance: by `call`, if what was found is a factory that takes exactly `each Argument`;
    /// else the long way, with the arguments boxed.
    ///
    /// The arguments come as closures over the caller's pack, since every function that a pack is handed to copies it.
    @inlinable @inline(__always)
    func make<T, each Argument>(
        _ type: T.Type, for resolver: Resolver, _ name: RegistrationName?, _ file: StaticString, _ line: UInt,
        boxed: () -> [Any],
        call: (FactoryRegistration<T, repeat each Argument>, Resolver) throws -> T
    ) throws(ResolutionError) -> T {
        guard let entry,
            entry._withUnsafeGuaranteedRef({ $0.directSignature }) == Signature(repeat (each Argument).self)
        else {
            thread.endReading()
            return try resolver.resolve(type, Request(type, name, boxed(), file: file, line: line))
        }
        let registration = entry._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.registration) }
        let core = core.unsafelyUnwrapped
        guard enter(core, registration) else {
            throw ResolutionError(cycleOf: Request(type, name, [], file: file, line: line))
        }
        // The frame keeps the registration and a default container: see `PostponedRelease`. Any other container is kept by
        // the resolver, or by the scope or the factory that made it current.
        defer { withExtendedLifetime(resolver) {} }
        let failure: any Error
        do {
            let instance = try core._withUnsafeGuaranteedRef { core in
                try registration._withUnsafeGuaranteedRef { registration in
                    // Sound: the entry was found by the key of `T`, and the signatures are the same.
                    try call(
                        unsafeDowncast(registration, to: FactoryRegistration<T, repeat each Argument>.self),
                        Resolver(core: core))
                }
            }
            thread.leave()
            return instance
        } catch { failure = error }
        let kept = core.takeUnretainedValue()
        thread.leave()
        throw ResolutionError(wrapping: failure, Request(type, name, [], file: file, line: line), in: kept)
    }

    /// Ends the read in the frame of a factory; false if entering that would close a cycle.
    @usableFromInline
    func enter(_ core: Unmanaged<ContainerCore>, _ registration: Unmanaged<Registration>) -> Bool {
        let entered = thread.enter(core, registration)
        thread.endReading()
        return entered
    }
}

/// The arguments as a request carries them, for what only the long way can answer.
@inlinable @inline(never)
func boxed<each Argument>(_ arguments: repeat each Argument) -> [Any] {
    var boxed: [Any] = []
    repeat boxed.append(each arguments)
    return boxed
}
