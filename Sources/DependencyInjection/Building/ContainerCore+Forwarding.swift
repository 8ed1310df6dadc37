// What an alias leads to, and what a decorator wraps.

extension ContainerCore {
    /// Answers by what an entry forwards to, converted to the type of the entry; nil if that was removed meanwhile.
    func askSource(of entry: Entry, _ owner: ContainerCore, _ request: borrowing Request) throws -> Answer? {
        let thread = try pushFrame(for: entry, of: owner, request)
        defer { thread.pop() }
        if case .alias(let target) = entry.registration.kind { return try askTarget(target, of: entry, owner, request) }
        return try owner.parent.flatMap { try answer(request, from: $0) }
    }

    private func askTarget(
        _ target: Registration, of alias: Entry, _ owner: ContainerCore, _ request: borrowing Request
    ) throws -> Answer? {
        let forwarded = request.forwarded(to: target.type, target.key)
        guard var answer = try answer(forwarded, from: self) else {
            // If the alias is gone, too, what is registered now answers.
            guard ThreadRecord.reading({ owner.found(alias) != nil }) else { return nil }
            throw ResolutionError(forwarded, .notRegistered, in: self)
        }
        guard let view = alias.registration.converted(answer.box) else {
            throw ResolutionError(request, .typeMismatch(instance: type(of: answer.box.instance)), in: nil)
        }
        answer.instance?.add(view, as: alias.key.type)
        answer.box = view
        return answer
    }

    // MARK: Strict tests

    /// Tells the observer of a strict test that an entry answers a request, if it is watched.
    func tellObserver(of entry: Entry, _ owner: Borrowed<ContainerCore>, _ request: borrowing Request) {
        guard let watch = owner.with({ $0.watch }), watch.covers(entry) else { return }
        // This error is not thrown: it carries the place of the request, and the path to it.
        let asked = ResolutionError(request, .notRegistered, in: nil)
        watch.observer.registration(entry.registration, answers: asked, file: request.site.file)
    }

    /// Tells the observer of what an entry leads to, without asking for it: what is made of it is built already.
    func tellObserver(ofSource entry: Entry, _ owner: ContainerCore, _ request: borrowing Request) throws {
        let thread = try pushFrame(for: entry, of: owner, request)
        defer { thread.pop() }
        if let target = entry.target?.object {
            try tellObserver(ofNext: registered(target.key), request.forwarded(to: target.type, target.key))
        } else {
            try tellObserver(ofNext: owner.parent?.registered(request.key), request)
        }
    }

    private func tellObserver(ofNext next: Registered?, _ request: borrowing Request) throws {
        guard let (owner, entry) = next else { return }
        if entry.mode == .forwarded { return try tellObserver(ofSource: entry, owner.object, request) }
        tellObserver(of: entry, owner, request)
    }
}
