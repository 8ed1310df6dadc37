/// A read of shared storage that is under way: what was found, and the thread that announced it.
@usableFromInline
struct Read {
    @usableFromInline let thread: ThreadRecord
    /// The container asked, or nil where the default container has yet to be set up.
    @usableFromInline let core: Unmanaged<ContainerCore>?
    @usableFromInline let entry: Unmanaged<Entry>?

    init(thread: ThreadRecord, core: Unmanaged<ContainerCore>?, entry: Unmanaged<Entry>?) {
        self.thread = thread
        self.core = core
        self.entry = entry
    }

    /// Whether the container and its parents have no entry for the key.
    @inlinable
    var isUnregistered: Bool { core != nil && entry == nil }

    /// The box of the instance that is ready, for the rest of the read.
    @inlinable
    var box: UnsafeRawPointer? {
        entry?._withUnsafeGuaranteedRef { $0.instance.address }
    }
}

extension ContainerCore {
    /// What a read of this container finds in a parent's entry.
    @inline(__always)
    fileprivate func reading(inherited entry: Unmanaged<Entry>, _ thread: ThreadRecord) -> Read {
        let own = Unmanaged.passUnretained(self)
        switch entry._withUnsafeGuaranteedRef({ $0.registration.lifetime }) {
        case .new, .shared:
            return Read(thread: thread, core: own, entry: entry)
        case .scoped:
            // The parent's instance is not for this container.
            let registration = entry._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.registration).toOpaque() }
            let place = locals.find(UInt(bitPattern: registration))
            return Read(thread: thread, core: place == nil ? nil : own, entry: place)
        case .alias, .inherited, .weak:
            // They may lead to what this container has, which only the long way finds out.
            return Read(thread: thread, core: nil, entry: nil)
        }
    }
}

extension Resolver {
    /// Announces a read and looks a key up. The caller ends the read once it has copied what it needs.
    @inlinable
    func beginReading<T>(_ type: T.Type, _ name: RegistrationName?) -> Read {
        if let name { return beginReading(ObjectIdentifier(type), name) }
        return beginReading(ObjectIdentifier(type))
    }

    @usableFromInline
    func beginReading(_ type: ObjectIdentifier) -> Read {
        read { $0.table.find(UInt(bitPattern: type)) }
    }

    @usableFromInline
    func beginReading(_ type: ObjectIdentifier, _ name: RegistrationName) -> Read {
        read { $0.table.find(type, name) }
    }

    @inline(__always)
    private func read(_ find: (ContainerCore) -> Unmanaged<Entry>?) -> Read {
        let thread = ThreadRecord.current
        guard let start = begin(thread) else { return Read(thread: thread, core: nil, entry: nil) }
        if let entry = start._withUnsafeGuaranteedRef(find) { return Read(thread: thread, core: start, entry: entry) }
        var next = start._withUnsafeGuaranteedRef { $0.unretainedParent }
        while let core = next {
            if let entry = core._withUnsafeGuaranteedRef(find) {
                return start._withUnsafeGuaranteedRef { $0.reading(inherited: entry, thread) }
            }
            next = core._withUnsafeGuaranteedRef { $0.unretainedParent }
        }
        return Read(thread: thread, core: start, entry: nil)
    }

    @inline(__always)
    private func begin(_ thread: ThreadRecord) -> Unmanaged<ContainerCore>? {
        guard let core else { return CurrentContainer.beginReading(thread) }
        thread.beginReading()
        return .passUnretained(core)
    }

    /// The container to ask: its own, or the current one.
    var container: ContainerCore { core ?? CurrentContainer.core }

    /// Resolves the long way, by the container's queue where something must be built.
    @usableFromInline
    func resolve<T>(_ type: T.Type, _ request: Request) throws(ResolutionError) -> T {
        try container.resolve(type, request)
    }
}
