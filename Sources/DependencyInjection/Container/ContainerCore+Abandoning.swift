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
            let abandoned = keptInstances
            complainOfOpened()
            for object in takeAll() { retired.add(object) }
            // Now that the container is abandoned, it holds them weakly.
            for instance in abandoned { adopt(instance, &retired) }
            life.store(.cleared, ordering: .sequentiallyConsistent)
        }
    }

    /// Keeps an instance that this container kept before, as far as it still can. Adopt what it is made of first.
    private func adopt(_ instance: Instance, _ retired: inout Retirement) {
        guard let box = instance.box,
            let known = Instance(
                box, in: self, by: instance.entry, of: instance.owner,
                around: layer(instance.sourceSerial, of: instance.entry.key),
                madeOf: instance.sourceSerial, instance.traits, serial: instance.serial)
        else { return }
        store(known, &retired)
    }
}
