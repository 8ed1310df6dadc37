/// Describes an asynchronous build: the entry, the container that it is built for, and the request.
///
/// An error carries it through plain factories to whoever awaits. Only an awaited request has arguments here, and its
/// error reaches nobody else, so that no error keeps arguments.
///
/// Unchecked because of the arguments: ``Resolver/async(_:name:arguments:file:line:)`` takes only `Sendable` ones.
final class AsyncBuild: @unchecked Sendable {
    /// Identifies a build. With another entry or container, or after a release of all instances, it is another build.
    struct ID: Equatable {
        let core: ObjectIdentifier
        let entrySerial: UInt
        let resets: Int
    }

    let core: ContainerCore
    let entry: Entry
    /// The container that has the entry.
    let owner: ContainerCore
    let request: Request
    let id: ID

    /// Nil if nobody can begin it: what a plain factory needs can be built ahead only if it takes no arguments and is kept.
    init?(_ entry: Entry, of owner: ContainerCore, for core: ContainerCore, _ request: borrowing Request) {
        guard request.isAwaited || entry.mode != .transient && request.arguments.isEmpty else { return nil }
        self.core = core
        self.entry = entry
        self.owner = owner
        self.request = request.copy()
        id = ID(core: ObjectIdentifier(core), entrySerial: entry.serial, resets: core.resetCount)
    }
}
