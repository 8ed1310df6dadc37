import DependencyInjection

/// What a function takes and returns.
package struct FunctionType {
    private typealias Metatype = any Any.Type

    let parameters: [any Any.Type]
    let result: any Any.Type
    let isAsync: Bool

    /// Nil if it is not the type of a function.
    package init?(_ type: any Any.Type) {
        // Nothing in the standard library tells this. The layout of the metadata is part of the ABI: the kind, the flags, the
        // result and the parameters, of one word each.
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

    /// The kind of all functions. The metadata of a class has an address in its place.
    private static let kind: UInt = 0x302

    /// Whether its result was probably meant to be registered.
    ///
    /// Closures that are meant themselves mostly return nothing, values of the system, or values made of these. One without
    /// parameters makes something later, and would be written with `async:` if it is awaited.
    var looksMistaken: Bool {
        guard FunctionType(result) == nil, isOfProgram(result) else { return false }
        guard let first = parameters.first else { return isAsync }
        return isOfProgram(first) || Derivation(of: first)?.kind == .optional || result is AnyClass
    }

    /// The fix that registers its result.
    var fix: String {
        let arguments = TypeName.short(result).contains(" -> ") ? [] : parameters
        return .alternatives(
            isAsync ? "write `async:` before it" : "write `autowiring:` before it",
            isAsync ? nil : "register a factory with arguments: `\(Label(result, nil).registration(with: arguments))`",
            "give it a name, if the function itself is meant")
    }

    /// Whether it is no tuple, and of neither the standard library nor Foundation.
    private func isOfProgram(_ type: any Any.Type) -> Bool {
        let name = String(reflecting: type)
        return !["(", "Swift.", "Foundation", "__C."].contains { name.hasPrefix($0) }
    }
}

extension RegistrationInfo {
    /// The function that is registered although its result was probably meant. A function with a name is meant itself.
    var mistakenFunction: FunctionType? {
        name == nil ? FunctionType(type).flatMap { $0.looksMistaken ? $0 : nil } : nil
    }
}
