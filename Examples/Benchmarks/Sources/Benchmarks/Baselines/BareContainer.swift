/// The least that a container can do: an unsynchronised dictionary of typed boxes.
///
/// No lock, no cast by name, no factory; what is registered is built. The types are internal to this module, so that the
/// optimiser specialises everything for the type that is resolved.
final class BareContainer {
    private class Box {}

    private final class TypedBox<T>: Box {
        let value: T

        init(_ value: T) {
            self.value = value
        }
    }

    // Unchecked, since the run time's checks of exclusive access would only slow the baseline down.
    @exclusivity(unchecked) private var boxes: [ObjectIdentifier: Box] = [:]

    func register<T>(_ value: T) {
        boxes[ObjectIdentifier(T.self)] = TypedBox(value)
    }

    func resolve<T>(_ type: T.Type = T.self) -> T {
        guard let box = boxes[ObjectIdentifier(type)] else { preconditionFailure("\(type) is not registered.") }
        // Sound: a box is stored under the type that it is made for.
        return unsafeDowncast(box, to: TypedBox<T>.self).value
    }
}
