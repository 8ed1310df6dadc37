import DependencyInjection

/// A text that mentions types. It is written when somebody reads it, and then tells types of one name apart.
///
/// A message is written as an interpolated string, `"Nothing is registered for \(label)."`, and may be part of a longer one.
struct Message: Sendable, ExpressibleByStringInterpolation, StringInterpolationProtocol, CustomStringConvertible {
    /// The types that are mentioned.
    private(set) var types: [any Any.Type] = []
    private var parts: [@Sendable (TypeNames) -> String] = []

    /// Makes a message of something that mentions types and is written with their names.
    init(_ types: [any Any.Type], _ write: @escaping @Sendable (TypeNames) -> String) {
        self.types = types
        parts = [write]
    }

    init(stringLiteral text: String) { self.init([]) { _ in text } }
    init(stringInterpolation message: Message) { self = message }
    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ text: String) { parts.append { _ in text } }
    mutating func appendInterpolation(_ text: String) { appendLiteral(text) }
    mutating func appendInterpolation(_ number: Int) { appendLiteral("\(number)") }
    mutating func appendInterpolation(_ number: UInt) { appendLiteral("\(number)") }
    mutating func appendInterpolation(_ message: Message) { self += message }
    mutating func appendInterpolation(_ label: Label) { self += label.message }
    /// Appends what is registered, and where.
    mutating func appendInterpolation(step registration: Registration) {
        self += Message([registration.type]) { $0.step(registration) }
    }

    static func += (message: inout Message, other: Message) {
        message.types += other.types
        message.parts += other.parts
    }

    /// The names that the types have in this text.
    var names: TypeNames { TypeNames(types) }

    /// The text, with the names that its types have in a longer one.
    func text(with names: TypeNames) -> String { parts.map { $0(names) }.joined() }

    /// The text on its own.
    var description: String { text(with: names) }
}

extension Sequence<Message> {
    /// The messages as one.
    func joined(separator: String = "") -> Message {
        var joined: Message = ""
        for (index, message) in enumerated() { joined += index == 0 ? message : "\(separator)\(message)" }
        return joined
    }
}

/// The type and the name of a registration, or those asked for, such as `any Router named "main"`.
struct Label: Sendable {
    let type: any Any.Type
    let name: RegistrationName?

    init(_ type: any Any.Type, _ name: RegistrationName?) {
        self.type = type
        self.name = name
    }

    var message: Message { Message([type]) { $0.label(type, name) } }
}

extension Registration {
    /// The type and the name.
    var label: Label { Label(type, name) }
}

extension ResolutionError {
    /// What the error says.
    var message: Message {
        let text = text
        return Message(text.types) { text.named(by: $0).description }
    }

    /// What went wrong, on one line.
    var summary: Message {
        let text = Text(of: self, nearest: [])
        return Message(text.problemTypes) { text.named(by: $0).problem }
    }

    /// The type and the name asked for.
    var label: Label { Label(type, name) }
}
