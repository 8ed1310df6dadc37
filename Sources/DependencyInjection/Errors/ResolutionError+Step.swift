extension ResolutionError {
    /// One step of the path that led to the request.
    public struct Step: Sendable, CustomStringConvertible {
        let registration: Registration
        /// Qualifies types of the same name in the text that the step belongs to.
        private let namesakes: Namesakes

        package init(registration: Registration, _ namesakes: Namesakes = Namesakes()) {
            self.registration = registration
            self.namesakes = namesakes
        }

        /// The type and the name of the instance under construction.
        public var key: String { namesakes.text(registration.label) }
        /// The file in which the registration was written.
        public var file: String { registration.file }
        /// The line on which it was written.
        public var line: UInt { registration.line }
        /// The name of the ``Module`` in which it was written, if that has one.
        public var module: String? { registration.module }

        /// The step on one line.
        public var description: String { registration.step(namesakes) }
    }
}
