extension ResolutionError {
    /// Describes one step of the path that led to the request.
    public struct Step: Sendable, CustomStringConvertible {
        let registration: Registration
        /// What the text is about that the step belongs to.
        private let subject: (any Any.Type)?

        package init(registration: Registration, beside subject: (any Any.Type)? = nil) {
            self.registration = registration
            self.subject = subject
        }

        /// The type and the name that were being built.
        public var key: String { registration.label.text(beside: subject) }
        /// The file in which the registration was written.
        public var file: String { registration.file }
        /// The line on which it was written.
        public var line: UInt { registration.line }
        /// The name of the ``Module`` in which it was written, if that has one.
        public var module: String? { registration.module }

        /// The step on one line.
        public var description: String { registration.step(beside: subject) }
    }
}
