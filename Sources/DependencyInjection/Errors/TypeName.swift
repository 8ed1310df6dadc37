/// The names of types as written in code.
package enum TypeName {
    /// Returns the name with its enclosing types, and with `any` before a protocol.
    package static func short(_ type: any Any.Type) -> String { withoutModules(full(type)) }

    /// Returns the name with its module and its enclosing types.
    package static func full(_ type: any Any.Type) -> String {
        (type as? any AnyArray.Type).map { "Swift.Array<\($0.elementName)>" } ?? code(type, String(reflecting: type))
    }

    /// Returns the type as an argument, such as `(any Router).self`.
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
            if isQuoted || character == "_" || character.isLetter || character.isNumber {
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

    /// Returns the run time's name of a type without the parts that are never written in code: the context of a private
    /// or local type, the module of an extension, `Self.Sequence.Element ==` in `any Sequence<Int>`, and packs.
    private static func code(_ type: any Any.Type, _ name: String) -> String {
        // A mangled raw identifier contains no-break spaces.
        var name = name.replacing("\u{a0}", with: " ")
        // The run time prints `any A<Int> & B` as `any A & B<Self.A.Element == Int>`. Written here as `any B & A<Int>`.
        while let begin = name.firstRange(of: "<Self.") ?? name.firstRange(of: ", Self."),
            let end = name[begin.upperBound...].firstRange(of: " == "),
            let dot = name[..<end.lowerBound].lastIndex(of: ".")
        {
            let owner = String(name[begin.upperBound..<dot])
            // A local protocol is printed as `Router #1 in App.start() -> ()`.
            if let place = owner.firstRange(of: " #") {
                name.replace(owner, with: String(owner[..<place.lowerBound]))
                continue
            }
            let isFirst = name[begin.lowerBound] == "<"
            let other = name[..<begin.lowerBound].ranges(of: "\(owner) & ").last
            let separator = other == nil ? (isFirst ? "<" : ", ") : "\(isFirst ? "" : ">") & \(owner)<"
            name.replaceSubrange(begin.lowerBound..<end.upperBound, with: separator)
            if let other { name.removeSubrange(other) }
        }
        // The run time prints `App.(unknown context at $5f).Key`, or `any App.(Cache in _5F)` if the protocol has arguments.
        name.replace(".(", with: ".")
        for (begin, end) in [("unknown context at ", ")."), (" in _", ")"), ("(extension in ", "):")] {
            while let first = name.firstRange(of: begin), let last = name[first.upperBound...].firstRange(of: end) {
                name.removeSubrange(first.lowerBound..<last.upperBound)
            }
        }
        if name.contains("Pack{") {
            // The comma before an empty pack is also removed.
            for text in [", Pack{}", "Pack{}, ", "Pack{", "}"] { name.replace(text, with: "") }
        }
        // Only the metatype shows that a type is a protocol.
        let isProtocol = isExistential(type) && type != Any.self && type != AnyObject.self && !name.hasPrefix("any ")
        return isProtocol ? "any \(name)" : name
    }
}

/// An array of any type. The run time omits `any` in the name of `Array<any Router>`.
private protocol AnyArray {
    static var elementName: String { get }
}

extension Array: AnyArray {
    fileprivate static var elementName: String { TypeName.full(Element.self) }
}

/// Qualifies a type's name with its module if another type in the same message has the same short name. If private or
/// local types also have the same module, calls one of them `another`.
package final class TypeNameFormatter: Sendable {
    private let types: [any Any.Type]
    /// The short and the full name of each type.
    private let names: [String]

    package init(disambiguating types: [any Any.Type] = []) {
        self.types = types
        names = types.flatMap { [TypeName.short($0), TypeName.full($0)] }
    }

    package func name(_ type: any Any.Type) -> String {
        let short = TypeName.short(type)
        if types(named: short).allSatisfy({ $0 == type }) { return short }
        let full = TypeName.full(type)
        let others = types(named: full)
        return others.isEmpty || others.contains { $0 == type } ? full : "another \(full)"
    }

    private func types(named name: String) -> [any Any.Type] {
        names.indices.filter { names[$0] == name }.map { types[$0 / 2] }
    }

    /// Returns a type and a name, such as `any Router named "main"`.
    package func text(_ id: DependencyID) -> String {
        name(id.type) + (id.name.map { " named \($0.rawValue.debugDescription)" } ?? "")
    }

    package func list(_ types: [any Any.Type]) -> String { types.map(name).joined(separator: ", ") }

    /// Returns the types as a tuple type.
    package func tuple(_ types: [any Any.Type]) -> String { "(\(list(types)))" }
}
