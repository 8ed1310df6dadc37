import DependencyInjection

/// The parameter types and the result type of a function type.
package struct FunctionType {
    private typealias Metatype = any Any.Type

    let parameters: [any Any.Type]
    let result: any Any.Type
    let isAsync: Bool

    /// Creates the description of a function type. Returns `nil` for any other type.
    package init?(_ type: any Any.Type) {
        // The standard library has no API for this. The layout of the metadata is part of the ABI: the kind, the flags,
        // the result and the parameters, of one word each.
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        func word<Word>(_ index: Int, as type: Word.Type) -> Word {
            metadata.load(fromByteOffset: index * MemoryLayout<UInt>.size, as: type)
        }
        guard word(0, as: UInt.self) == Self.kind else { return nil }
        let flags = word(1, as: UInt.self)
        result = word(2, as: Metatype.self)
        parameters = (0..<Int(flags & 0xffff)).map { word(3 + $0, as: Metatype.self) }
        isAsync = flags & 0x2000_0000 != 0
    }

    /// The metadata kind of all function types. The metadata of a class starts with an address instead.
    private static let kind: UInt = 0x302

    /// Whether the function was probably registered instead of its result.
    ///
    /// Closures that are registered intentionally mostly return `Void`, values of the system, or types composed of
    /// these. A closure without parameters is a deferred factory, and an awaited one would be written with `async:`.
    var looksMistaken: Bool {
        guard FunctionType(result) == nil, isOfProgram(result) else { return false }
        guard let first = parameters.first else { return isAsync }
        return isOfProgram(first) || Derivation(of: first)?.kind == .optional || result is AnyClass
    }

    /// The fixes that register the result, or the function itself.
    var fixes: [String] {
        [
            "write `\(isAsync ? "async" : "autowiring"):` before it",
            "register it with a name, if you need the function itself",
        ]
    }

    /// Whether the type is neither a tuple nor declared in the standard library or Foundation.
    private func isOfProgram(_ type: any Any.Type) -> Bool {
        let name = String(reflecting: type)
        return !["(", "Swift.", "Foundation", "__C."].contains { name.hasPrefix($0) }
    }
}

extension RegistrationInfo {
    /// The function that was probably registered instead of its result. A named registration of a function is
    /// intentional.
    var mistakenFunction: FunctionType? {
        name == nil ? FunctionType(type).flatMap { $0.looksMistaken ? $0 : nil } : nil
    }
}
