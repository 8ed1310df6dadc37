/// The registrations and instances of a container: all of it but the reference that keeps the instances.
///
/// Resolvers, providers and lazy wrappers hold a core, and a core holds instances, which hold providers. The circle is
/// broken by ``DIContainer``, which holds the core as well and empties it when it goes.
@usableFromInline
final class ContainerCore: @unchecked Sendable {  // The table may be read anywhere; all else is used on the queue only.
    let parent: ContainerCore?
    /// The parent for readers, who need not retain it: this container does.
    let unretainedParent: Unmanaged<ContainerCore>?
    let queue = ReentrantSerialQueue(label: "DependencyInjection.DIContainer")
    let table = EntryTable()
    private var registrationCount = 0

    init(parent: ContainerCore? = nil) {
        self.parent = parent
        unretainedParent = parent.map(Unmanaged.passUnretained)
    }

    // MARK: Changing

    func register(_ registrations: [Registration]) {
        change { retired in
            for registration in registrations {
                registrationCount += 1
                replace(registration.key, with: Entry(registration, order: registrationCount), &retired)
            }
        }
    }

    func unregister(_ key: Key) {
        change { retired in replace(key, with: nil, &retired) }
    }

    func removeAll() {
        change { retired in
            for entry in table.entries { table.replace(entry.registration.key, with: nil, retired: &retired) }
        }
    }

    func removeInstances() {
        change { retired in
            for entry in table.entries where entry.isBuilt {
                table.replace(entry.registration.key, with: entry.renewed(), retired: &retired)
            }
        }
    }

    /// Runs a change on the queue. What it retires is released after the queue has been left, since that may run foreign
    /// `deinit`s.
    private func change(_ body: (inout EntryTable.Retired) -> Void) {
        var retired = EntryTable.Retired()
        queue.sync { body(&retired) }
    }

    /// Replaces an entry and, where its instance was copied to aliases, theirs.
    private func replace(_ key: Key, with entry: Entry?, _ retired: inout EntryTable.Retired) {
        let dependents = table.entry(key)?.dependents ?? []
        table.replace(key, with: entry, retired: &retired)
        for dependent in dependents {
            if let alias = table.entry(dependent), alias.registration.lifetime == .alias {
                replace(dependent, with: alias.renewed(), &retired)
            }
        }
    }

    // MARK: Finding

    /// The entry that answers a key, and the container that owns it: this one or the nearest parent.
    func find(_ key: Key) -> (owner: ContainerCore, entry: Entry)? {
        let thread = ThreadRecord.current
        var next: ContainerCore? = self
        while let core = next {
            thread.beginReading()
            let entry = core.table.entry(key)
            thread.endReading()
            if let entry { return (core, entry) }
            next = core.parent
        }
        return nil
    }

    /// Every registration that a request may be answered by, this container's before its parents'.
    var visibleRegistrations: [Registration] {
        let own = queue.sync { table.entries }.sorted { $0.order < $1.order }.map(\.registration)
        let inherited = parent?.visibleRegistrations ?? []
        let keys = Set(own.map(\.key))
        return own + inherited.filter { !keys.contains($0.key) }
    }

    /// Whether a type is registered, or made of types that are.
    func isAvailable<T>(_ type: T.Type, _ key: Key) -> Bool {
        if find(key) != nil { return true }
        return (type as? any Synthesized.Type)?.isAvailable(in: self, key.name) ?? false
    }

    // MARK: Resolving

    /// Answers a request by whatever is registered for it, or by what can be made of that: an Optional, a provider.
    @usableFromInline
    func resolve<T>(_ type: T.Type, _ request: Request) throws(ResolutionError) -> T {
        while let (owner, entry) = find(request.key) {
            let registration = entry.registration
            if registration.isMainActor, !MainQueue.isCurrent {
                throw ResolutionError(request, .mainActorRequired, in: self)
            }
            switch registration.lifetime {
            case .new:
                return try build(registration, request)
            case .shared:
                if let instance: T = try owner.shared(entry, request) { return instance }
            case .alias:
                if let instance: T = try forward(entry, of: owner, request) { return instance }
            }
            // The registration was replaced meanwhile: ask again.
        }
        if let synthesized = type as? any Synthesized.Type {
            return try synthesize(synthesized, request)
        }
        throw ResolutionError(request, .notRegistered, in: self)
    }

    private func synthesize<S: Synthesized, T>(_ type: S.Type, _ request: Request) throws(ResolutionError) -> T {
        identityCast(
            try S.synthesize(by: Resolver(core: self), request.key.name, request.site.file, request.site.line),
            to: T.self)
    }

    /// Builds an instance that the container does not keep.
    private func build<T>(_ registration: Registration, _ request: Request) throws(ResolutionError) -> T {
        // Sound: an entry found by the key of `T` has a registration of `T`.
        let registration = unsafeDowncast(registration, to: TypedRegistration<T>.self)
        return try running(registration, request) { () throws -> T in
            try registration.make(Resolver(core: self), request)
        }
    }

    /// Runs a factory of this container as the innermost step of the thread's path.
    private func running<T>(
        _ registration: Registration, _ request: Request, _ factory: () throws -> T
    ) throws(ResolutionError) -> T {
        let thread = ThreadRecord.current
        var frame = Frame(core: .passUnretained(self), registration: .passUnretained(registration))
        let outcome = try withUnsafeMutablePointer(to: &frame) { frame throws(ResolutionError) in
            try Frame.enter(frame, on: thread, request)
            defer { Frame.leave(frame, from: thread) }
            return Result(catching: factory)
        }
        switch outcome {
        case .success(let instance): return instance
        case .failure(let error): throw ResolutionError(wrapping: error, request, in: self)
        }
    }

    /// The instance of an entry of this container, built if need be; nil if the entry was replaced.
    private func shared<T>(_ entry: Entry, _ request: Request) throws(ResolutionError) -> T? {
        if !request.arguments.isEmpty, entry.registration.signature == ObjectIdentifier(Void.self) {
            throw ResolutionError(wrapping: ArgumentMismatch(request.arguments, entry.registration), request, in: self)
        }
        if let instance = entry.published(as: T.self) { return instance }
        return try queue.sync { () throws(ResolutionError) -> T? in
            guard table.entry(request.key) === entry else { return nil }
            if let instance = entry.published(as: T.self) { return instance }
            let instance: T = try build(entry.registration, request)
            // The factory itself may have replaced the registration: then its caller gets the instance, and nobody keeps it.
            if table.entry(request.key) === entry { entry.publish(instance) }
            return instance
        }
    }

    // MARK: Aliases

    /// Resolves the target of an alias in this container and converts it; nil if a registration was replaced meanwhile.
    private func forward<T>(_ entry: Entry, of owner: ContainerCore, _ request: Request) throws(ResolutionError) -> T? {
        // Sound: an alias entry found by the key of `T` is an alias of type `T`.
        let alias = unsafeDowncast(entry.registration, to: AliasRegistration<T>.self)
        let convert = { () throws(ResolutionError) -> T in try self.convert(alias, request) }
        guard owner === self, keepsInstance(alias.aliased.key) else { return try convert() }
        return try queue.sync { () throws(ResolutionError) -> T? in
            guard table.entry(request.key) === entry, let target = table.entry(alias.aliased.key) else { return nil }
            if request.arguments.isEmpty, let instance = entry.published(as: T.self) { return instance }
            let instance = try convert()
            if table.entry(request.key) === entry, table.entry(alias.aliased.key) === target, target.isBuilt,
                !entry.isBuilt
            {
                entry.publish(instance)
                target.dependents.append(request.key)
            }
            return instance
        }
    }

    private func convert<T>(_ alias: AliasRegistration<T>, _ request: Request) throws(ResolutionError) -> T {
        let target = alias.aliased
        let instance: Any = try running(alias, request) { () throws -> Any in
            try target.resolve(Request(target.type, key: target.key, request.arguments, request.site), in: self)
        }
        guard let converted = instance as? T else {
            throw ResolutionError(request, .typeMismatch(instance: "\(TypeName(Swift.type(of: instance)))"), in: self)
        }
        return converted
    }

    /// Whether this container itself keeps the instance that a key leads to.
    private func keepsInstance(_ key: Key) -> Bool {
        guard let (owner, entry) = find(key), owner === self else { return false }
        if let target = entry.registration.target { return keepsInstance(target.key) }
        return entry.registration.lifetime == .shared && !entry.registration.isMainActor
    }
}
