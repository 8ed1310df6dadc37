/// Names types as code writes them.
package enum TypeName {
    /// The name with the types around it, and with `any` before a protocol.
    package static func short(_ type: any Any.Type) -> String { withoutModules(full(type)) }

    /// The name with its module and the types around it.
    package static func full(_ type: any Any.Type) -> String { code(type, String(reflecting: type)) }

    /// The type as an argument, such as `(any Router).self`.
    package static func metatype(_ type: any Any.Type) -> String {
        let name = short(type)
        let isCompound = name.hasPrefix("any ") || name.contains(" -> ")
        return isCompound ? "(\(name)).self" : "\(name).self"
    }

    /// Removes the module, which is the first name of each path such as `App.Outer<Swift.Int>.Inner`.
    private static func withoutModules(_ name: String) -> String {
        var (result, word) = ("", "")
        var isQuoted = false
        // A dot after a name or after `>` continues a path.
        var isPathStart = true
        for character in name {
            if character == "`" { isQuoted.toggle() }
            if isQuoted || character == "`" || character == "_" || character.isLetter || character.isNumber {
                word.append(character)
                continue
            }
            let isModule = character == "." && isPathStart && !word.isEmpty && word != "Any"
            if !isModule { result += word + String(character) }
            isPathStart = character != "."
            word = ""
        }
        return result + word
    }

    /// The name that the run time gives a type, without the parts that no code writes: the context of a private type, the module
    /// of an extension, `Self.Sequence.Element ==` in `any Sequence<Int>`, and packs.
    private static func code(_ type: any Any.Type, _ name: String) -> String {
        // A mangled raw identifier has other spaces.
        var name = name.replacing("\u{a0}", with: " ")
        for (begin, end) in [("(unknown context at ", ")."), ("(extension in ", "):"), ("Self.", " == ")] {
            while let first = name.firstRange(of: begin), let last = name[first.upperBound...].firstRange(of: end) {
                name.removeSubrange(first.lowerBound..<last.upperBound)
            }
        }
        if name.contains("Pack{") {
            // An empty pack takes the comma with it.
            for text in [", Pack{}", "Pack{}, ", "Pack{", "}"] { name.replace(text, with: "") }
        }
        // The metatype alone shows that a type is a protocol.
        let isProtocol = isExistential(type) && type != Any.self && type != AnyObject.self && !name.hasPrefix("any ")
        return isProtocol ? "any \(name)" : name
    }
}
