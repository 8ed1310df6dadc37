// What happens when a container goes.

internal import Synchronization

extension ContainerCore {
    /// Releases all instances, and from now on knows only those that somebody else holds. Does not wait.
    func abandon() {
        life.store(.abandoned, ordering: .sequentiallyConsistent)
        clearIfAbandoned()
    }

    /// Releases the instances at once, unless a thread is on the queue: that thread then does so when it leaves.
    func clearIfAbandoned() {
        guard life.load(ordering: .sequentiallyConsistent) == .abandoned else { return }
        var retired = Retirement()
        _ = queue.trySync {
            let abandoned = instances.elements
            forgetUnclosed()
            instances.removeAll(numberedBy: { $0.serial }, retiring: &retired)
            derived = []
            for instance in abandoned {
                // Now that the container is abandoned, it holds the instance weakly.
                guard let box = instance.box,
                    let known = Instance(
                        box, in: self, by: instance.entry, of: instance.owner, madeOf: instance.basis, instance.traits,
                        serial: instance.serial)
                else { continue }
                put(known, known.entry.key, of: known.owner, &retired)
            }
            life.store(.cleared, ordering: .sequentiallyConsistent)
        }
    }
}
