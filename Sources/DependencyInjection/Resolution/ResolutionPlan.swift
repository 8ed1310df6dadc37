/// The chain of registrations of a request: aliases, then the entry whose factory creates the instance.
///
/// Creating a plan looks up each key once and builds nothing.
struct ResolutionPlan {
    /// The aliases, the requested one first.
    let aliases: [Match]
    /// The entry whose factory creates the instance, or `nil` if the last alias has no target.
    let source: Match?
    /// Whether the last alias forwards to an earlier one.
    let isCircular: Bool

    /// Creates the plan of a key, or returns `nil` if nothing is registered for it.
    init?(for key: Key, in container: ContainerCore) {
        var aliases: [Match] = []
        var isCircular = false
        let last: Match? = ThreadRecord.reading { thread in
            var next = container.currentMatch(for: key, on: thread)
            while let match = next, let target = match.entry.aliasTarget {
                if aliases.contains(where: { $0.entry.id == match.entry.id }) {
                    isCircular = true
                    return nil
                }
                aliases.append(match)
                next = container.currentMatch(for: target.with { $0.key }, on: thread)
            }
            return next
        }
        if last == nil, aliases.isEmpty { return nil }
        self.aliases = aliases
        source = last
        self.isCircular = isCircular
    }
}

/// The result of a request: a box with the instance, and the cached instance that it belongs to.
struct ResolvedInstance {
    let box: any AnyBox
    /// Nil if the instance isn't cached.
    var cached: Instance?
}
