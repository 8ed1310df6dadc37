/// Lists everything that could not be closed.
public struct CloseError: Error, CustomStringConvertible {
    /// An ``OnClose`` that threw.
    public struct Failure: Sendable {
        /// What the instance was built by.
        public let registration: Registration
        /// What the closure threw.
        public let error: any Error
        /// The `OnClose` with the closure.
        package let statement: Registration

        init(of registration: Registration, by statement: Registration, _ error: any Error) {
            self.registration = registration
            self.statement = statement
            self.error = error
        }
    }

    /// All failures, in the order in which they came about; none if the container was not closed, because `close()` would have
    /// waited for itself.
    public let failures: [Failure]
    private let site: CallSite

    init(_ failures: [Failure], at site: CallSite) {
        self.failures = failures
        self.site = site
    }

    /// What failed, numbered, or why nothing was closed.
    public var description: String {
        if failures.isEmpty {
            return """
                `close()` at \(site) was called in a factory or an `OnClose` of the same container, for which it would wait.
                  fix: close the container where it was made, when its work is done; in an `OnClose`, that is under way.
                """
        }
        let names = TypeNames(failures.map(\.statement.type))
        var text = "`close()` at \(site) ended, but \(failures.count) of its steps failed."
        for (index, failure) in failures.enumerated() {
            text += """
                \n\(index + 1). \(names.label(failure.statement)), by the `OnClose` at \(failure.statement.place): \
                \(failure.error)
                """
        }
        return text
    }
}
