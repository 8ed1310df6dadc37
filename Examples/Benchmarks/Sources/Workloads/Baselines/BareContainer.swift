/// The minimal container: an unsynchronized dictionary of typed boxes.
///
/// It has no lock, no cast by name and no factory, and registers finished instances. The types are internal to this
/// module, so that the optimizer specializes all code for the resolved type.
final class BareContainer {
    private class Box {}

    private final class TypedBox<T>: Box {
        let value: T

        init(_ value: T) {
            self.value = value
        }
    }

    // Unchecked, because the run time's checks of exclusive access would slow the baseline down.
    @exclusivity(unchecked) private var boxes: [ObjectIdentifier: Box] = [:]

    func register<T>(_ value: T) {
        boxes[ObjectIdentifier(T.self)] = TypedBox(value)
    }

    func resolve<T>(_ type: T.Type = T.self) -> T {
        guard let box = boxes[ObjectIdentifier(type)] else { preconditionFailure("\(type) is not registered.") }
        // Sound: a box is stored under its own static type.
        return unsafeDowncast(box, to: TypedBox<T>.self).value
    }
}
