/// An error that contains the failures of a container's close handlers.
public struct CloseError: Error, CustomStringConvertible {
    /// The failure of one `onClose` handler.
    public struct Failure: Sendable {
        /// The registration that built the instance.
        public let registration: Registration
        /// The error that the handler threw.
        public let error: any Error
        /// The source location of the `onClose` handler.
        package let site: CallSite
    }

    /// All failures in the order of their occurrence. Empty if `close()` would have waited for itself.
    public let failures: [Failure]
    private let call: CloseCall

    init(_ failures: [Failure], _ call: CloseCall) {
        self.failures = failures
        self.call = call
    }

    /// The failures as a numbered list, or the reason why nothing was closed.
    public var description: String {
        if failures.isEmpty {
            return """
                \(call) was called in a factory or an `onClose` of the same container, and would wait for itself.
                  fix: close the container after its work, in the code that created it
                   or: remove the call from the `onClose`, which runs because the container is closing
                """
        }
        let texts = failures.map { "\($0.registration.id), by the `onClose` at \($0.site): \($0.error)" }
        return "\(call) completed with \(failures.count) failure\(failures.count == 1 ? "" : "s").\(texts.numbered)"
    }
}
