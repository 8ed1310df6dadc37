/// A text that mentions types. It is written when somebody reads it, and then tells types of one name apart.
///
/// A message is written as an interpolated string, `"Nothing is registered for \(label)."`, and may be part of a longer one.
package struct Message: Sendable, ExpressibleByStringInterpolation, StringInterpolationProtocol, CustomStringConvertible
{
    private enum Part {
        case text(String)
        case type(any Any.Type)
        /// The type as an argument, such as `(any Router).self`.
        case metatype(any Any.Type)
    }

    private var parts: [Part] = []

    private init(parts: [Part]) { self.parts = parts }
    package init(stringLiteral text: String) { parts = [.text(text)] }
    package init(stringInterpolation message: Message) { self = message }
    /// Lists types.
    package init(_ types: [any Any.Type]) {
        self = types.map { Message(parts: [.type($0)]) }.joined(separator: ", ")
    }
    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ text: String) { parts.append(.text(text)) }
    package mutating func appendInterpolation(_ text: String) { parts.append(.text(text)) }
    package mutating func appendInterpolation(_ number: Int) { parts.append(.text("\(number)")) }
    package mutating func appendInterpolation(_ number: UInt) { parts.append(.text("\(number)")) }
    package mutating func appendInterpolation(_ message: Message) { parts += message.parts }
    package mutating func appendInterpolation(_ label: Label) { self += label.message }
    package mutating func appendInterpolation(_ type: any Any.Type) { parts.append(.type(type)) }
    package mutating func appendInterpolation(metatype type: any Any.Type) { parts.append(.metatype(type)) }
    /// Appends what is registered, and where.
    package mutating func appendInterpolation(step registration: Registration) {
        self += "\(registration.label)  (registered at \(registration.place))"
    }

    package static func += (message: inout Message, other: Message) { message.parts += other.parts }

    /// The types that are mentioned.
    package var types: [any Any.Type] {
        parts.compactMap { part in
            switch part {
            case .text: nil
            case .type(let type), .metatype(let type): type
            }
        }
    }

    /// The names that the types have in this text.
    package var names: TypeNames { TypeNames(types) }

    /// The text, with the names that its types have in a longer one.
    package func text(with names: TypeNames) -> String {
        let texts = parts.map { part in
            switch part {
            case .text(let text): text
            case .type(let type): TypeName(type, in: names).description
            case .metatype(let type): TypeName(type, in: names).metatype
            }
        }
        return texts.joined()
    }

    /// The text on its own.
    package var description: String { text(with: names) }
}

extension Sequence<Message> {
    /// The messages as one.
    package func joined(separator: String = "") -> Message {
        var joined: Message = ""
        for (index, message) in enumerated() { joined += index == 0 ? message : "\(separator)\(message)" }
        return joined
    }
}

/// The type and the name of a registration, or those asked for, such as `any Router named "main"`.
package struct Label: Sendable, CustomStringConvertible {
    package let type: any Any.Type
    package let name: RegistrationName?

    package init(_ type: any Any.Type, _ name: RegistrationName?) {
        self.type = type
        self.name = name
    }

    /// The label as a part of messages.
    package var message: Message {
        if let name { "\(type) named \"\(name.rawValue)\"" } else { "\(type)" }
    }

    /// The label on its own.
    package var description: String { message.text(with: .short) }
}

extension Registration {
    /// The type and the name.
    package var label: Label { Label(type, name) }
}
