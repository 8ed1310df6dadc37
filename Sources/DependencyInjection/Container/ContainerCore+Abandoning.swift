// What happens when a container goes.

internal import Synchronization

extension ContainerCore {
    /// Releases all instances, and from now on knows only those that somebody else holds. Does not wait.
    func abandon() {
        abandonment.store(true, ordering: .sequentiallyConsistent)
        clearIfAbandoned()
    }

    /// Releases the instances at once, unless a thread is on the queue: that thread then does so when it leaves (invariant
    /// Q5). Clearing once more changes nothing.
    func clearIfAbandoned() {
        guard isAbandoned else { return }
        var retired = Retirement()
        _ = queue.trySync {
            let abandoned = keptInstances
            complainOfOpened()
            for object in takeAll() { retired.add(object) }
            // The container goes on knowing what somebody else holds.
            for instance in abandoned {
                if let weakened = instance.weakened { replace(with: weakened, instance.entry.key, &retired) }
            }
        }
    }
}
