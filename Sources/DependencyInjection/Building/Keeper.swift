/// Who keeps what is built for a request.
enum Keeper: Equatable {
    /// Nobody: it is built at every request.
    case nobody
    /// The graph of objects to which the request belongs.
    case graph
    /// A container: the one that is asked, or a parent.
    case container(Borrowed<ContainerCore>)

    /// Who keeps what an entry of `owner` makes of what this one keeps: of two containers, the lower one in the tree.
    func lowered(to owner: Borrowed<ContainerCore>) -> Keeper {
        guard case .container(let core) = self else { return self }
        return .container(core.with { $0.depth } < owner.with { $0.depth } ? owner : core)
    }
}

extension ContainerCore {
    /// Who keeps what an entry makes for this container, unless the entry forwards to another.
    func keeper(of entry: Entry, _ owner: Borrowed<ContainerCore>) -> Keeper {
        switch entry.mode {
        case .transient, .forwarded: .nobody
        case .graph: .graph
        case .scoped: .container(Borrowed(self))
        case .owned: .container(owner)
        }
    }
}
