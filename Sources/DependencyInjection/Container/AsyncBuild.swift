/// Describes an asynchronous build, with the request.
///
/// An error carries it through plain factories to whoever awaits. Only an awaited request has arguments here, and its
/// error reaches nobody else, so that no error keeps arguments.
///
/// Unchecked because of these: ``Resolver/async(_:name:arguments:file:line:)`` takes only `Sendable` ones.
final class AsyncBuild: @unchecked Sendable {
    /// Identifies a build. With another entry or container, or after a release of all instances, it is another build.
    struct ID: Equatable {
        let core: ObjectIdentifier
        let installation: UInt
        let resets: Int
    }

    let build: Build
    let request: Request
    let id: ID

    var core: ContainerCore { build.core }
    var entry: Entry { build.entry }
    /// What the container keeps of it by now.
    var current: Instance? { core.current(entry, of: build.owner) }

    /// Nil if nobody can begin it: what a plain factory needs can be built ahead only if it takes no arguments and is kept.
    init?(_ build: Build, _ request: borrowing Request) {
        guard request.isAwaited || build.keeper != .nobody && request.arguments.isEmpty else { return nil }
        self.build = build
        self.request = request.forwarded(to: request.type, request.key)
        id = ID(
            core: ObjectIdentifier(build.core), installation: build.entry.serial, resets: build.core.resetCount)
    }
}
