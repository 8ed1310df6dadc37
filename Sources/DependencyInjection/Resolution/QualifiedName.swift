/// The full name of a type, taken apart into the types that it mentions and the text around them.
struct QualifiedName {
    /// What a name consists of.
    enum Part {
        case text(Substring)
        case path(Path)
    }

    /// A type with what is around it, such as `App.Notes.Cell`, as far as code can write that.
    struct Path {
        /// A module or a type, with its generic arguments.
        struct Component {
            let name: Substring
            var arguments: [Part] = []
            /// The name with the arguments, as the run time writes them.
            var source: Substring
        }

        fileprivate(set) var components: [Component]
        /// Tells the type from all others, whatever its own generic arguments are.
        fileprivate(set) var id: Substring

        /// The name without what is around it.
        var shortName: Substring { components[components.count - 1].name }

        /// All ways to name it in code, the shortest first, without its own generic arguments.
        var forms: [String] {
            let outer = components.dropLast().map(\.source)
            return (0...outer.count).map { (outer.suffix($0) + [shortName]).joined(separator: ".") }
        }
    }

    let parts: [Part]

    init(_ type: any Any.Type) {
        var parser = Parser(rest: String(reflecting: type)[...])
        parts = parser.parts()
    }

    /// The types in the name, those in generic arguments included.
    var paths: [Path] { Self.paths(in: parts) }

    private static func paths(in parts: [Part]) -> [Path] {
        parts.flatMap { part -> [Path] in
            guard case .path(let path) = part else { return [] }
            return path.components.flatMap { paths(in: $0.arguments) } + [path]
        }
    }

    /// The name, in which each type has as many components as a function says.
    func text(length: (Path) -> Int) -> String { Self.text(of: parts, length) }

    private static func text(of parts: [Part], _ length: (Path) -> Int) -> String {
        let texts = parts.map { part in
            switch part {
            case .text(let text): String(text)
            case .path(let path):
                path.components.suffix(length(path)).map { component in
                    let arguments = text(of: component.arguments, length)
                    return arguments.isEmpty ? String(component.name) : "\(component.name)<\(arguments)>"
                }.joined(separator: ".")
            }
        }
        return texts.joined()
    }
}

/// Reads the name that the run time has for a type.
private struct Parser {
    var rest: Substring

    /// Reads to the end, or to the bracket that closes generic arguments.
    mutating func parts() -> [QualifiedName.Part] {
        var parts: [QualifiedName.Part] = []
        while let next = rest.first, next != ">" {
            if rest.hasPrefix("Self."), let sign = rest.firstRange(of: " == ") {
                // Code writes `any Sequence<Int>` for `any Sequence<Self.Sequence.Element == Int>`.
                rest = rest[sign.upperBound...]
            } else if let path = path() {
                parts.append(.path(path))
            } else if let word = identifier() {
                parts.append(.text(word))
            } else {
                parts.append(.text(take(rest.hasPrefix("->") ? 2 : 1)))
            }
        }
        return parts
    }

    /// Reads a type with what is around it; nil, and nothing is read, if there is something else.
    private mutating func path() -> QualifiedName.Path? {
        let begin = rest
        while rest.hasPrefix("(extension in ") { skip(to: ":") }
        guard let module = identifier() else {
            rest = begin
            return nil
        }
        // No code can name the module of what is imported from C.
        let components = module.hasPrefix("__C") ? [] : [QualifiedName.Path.Component(name: module, source: module)]
        var path = QualifiedName.Path(components: components, id: "")
        while let component = component(of: &path) {
            path.components.append(component.value)
            path.id = begin[..<component.nameEnd]
        }
        guard !path.id.isEmpty else {
            rest = begin
            return nil
        }
        return path
    }

    /// Reads a point and a type; nil, and nothing is read, if there is something else.
    private mutating func component(
        of path: inout QualifiedName.Path
    ) -> (value: QualifiedName.Path.Component, nameEnd: String.Index)? {
        let begin = rest
        var contextCount = 0
        while rest.hasPrefix(".(unknown context at ") {
            skip(to: ")")
            contextCount += 1
        }
        guard rest.first == "." else { return nil }
        rest.removeFirst()
        let source = rest
        // A metatype is named as the type with a suffix.
        guard let name = privateIdentifier() ?? identifier(), contextCount > 0 || !["Type", "Protocol"].contains(name)
        else {
            rest = begin
            return nil
        }
        // One such context is that of a private type. More are a function, and code cannot name what is in there from outside.
        if contextCount > 1 { path.components = [] }
        let nameEnd = rest.startIndex
        var component = QualifiedName.Path.Component(name: name, source: name)
        if rest.first == "<" {
            rest.removeFirst()
            component.arguments = parts()
            rest = rest.dropFirst()
            component.source = source[..<rest.startIndex]
        }
        return (component, nameEnd)
    }

    /// Reads a name such as `(Cell in _3A0E2D48)`, which a private protocol with arguments has.
    private mutating func privateIdentifier() -> Substring? {
        guard rest.first == "(", let sign = rest.firstRange(of: " in _") else { return nil }
        let name = rest[..<sign.lowerBound].dropFirst()
        skip(to: ")")
        return name
    }

    private mutating func identifier() -> Substring? {
        if rest.first == "`", let end = rest.dropFirst().firstIndex(of: "`") {
            return take(rest.distance(from: rest.startIndex, to: end) + 1)
        }
        // Bytes, because a long list has many names to read.
        let end = rest.utf8.firstIndex { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
                false
            default: true
            }
        }
        let word = rest[..<(end ?? rest.endIndex)]
        rest = rest[word.endIndex...]
        return word.isEmpty ? nil : word
    }

    private mutating func take(_ count: Int) -> Substring {
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Skips what is there up to a character, and the character.
    private mutating func skip(to end: Character) {
        rest = rest.drop { $0 != end }.dropFirst()
    }
}
