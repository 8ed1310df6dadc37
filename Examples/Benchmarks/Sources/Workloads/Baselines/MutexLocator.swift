import Synchronization

/// A mutex around a dictionary of typed boxes, the simplest container that any thread may use.
final class MutexLocator: Sendable {
    private class Box: @unchecked Sendable {}

    private final class TypedBox<T: Sendable>: Box, @unchecked Sendable {
        let value: T

        init(_ value: T) {
            self.value = value
        }
    }

    private let boxes = Mutex<[ObjectIdentifier: Box]>([:])

    func register<T: Sendable>(_ value: T) {
        boxes.withLock { $0[ObjectIdentifier(T.self)] = TypedBox(value) }
    }

    func resolve<T: Sendable>(_ type: T.Type = T.self) -> T {
        let box = boxes.withLock { $0[ObjectIdentifier(type)] }
        guard let box else { preconditionFailure("\(type) is not registered.") }
        // Sound: a box is stored under its own static type.
        return unsafeDowncast(box, to: TypedBox<T>.self).value
    }
}
