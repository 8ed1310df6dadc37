/// Names the types of one text: by their own names and, where two types have the same, by what is around them, too.
///
/// That is the type around them, as in `Notes.Cell`, or the module. Two types that no code could tell apart by name, such as
/// types that are local to two functions, have the same name.
package struct TypeNames: Sendable {
    /// What each name stands for; empty if that is several types.
    private var meanings: [String: String] = [:]
    private var hasNamesakes = false

    /// Names each type without regard to others.
    package static let short = TypeNames([])

    package init(_ types: [any Any.Type]) {
        for word in types.flatMap(Word.all) {
            for name in word.names {
                let isShared = meanings[name, default: word.id] != word.id
                meanings[name] = isShared ? "" : word.id
                if isShared { hasNamesakes = true }
            }
        }
    }

    /// The name of a type as code writes it, with `any` before a protocol.
    package subscript(_ type: any Any.Type) -> String {
        let name = withoutPacks(bareName(of: type))
        // Only the metatype of a protocol type tells that it is one.
        let isProtocol = isExistential(type) && type != Any.self && type != AnyObject.self && !name.hasPrefix("any ")
        return isProtocol ? "any \(name)" : name
    }

    /// The type as an argument, such as `(any Router).self`.
    package func metatype(_ type: any Any.Type) -> String {
        let name = self[type]
        let isCompound = name.hasPrefix("any ") || name.contains(" -> ")
        return isCompound ? "(\(name)).self" : "\(name).self"
    }

    /// What is asked for, as arguments: `(any Router).self, name: "main"`.
    package func argument(_ type: any Any.Type, _ name: RegistrationName?) -> String {
        "\(metatype(type))\(name.asArgument)"
    }

    /// An expression of the type, as it is registered: `… as any Router`. A function alone would be taken for the factory.
    package func made(_ type: any Any.Type) -> String {
        self[type].contains(" -> ") ? "{ _ in … as \(self[type]) }" : "… as \(self[type])"
    }

    /// The types, with commas between them.
    package func list(_ types: [any Any.Type]) -> String { types.map { self[$0] }.joined(separator: ", ") }

    /// The types as a tuple type.
    package func tuple(_ types: [any Any.Type]) -> String { "(\(list(types)))" }

    /// The type and the name of a registration, or those asked for, such as `any Router named "main"`.
    package func label(_ type: any Any.Type, _ name: RegistrationName?) -> String {
        name.map { "\(self[type]) named \($0.rawValue.debugDescription)" } ?? self[type]
    }

    package func label(_ registration: Registration) -> String { label(registration.type, registration.name) }

    /// What is registered, and where.
    package func step(_ registration: Registration) -> String {
        "\(label(registration))  (registered at \(registration.place))"
    }

    func steps(_ registrations: [Registration]) -> [String] { registrations.map { step($0) } }

    /// What is registered, and where, each on a line of its own.
    package func lines(_ registrations: [Registration]) -> String {
        steps(registrations).map { "\n    \($0)" }.joined()
    }

    private func bareName(of type: any Any.Type) -> String {
        if !hasNamesakes { return Word.written("\(type)") }
        var name = ""
        var isLong = false
        for word in Word.all(of: type) {
            if meanings[word.names[0]] == "" { isLong = true }
            name += word.names.first { meanings[$0] != "" } ?? word.names[word.names.count - 1]
            name += word.suffix
        }
        return isLong ? name : Word.written("\(type)")
    }

    /// Writes `Packed<Int, String>` where the run time says `Packed<Pack{Int, String}>`.
    private func withoutPacks(_ name: String) -> String {
        guard name.contains("Pack{") else { return name }
        // An empty pack takes the comma with it.
        return name.replacing(", Pack{}", with: "").replacing("Pack{}, ", with: "")
            .replacing("Pack{", with: "").replacing("}", with: "")
    }
}

/// A part of the name that the run time has for a type: a path such as `App.Notes.Cell`, or what is between two.
private struct Word {
    /// All ways to name what it stands for, the shortest first, such as `Cell` and `Notes.Cell`.
    private(set) var names: [String] = []
    /// Tells what it stands for from all others of its name.
    let id: String
    /// What follows the name, such as `.Type`.
    let suffix: Substring

    private init(_ text: Substring) {
        var path = text
        for ending in [".Type", ".Protocol", "..."] {
            while path.hasSuffix(ending) { path = path.dropLast(ending.count) }
        }
        suffix = text[path.endIndex...]
        // In a generic type, the arguments of that are before it.
        id = String(path.hasPrefix(".") ? text.base[..<path.endIndex] : path)
        var rest = path.utf8
        while let point = rest.dropFirst().lastIndex(of: UInt8(ascii: ".")) {
            names.append(String(path[path.utf8.index(after: point)...]))
            rest = rest[..<point]
        }
        names.append(String(path))
    }

    static func all(of type: any Any.Type) -> [Word] {
        let text = written(String(reflecting: type))
        var words: [Word] = []
        var rest = text[...]
        while let first = rest.utf8.first {
            // Bytes, because a long list has many names to read.
            let word = Substring(rest.utf8.prefix { isBetween($0) == isBetween(first) })
            words.append(Word(word))
            rest = rest[word.endIndex...]
        }
        return words
    }

    private static func isBetween(_ byte: UInt8) -> Bool { " ,<>(){}:&@=-".utf8.contains(byte) }

    /// Leaves out what no code writes: in which function, file or extension a type is, and that the `Int` of
    /// `any Sequence<Int>` is `Self.Sequence.Element`.
    static func written(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "=") }) else { return name }
        var name = name
        let unwritten = [
            ("(unknown context at ", ")."), ("(extension in ", "):"), ("Self.", " == "), (" in _", ")"),
        ]
        for (begin, end) in unwritten {
            while let first = name.firstRange(of: begin), let last = name[first.upperBound...].firstRange(of: end) {
                name.removeSubrange(first.lowerBound..<last.upperBound)
            }
        }
        return name.replacing(".(", with: ".")
    }
}

extension RegistrationName? {
    /// The name as a further argument, `, name: "main"`, which code can be made of as it stands; nothing if there is none.
    package var asArgument: String { map { ", name: \($0.rawValue.debugDescription)" } ?? "" }
}
