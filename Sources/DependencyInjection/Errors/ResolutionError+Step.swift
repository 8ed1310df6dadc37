extension ResolutionError {
    /// Describes one step of the path that led to the request.
    public struct Step: Sendable, CustomStringConvertible {
        let registration: Registration
        /// The names of types in the text that the step belongs to.
        private let names: TypeNames

        package init(registration: Registration, in names: TypeNames = .short) {
            self.registration = registration
            self.names = names
        }

        /// The type and the name that were being built.
        public var key: String { names.label(registration) }
        /// The file in which the registration was written.
        public var file: String { registration.file }
        /// The line on which it was written.
        public var line: UInt { registration.line }
        /// The name of the ``Module`` in which it was written, if that has one.
        public var module: String? { registration.module }

        /// The step on one line.
        public var description: String { names.step(registration) }
    }
}
