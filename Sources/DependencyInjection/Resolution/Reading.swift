/// A read that is under way: what was found, and the thread that announced it.
@usableFromInline struct Reading {
    @usableFromInline let thread: ThreadRecord
    /// The container asked; nil if the default container is yet to be set up.
    let core: Borrowed<ContainerCore>?
    /// The scope that is active, where it is known.
    let scope: ObjectIdentifier?
    @usableFromInline let finding: Finding

    /// The box of the instance that is ready, for the rest of the read.
    @inlinable var box: Borrowed<AnyObject>? {
        if case .ready(let box) = finding { box } else { nil }
    }

    /// Whether the container and its parents have no entry for the key.
    @inlinable var isMissing: Bool {
        if case .missing = finding { true } else { false }
    }
}

extension Resolver {
    /// Announces a read and looks a key up. The caller ends the read once it has copied what it needs.
    @inlinable func beginReading<T>(_ type: T.Type, _ name: RegistrationName?) -> Reading {
        if let name { return beginReading(ObjectIdentifier(type), name) }
        return beginReading(ObjectIdentifier(type))
    }

    @usableFromInline func beginReading(_ type: ObjectIdentifier) -> Reading { read { $0.find(type) } }

    @usableFromInline func beginReading(_ type: ObjectIdentifier, _ name: RegistrationName) -> Reading {
        let key = Key(type, name)
        return read { $0.find(key) }
    }

    @inline(__always) private func read(_ find: (ContainerCore) -> Finding) -> Reading {
        let thread = ThreadRecord.current
        if let own = core.map({ Borrowed($0) }) {
            thread.beginReading()
            return Reading(thread: thread, core: own, scope: nil, finding: own.with(find))
        }
        let (current, scope) = CurrentContainer.beginReading(thread)
        return Reading(thread: thread, core: current, scope: scope, finding: current?.with(find) ?? .slowPath)
    }
}
