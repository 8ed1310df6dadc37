/// The name of a type as code writes it, with `any` before a protocol.
struct TypeName: Sendable, CustomStringConvertible {
    let description: String

    init(_ type: any Any.Type, in names: TypeNames = .short) {
        let name = Self.withoutPacks(names.bareName(of: type))
        // Only the metatype of a protocol type tells that it is one.
        let isProtocol = isExistential(type) && type != Any.self && type != AnyObject.self && !name.hasPrefix("any ")
        description = isProtocol ? "any \(name)" : name
    }

    /// The type as an argument, such as `(any Router).self`.
    var metatype: String {
        let isCompound = description.hasPrefix("any ") || description.contains(" -> ")
        return isCompound ? "(\(description)).self" : "\(description).self"
    }

    /// Writes `Packed<Int, String>` where the run time says `Packed<Pack{Int, String}>`.
    private static func withoutPacks(_ name: String) -> String {
        guard name.contains("Pack{") else { return name }
        // An empty pack takes the comma with it.
        return name.replacing(", Pack{}", with: "").replacing("Pack{}, ", with: "")
            .replacing("Pack{", with: "").replacing("}", with: "")
    }

    /// The name in lower case, without what only tells protocols from implementations.
    static func essence(_ type: any Any.Type) -> String {
        var name = "\(type)".lowercased()
        if name.hasPrefix("default") { name.removeFirst(7) }
        for suffix in ["protocol", "impl"] where name.hasSuffix(suffix) { name.removeLast(suffix.count) }
        return name
    }
}

extension AnyBox {
    /// The type of the instance.
    var instanceType: any Any.Type { type(of: instance) }
}
