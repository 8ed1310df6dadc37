/// Lists everything that could not be closed.
public struct CloseError: Error, CustomStringConvertible {
    /// A closure of `onClose` that threw.
    public struct Failure: Sendable {
        /// What the instance was built by.
        public let registration: Registration
        /// What the closure threw.
        public let error: any Error
        /// Where the `onClose` was written.
        let site: CallSite
    }

    /// All failures, in the order in which they came about; none if the container was not closed, because `close()` would have
    /// waited for itself.
    public let failures: [Failure]
    private let call: CloseCall

    init(_ failures: [Failure], _ call: CloseCall) {
        self.failures = failures
        self.call = call
    }

    /// What failed, numbered, or why nothing was closed.
    public var description: String {
        if failures.isEmpty {
            return """
                \(call) was called in a factory or an `onClose` of the same container, for which it would wait.
                  fix: close the container where it was made, when its work is done; in an `onClose`, that is under way.
                """
        }
        let texts = failures.map { "\($0.registration.label), by the `onClose` at \($0.site): \($0.error)" }
        return "\(call) ended, but \(failures.count) of its steps failed.\(texts.numbered)"
    }
}
