import DependencyInjection

#if canImport(MachO)
    import MachO
#endif

// All unsafe code of this module. It reads the type metadata that the compiler writes into the program.
//
// The compiler emits a descriptor for each type and protocol, and lists them in two sections of each image. The layouts
// are part of the stable ABI on Apple platforms, and the same elsewhere. The code is sound for these reasons:
//
// - All addresses come from the run time, from the loader, or from descriptors found through these. The compiler has
//   written all of them. Nothing is read beyond the counts that they contain.
// - The memory is constant, and mapped as long as its image is loaded. Swift images are never unloaded.
// - Reads of a name, which may lack four-byte alignment, use `loadUnaligned`. The rest of a descriptor is aligned to
//   four bytes.
// - Names are demangled only for wrappers of this library and for extended types, and only if no enclosing context is
//   generic. So a mangled name contains no unknown parameter, and only refers to types that the program itself could
//   name. If the demangler still can't find the type, it returns nil.

/// The types and modules of all loaded images.
struct ProgramMetadata {
    /// All classes, actors and structs whose stored properties have metadata.
    private(set) var types: [TypeMetadata] = []
    /// The names of the modules that contain types with metadata, or protocols but no types.
    let modules: Set<String>

    init() {
        var described: Set<ContextDescriptor> = []
        var undescribed: Set<ContextDescriptor> = []
        var ofProtocols: Set<ContextDescriptor> = []
        for image in Image.all {
            for descriptor in ContextDescriptor.list(in: image.types) where descriptor.isType {
                guard let fields = descriptor.fields else {
                    undescribed.insert(descriptor.module)
                    continue
                }
                described.insert(descriptor.module)
                if descriptor.kind != .enum { types.append(TypeMetadata(descriptor: descriptor, fields: fields)) }
            }
            ofProtocols.formUnion(ContextDescriptor.list(in: image.protocols).map(\.module))
        }
        // A module without reflection metadata still lists its protocols, which doesn't mean that its types can be
        // read.
        let protocolsOnly = Set(ofProtocols.map(\.name)).subtracting(undescribed.map(\.name))
        modules = protocolsOnly.union(described.map(\.name))
    }
}

/// The metadata of a class, an actor or a struct.
struct TypeMetadata {
    fileprivate let descriptor: ContextDescriptor
    fileprivate let fields: UnsafeRawPointer

    /// Whether the type or an enclosing type has generic parameters.
    var isGeneric: Bool { descriptor.isGeneric }

    /// The name of the type, preceded by its module and its enclosing types, as in `Module.Outer.Inner`.
    var path: [String] { descriptor.path }

    /// A stored property whose type is one of the wrappers of this library.
    struct WrappedProperty {
        /// The name of the stored property, such as `_router`.
        let storage: String
        /// The name of the wrapper, such as `Inject`.
        let wrapper: String
        /// The wrapper's type. `nil` in a generic type, and if the run time doesn't find the type.
        let type: (any _InjectionWrapper.Type)?

        /// The name of the property as written in code, such as `router`.
        ///
        /// The compiler stores the wrapper of `router` under the name `_router`. In a raw identifier, it places the
        /// underscore inside the backticks. It omits backticks that an underscore makes unnecessary, as in `_3`.
        var name: String {
            let isRaw = storage.hasPrefix("`")
            let bare = isRaw ? storage.dropFirst().dropLast() : storage[...]
            let name = bare.hasPrefix("_") ? bare.dropFirst() : bare
            let needsBackticks = isRaw || name.first.map { $0.isASCII && $0.isNumber } ?? false
            return needsBackticks ? "`\(name)`" : String(name)
        }
    }

    /// The stored properties whose types are wrappers of this library.
    var wrappedProperties: [WrappedProperty] {
        let size = Int((fields + 10).load(as: UInt16.self))
        let count = Int((fields + 12).load(as: UInt32.self))
        return (0..<count).compactMap { index in
            let record = fields + 16 + index * size
            guard let type = (record + 4).reference()?.address, let wrapper = wrapper(leading: type),
                let storage = (record + 8).reference()?.address
            else { return nil }
            return WrappedProperty(
                storage: storage.string, wrapper: wrapper, type: isGeneric ? nil : resolve(type))
        }
    }

    /// Returns the name of the wrapper to which a mangled name refers first, or `nil` if it isn't a wrapper of this
    /// library.
    private func wrapper(leading name: UnsafeRawPointer) -> String? {
        guard let reference = ContextDescriptor(referredToBy: name), reference.kind == .struct, reference.isGeneric,
            reference.parent?.isModule(named: "DependencyInjection") == true
        else { return nil }
        let wrapper = reference.name
        return ["Inject", "LazyInject", "MutableInject", "MutableLazyInject"].contains(wrapper) ? wrapper : nil
    }

    private func resolve(_ name: UnsafeRawPointer) -> (any _InjectionWrapper.Type)? {
        name.type(in: descriptor) as? any _InjectionWrapper.Type
    }
}

extension String {
    /// The name with spaces in place of the no-break spaces that the compiler writes in raw identifiers.
    fileprivate var withPlainSpaces: String { contains("`") ? replacing("\u{a0}", with: " ") : self }
}

/// The descriptor of a module, a type, a protocol, an extension, or the context of a private declaration.
struct ContextDescriptor: Hashable {
    /// The kinds that are read here. Descriptors of other kinds have no name at the same offset.
    enum Kind: UInt32 {
        case module = 0
        case `extension` = 1
        case anonymous = 2
        case `protocol` = 3
        case `class` = 16
        case `struct` = 17
        case `enum` = 18
    }

    fileprivate let address: UnsafeRawPointer

    fileprivate init(address: UnsafeRawPointer) { self.address = address }

    /// Creates the descriptor that the symbolic reference at the start of a mangled name refers to: 1 marks a direct
    /// reference, 2 an indirect one.
    fileprivate init?(referredToBy name: UnsafeRawPointer) {
        let marker = name.load(as: UInt8.self)
        guard marker == 1 || marker == 2, let address = (name + 1).reference()?.address else { return nil }
        self.address = marker == 1 ? address : address.loadUnaligned(as: UnsafeRawPointer.self)
    }

    /// Returns all types or protocols that a section lists.
    fileprivate static func list(in section: UnsafeRawBufferPointer) -> [ContextDescriptor] {
        guard let start = section.baseAddress else { return [] }
        return stride(from: 0, to: section.count - 3, by: 4).compactMap { offset in
            // The two lowest bits distinguish a direct reference (0) from an indirect one (1), and from obsolete kinds.
            (start + offset).reference(flags: 3).flatMap {
                $0.flags > 1 ? nil : ContextDescriptor(address: $0.address)
            }
        }
    }

    private var flags: UInt32 { address.load(as: UInt32.self) }
    var kind: Kind? { Kind(rawValue: flags & 0x1f) }
    var isGeneric: Bool { flags & 0x80 != 0 }
    var isType: Bool { kind == .class || kind == .struct || kind == .enum }

    /// The descriptor of a type's stored properties or cases. `nil` if the module is compiled without it.
    fileprivate var fields: UnsafeRawPointer? { (address + 16).reference()?.address }

    /// The enclosing context: for a type, its module, another type, an extension or an anonymous context.
    var parent: ContextDescriptor? { (address + 4).reference(flags: 1).map { ContextDescriptor(address: $0.address) } }

    /// The name, or an empty string for a context without a name.
    var name: String {
        switch kind {
        case .module, .protocol, .class, .struct, .enum: (address + 8).reference()?.address.string ?? ""
        case .extension:
            // The extended type.
            isGeneric ? "" : (address + 8).reference()?.address.type(in: self).map { "\($0)".withPlainSpaces } ?? ""
        case .anonymous, nil: ""
        }
    }

    /// Whether this is the module with a name. Compares the name without creating a string.
    fileprivate func isModule(named name: StaticString) -> Bool {
        guard kind == .module, let own = (address + 8).reference()?.address else { return false }
        return UnsafeRawBufferPointer(start: own, count: own.length)
            .elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    /// The names from the module to this context.
    var path: [String] {
        let name = name
        return (parent?.path ?? []) + (name.isEmpty ? [] : [name])
    }

    /// The enclosing module. Each image that the module is linked into has its own descriptor for the module.
    var module: ContextDescriptor { parent?.module ?? self }
}

/// The target of a relative reference, and the flags in the lowest bits of the reference.
private struct RelativeReference {
    let address: UnsafeRawPointer
    let flags: Int32
}

extension UnsafeRawPointer {
    /// Follows a relative reference, and returns `nil` if it is empty. The lowest bits may contain flags. The flag 1
    /// means that the target contains the address of the object instead of the object itself.
    fileprivate func reference(flags mask: Int32 = 0) -> RelativeReference? {
        let distance = loadUnaligned(as: Int32.self)
        guard distance & ~mask != 0 else { return nil }
        let target = self + Int(distance & ~mask)
        let flags = distance & mask
        guard flags == 1 else { return RelativeReference(address: target, flags: flags) }
        return target.loadUnaligned(as: UnsafeRawPointer?.self).map { RelativeReference(address: $0, flags: flags) }
    }

    /// The number of bytes before the terminating zero.
    fileprivate var length: Int {
        var length = 0
        while load(fromByteOffset: length, as: UInt8.self) != 0 { length += 1 }
        return length
    }

    /// The name up to the terminating zero.
    fileprivate var string: String {
        String(decoding: UnsafeRawBufferPointer(start: self, count: length), as: UTF8.self).withPlainSpaces
    }

    /// The number of bytes in a mangled name, in which symbolic references may contain zero bytes.
    fileprivate var mangledLength: Int {
        var length = 0
        while true {
            switch load(fromByteOffset: length, as: UInt8.self) {
            case 0: return length
            case 0x01...0x17: length += 1 + 4
            case 0x18...0x1f: length += 1 + MemoryLayout<Int>.size
            default: length += 1
            }
        }
    }
}

extension UnsafeRawPointer {
    /// Returns the type with this mangled name, in a context that isn't generic.
    fileprivate func type(in context: ContextDescriptor) -> (any Any.Type)? {
        _getTypeByMangledNameInContext(
            assumingMemoryBound(to: UInt8.self), UInt(mangledLength), genericContext: context.address,
            genericArguments: nil)
    }
}

// MARK: Sections

/// The sections of a loaded image that list its declarations.
private struct Image {
    let types: UnsafeRawBufferPointer
    let protocols: UnsafeRawBufferPointer

    #if canImport(MachO)
        #if _pointerBitWidth(_64)
            private typealias Header = mach_header_64
        #else
            private typealias Header = mach_header
        #endif

        /// All images except system images.
        static var all: [Image] {
            (0..<_dyld_image_count()).compactMap { index in
                guard let header = _dyld_get_image_header(index), header.pointee.flags & UInt32(MH_DYLIB_IN_CACHE) == 0
                else { return nil }
                let image = UnsafeRawPointer(header).assumingMemoryBound(to: Header.self)
                let section = { (name: String) in
                    var size: UInt = 0
                    let start = getsectiondata(image, "__TEXT", name, &size)
                    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(size))
                }
                return Image(types: section("__swift5_types"), protocols: section("__swift5_protos"))
            }
        }
    #elseif os(Linux) || os(Android) || os(FreeBSD)
        /// All images.
        static var all: [Image] {
            var images: [Image] = []
            withUnsafeMutablePointer(to: &images) { list in
                enumerateMetadataSections(
                    { image, list in
                        // Four words, followed by two for each section: its start and its length. The first section
                        // lists the protocols, the third one the types.
                        let section = { (index: Int) in
                            let words = (image + (4 + 2 * index) * MemoryLayout<Int>.size)
                            let start = words.load(as: UnsafeRawPointer?.self)
                            let size = words.load(fromByteOffset: MemoryLayout<Int>.size, as: Int.self)
                            return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : size)
                        }
                        list.assumingMemoryBound(to: [Image].self).pointee
                            .append(Image(types: section(2), protocols: section(0)))
                        return true
                    }, list)
            }
            return images
        }
    #else
        /// Always empty, because the sections can't be located on this platform. The audit reports that it found none.
        static var all: [Image] { [] }
    #endif
}

#if os(Linux) || os(Android) || os(FreeBSD)
    /// Calls a function with the description of each image.
    ///
    /// The run time exports it as a C function. For two pointers and no result, the calling conventions of C and Swift
    /// are the same on all processors that Swift supports with ELF.
    @_silgen_name("swift_enumerateAllMetadataSections") private func enumerateMetadataSections(
        _ body: @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Bool, _ context: UnsafeMutableRawPointer)
#endif
