/// What a registration is found by: the type asked for and the name, if any.
///
/// `bits` sums the key up in one word. Without a name it is the address of the type's metadata, which is aligned, and
/// so is unique; with one, the lowest bit is set and the whole key must be compared.
struct Key: Hashable, Sendable {
    let type: ObjectIdentifier
    let name: RegistrationName?
    let bits: UInt

    init(_ type: ObjectIdentifier, _ name: RegistrationName?) {
        self.type = type
        self.name = name
        bits = Self.bits(type, name)
    }

    @inline(__always)
    static func bits(_ type: ObjectIdentifier, _ name: RegistrationName?) -> UInt {
        let type = UInt(bitPattern: type)
        guard let name else { return type }
        return (type &+ (name.bits &* 0x9e37_79b9)) | 1
    }

    static func == (first: Self, second: Self) -> Bool {
        first.bits == second.bits && first.type == second.type && first.name == second.name
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(bits)
    }
}
