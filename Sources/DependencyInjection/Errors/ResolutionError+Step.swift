extension ResolutionError {
    /// A step of the path that led to the request.
    public struct Step: Sendable, CustomStringConvertible {
        let registration: Registration
        /// Qualifies types with the same name in the text that contains the step.
        private let typeNames: TypeNameFormatter

        package init(registration: Registration, _ typeNames: TypeNameFormatter = TypeNameFormatter()) {
            self.registration = registration
            self.typeNames = typeNames
        }

        /// The type and the name of the instance under construction.
        public var key: String { typeNames.text(registration.id) }
        /// The file that contains the registration.
        public var file: String { registration.file }
        /// The line of the registration.
        public var line: UInt { registration.line }
        /// The name of the ``Module`` that contains the registration, if the module has a name.
        public var module: String? { registration.module }

        /// The step on one line.
        public var description: String { registration.step(typeNames) }
    }
}
