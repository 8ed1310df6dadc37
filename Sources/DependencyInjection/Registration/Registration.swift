/// What a container knows of one key: which type it answers, how to build it, and how long the instance lives.
///
/// Registrations are made by ``Shared``, ``New``, ``Weak``, ``Scoped``, ``Decorate`` and ``Module``; this type is what they
/// have in common and what messages are written from. A registration is immutable and holds no instance, so one
/// registration, say in a `static let` module, can serve any number of containers on any thread.
///
/// Unchecked because it has subclasses; every stored property, here and in them, is an immutable `Sendable` value.
public class Registration: @unchecked Sendable {
    let key: Key
    /// The type asked for.
    public let type: any Any.Type
    /// How long the instance lives.
    public let lifetime: Lifetime
    /// Whether it is built and resolved on the main actor only.
    public let isMainActor: Bool
    /// The types of the arguments that the factory takes.
    @usableFromInline let signature: Signature
    let site: CallSite

    /// The name that tells it from other registrations of its type.
    public var name: RegistrationName? { key.name }
    /// The file in which it was written, as `Module/File.swift`.
    public var file: String { site.file.description }
    /// The line on which it was written.
    public var line: UInt { site.line }

    init(
        _ type: any Any.Type, key: Key, lifetime: Lifetime, isMainActor: Bool, signature: Signature,
        site: CallSite
    ) {
        self.key = key
        self.type = type
        self.lifetime = lifetime
        self.isMainActor = isMainActor
        self.signature = signature
        self.site = site
    }

    /// The types of the arguments that the factory takes, for messages.
    var argumentTypes: [any Any.Type] { [] }

    /// The registration that an alias forwards to.
    var target: Registration? { nil }

    /// Whether it wraps what is registered for its key, rather than being registered itself.
    var isDecorator: Bool { false }

    /// For a decorator: what stands in its container for a key that a parent has registered.
    var inherited: Registration { preconditionFailure("Only decorators have one.") }

    /// Builds an instance by an entry of `owner`, for `core` and with its resolver, and wraps it by the entry's decorators.
    func makeBox(_ entry: Entry, of owner: ContainerCore, in core: ContainerCore, _ request: Request) throws -> Holder {
        preconditionFailure("Overridden by every subclass.")
    }

    // MARK: Asynchronous factories

    /// Whether only `await` can build it.
    var isAsync: Bool { false }

    /// Builds the asynchronous instance of an entry and keeps it there, if that entry is still in place by then.
    func buildAsync(_ build: AsyncBuild) async throws -> Holder {
        preconditionFailure("Overridden by asynchronous registrations.")
    }

    /// Builds an asynchronous instance that nobody keeps, without a static type.
    func makeAsync(_ request: Request, in core: ContainerCore) async throws -> Any {
        preconditionFailure("Overridden by every subclass.")
    }
}

/// Tells lists of argument types apart, in one word.
///
/// It is the address of the tuple of the types. A tuple of one element is that element, so one argument that is a tuple would
/// look like several arguments; the lowest bit, which is free in an address, tells a single argument.
@usableFromInline
struct Signature: Equatable, Sendable {
    @usableFromInline let bits: UInt

    /// The signature of what cannot be called at once, and of no list of arguments.
    static let none = Signature(bits: 0)

    private init(bits: UInt) { self.bits = bits }

    @inlinable @inline(__always)
    init<each Argument>(_ types: repeat (each Argument).Type) {
        var count = 0
        for _ in repeat (each Argument).self { count += 1 }
        bits = UInt(bitPattern: ObjectIdentifier((repeat each Argument).self)) | (count == 1 ? 1 : 0)
    }
}

/// A place in source code.
struct CallSite: Sendable, CustomStringConvertible {
    let file: StaticString
    let line: UInt

    var description: String { "\(file):\(line)" }
}
