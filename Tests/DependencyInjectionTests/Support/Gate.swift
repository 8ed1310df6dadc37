/// A gate at which tasks wait until it is opened, or until they are canceled.
final class Gate: Sendable {
    private let isOpen = Counter()

    func open() { isOpen.increment() }

    func wait() async throws {
        while isOpen.count == 0 { try await Task.sleep(for: .milliseconds(1)) }
    }
}
