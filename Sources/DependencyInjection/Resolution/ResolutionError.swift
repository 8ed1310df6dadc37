/// Says why something could not be resolved: what was asked, by whom, on which path, and how to fix that.
///
/// `resolve.orThrow` throws it; the plain forms stop the program with the same text.
///
/// ```swift
/// do {
///     let router = try DIContainer.resolve.orThrow(Router.self)
///     router.start()
/// } catch {
///     print(error)
/// }
/// ```
public struct ResolutionError: Error, CustomStringConvertible {
    /// Tells why a request failed. More reasons may come: a `switch` over them has a `default`.
    ///
    /// ```swift
    /// func explain(_ error: ResolutionError) {
    ///     switch error.reason {
    ///     case .notRegistered: print("register \(error.key) first")
    ///     case .factoryFailed: print(error.reason.underlyingError ?? error)
    ///     default: print(error)
    ///     }
    /// }
    /// ```
    /// Two reasons are equal if they are of one kind, whatever their details.
    public struct Reason: Equatable, Sendable, CustomStringConvertible {
        fileprivate enum Kind: UInt8 {
            case notRegistered, cycle, tooDeep, argumentMismatch, typeMismatch, mainActorRequired, factoryFailed
            case asyncRequired, weakValueType, sealed
        }

        fileprivate let kind: Kind
        @usableFromInline var code: UInt8 { kind.rawValue }
        /// What the text says besides the key: types, or a place.
        fileprivate var details: [String] = []
        /// The error that the factory threw, where it failed.
        public fileprivate(set) var underlyingError: (any Error)?

        /// Nothing is registered for the type and the name.
        public static var notRegistered: Self { Self(kind: .notRegistered) }
        /// Building it needs itself.
        public static var cycle: Self { Self(kind: .cycle) }
        /// What it needs is nested too deep for the stack of the thread.
        public static var tooDeep: Self { Self(kind: .tooDeep) }
        /// The arguments supplied are not those that the factory takes.
        public static var argumentMismatch: Self { Self(kind: .argumentMismatch) }
        /// The instance that an alias leads to is not of the alias's type.
        public static var typeMismatch: Self { Self(kind: .typeMismatch) }
        /// It belongs to the main actor and was asked for elsewhere.
        public static var mainActorRequired: Self { Self(kind: .mainActorRequired) }
        /// The factory threw an error, which is the ``underlyingError``.
        public static var factoryFailed: Self { Self(kind: .factoryFailed) }
        /// It is built by an asynchronous factory, which has not been awaited yet.
        public static var asyncRequired: Self { Self(kind: .asyncRequired) }
        /// It is registered with ``Weak``, and is a value, which nobody else can hold.
        public static var weakValueType: Self { Self(kind: .weakValueType) }
        /// The container was sealed before.
        public static var sealed: Self { Self(kind: .sealed) }

        /// The types of the arguments that the factory takes, as the text of a tuple type, where they did not match.
        public var expectedArguments: String? { kind == .argumentMismatch ? details.first : nil }
        /// The types of the arguments that were supplied, as the text of a tuple type, where they did not match.
        public var suppliedArguments: String? { kind == .argumentMismatch ? details.last : nil }
        /// The type of the instance that was made, where it is not the right one.
        public var instanceType: String? { kind == .typeMismatch || kind == .weakValueType ? details.first : nil }

        static func typeMismatch(instance: String) -> Self { Self(kind: .typeMismatch, details: [instance]) }
        static func weakValueType(instance: String) -> Self { Self(kind: .weakValueType, details: [instance]) }
        static func sealed(file: String, line: UInt) -> Self {
            Self(kind: .sealed, details: [file + ":" + String(line)])
        }

        /// The kind of the reason, such as `notRegistered`.
        public var description: String { "\(kind)" }

        /// Tells whether two reasons are of one kind.
        public static func == (first: Self, second: Self) -> Bool { first.kind == second.kind }
    }

    /// Describes one step of the path that led to the request.
    public struct Step: Sendable, CustomStringConvertible {
        let registration: Registration

        @usableFromInline init(registration: Registration) { self.registration = registration }

        /// The type and the name that were being built.
        public var key: String { registration.label }
        /// The file in which the registration was written.
        public var file: String { registration.file }
        /// The line on which it was written.
        public var line: UInt { registration.line }
        /// The name of the ``Module`` in which it was written, if that has one.
        public var module: String? { registration.module }

        /// The step on one line.
        public var description: String { @inline(never) get { key + "  (registered at " + registration.place + ")" } }
    }

    // One reference, so that functions which may throw stay small.
    private let report: Report

    /// What is known when the error is made; its texts are written when somebody reads them. It keeps registrations, and no
    /// instance.
    private final class Report: Sendable {
        let reason: Reason
        let type: any Any.Type
        let name: RegistrationName?
        let site: CallSite
        let path: [Registration]
        let registration: Registration?
        /// Where to look for what was meant.
        let tables: [AtomicTable<Entry>.Contents]
        let pending: AsyncBuild?

        init(
            _ request: borrowing Request, _ reason: Reason, in core: ContainerCore?, by registration: Registration?,
            _ pending: AsyncBuild?
        ) {
            self.pending = pending
            self.reason = reason
            type = request.type
            name = request.key.name
            site = request.site
            path = ThreadRecord.current.path
            self.registration = registration ?? core?.registered(request.key)?.entry.subject
            tables = reason == .notRegistered ? core?.visibleTables ?? [] : []
        }
    }

    // Not inlined: errors are made in many places, and seldom.
    @inline(never)
    init(
        _ request: borrowing Request, _ reason: Reason, in core: ContainerCore?, by registration: Registration? = nil,
        pending: AsyncBuild? = nil
    ) {
        report = Report(request, reason, in: core, by: registration, pending)
    }

    /// Says why a factory was not entered.
    init(refused request: borrowing Request) {
        self.init(request, ThreadRecord.current.foundNoSpace ? .tooDeep : .cycle, in: nil)
    }

    /// Passes an error of the library on as it is, and puts any other under the request whose factory threw it.
    @usableFromInline @inline(never)
    init(
        wrapping error: any Error, _ request: borrowing Request, in core: ContainerCore,
        by registration: Registration? = nil
    ) {
        if let error = error as? ResolutionError {
            self = error
        } else {
            var reason = Reason.factoryFailed
            if let mismatch = error as? ArgumentMismatch {
                reason = Reason(kind: .argumentMismatch, details: [mismatch.expected, mismatch.supplied])
            } else {
                reason.underlyingError = error
            }
            self.init(request, reason, in: core, by: registration)
        }
    }

    /// The asynchronous build that has to come first.
    var pending: AsyncBuild? { report.pending }

    /// Whether a registration was built, and then not handed out because this is not the main actor.
    @usableFromInline func refusesThread(for registration: Registration) -> Bool {
        reason == .mainActorRequired && isAbout(registration)
    }

    /// Whether this registration was asked for.
    private func isAbout(_ registration: Registration) -> Bool {
        report.type == registration.type && report.name == registration.name
    }

    /// Whether this says the same as another, which may have come about by another path.
    @usableFromInline @inline(never) func isSame(as other: ResolutionError) -> Bool {
        // Types of two modules may have one name, and a circle may be entered anywhere.
        report.type == other.report.type && texts()[0] == other.texts()[0]
            || reason == .cycle && other.reason == .cycle && other.report.path.contains(where: isAbout)
    }

    /// Why the request failed.
    public var reason: Reason { report.reason }
    /// The type and the name asked for, such as `Router named "main"`.
    public var key: String { label(report.type, report.name) }
    /// The file that asked, as `Module/File.swift`.
    public var file: String { report.site.file.description }
    /// The line that asked.
    public var line: UInt { report.site.line }
    /// The registrations whose factories led to the request, the outermost first.
    public var path: [Step] { report.path.map { Step(registration: $0) } }
    /// What is registered and comes nearest to what was asked, best first; found anew each time, among the registrations of
    /// that moment.
    public var candidates: [String] { nearest.map { Step(registration: $0).description } }

    private var nearest: [Registration] {
        ThreadRecord.reading { report.tables.flatMap(\.elements) }.compactMap(\.registration).nearest(to: report.type)
    }

    /// What went wrong, where, on which path, and how to fix it.
    public var description: String {
        let nearest = nearest
        let texts = texts(nearest.first)
        var text = texts[0] + "\n  asked for at " + report.site.description
        if let registration = report.registration { text += "\n  registered at " + registration.place }
        let path = report.path, hidden = path.count - 20
        if !path.isEmpty { text += "\n  path:" }
        text += Self.lines(hidden > 10 ? path[..<10] : path[...])
        if hidden > 10 { text += "\n    … " + String(hidden) + " more" + Self.lines(path[(10 + hidden)...]) }
        if !path.isEmpty { text += "\n    → " + key }
        if !nearest.isEmpty { text += "\n  registered are:" + Self.lines(nearest[...]) }
        return text + "\n  fix: " + texts[1]
    }

    static func lines(_ registrations: ArraySlice<Registration>) -> String {
        registrations.reduce(into: "") { $0 += "\n    " + Step(registration: $1).description }
    }

    /// What went wrong, and what to write: the lines of the template, filled in.
    @_optimize(size) private func texts(_ nearest: Registration? = nil) -> [String] {
        let type = TypeName(report.type)
        let values = [key, type.description, type.metatype] + details(nearest)
        var texts = [""], isMark = false
        for letter in template(nearest).unicodeScalars {
            switch letter {
            case "%": break
            case "\n": texts.append("")
            case _ where isMark: texts[texts.count - 1] += values[Int(letter.value) - 48]
            default: texts[texts.count - 1].unicodeScalars.append(letter)
            }
            isMark = letter == "%"
        }
        return texts
    }

    @_optimize(size) private func details(_ nearest: Registration?) -> [String] {
        switch reason.kind {
        case .notRegistered:
            [
                nearest?.name?.rawValue ?? "", nearest?.lifetime == .new ? "New" : "Shared",
                report.name.map { ", name: \"" + $0.rawValue + "\"" } ?? "",
            ]
        case .cycle: [circle.joined(separator: " → ")]
        case .tooDeep: [String(report.path.count)]
        case .factoryFailed: reason.underlyingError.map { ["\($0)"] } ?? []
        default: reason.details
        }
    }

    private var circle: [String] {
        let begin = report.path.lastIndex(where: isAbout)
        return report.path[(begin ?? report.path.count)...].map(\.label) + [key]
    }

    /// What went wrong and, on a line of its own, what to write: `%0` stands for the key asked for, `%1` for its type, `%2` for that
    /// as an argument, and `%3` to `%5` for the details.
    private func template(_ nearest: Registration?) -> String {
        switch reason.kind {
        case .notRegistered:
            "Nothing is registered for %0.\n" + advice(nearest)
        case .cycle where circle.count == 2:
            "Building %0 needs %0 itself: %3\nwrap what is registered with `Decorate(%2) { base, resolve in … }`, "
                + "or register the inner one under a name."
        case .cycle:
            "Building %0 needs %0 itself: %3\nlet one of them ask later, with `@LazyInject` or `Provider<%1>`."
        case .tooDeep:
            "Building %0 is nested too deep for the stack of this thread, in %3 factories.\nbreak the recursion if it never "
                + "ends; else let one of them ask later, with `@LazyInject` or a `Provider`, or ask first on a thread with a "
                + "larger stack."
        case .argumentMismatch where reason.expectedArguments == "()":
            "The factory of %0 takes %3, but was given %4.\nask without arguments, or let the factory take them: "
                + "`New { _, argument in … }`."
        case .argumentMismatch:
            "The factory of %0 takes %3, but was given %4.\nask with arguments of these types, as in "
                + "`resolve(%2, arguments: …)`; a closure is handed over by `resolve(f)` or `arguments: { f }`, since "
                + "`arguments: f` calls it."
        case .typeMismatch where isFunction(reason.instanceType):
            "%0 is an alias of %3, which is a function and not its result.\nhave the parameters resolved, with "
                + "`autowiring:` before the initializer."
        case .typeMismatch:
            "%0 is an alias of an instance of %3, which is no %1.\nmake %3 conform to it, or leave it out of `as:`."
        case .mainActorRequired:
            "%0 belongs to the main actor, and was asked for elsewhere.\nask on the main actor: mark the caller "
                + "`@MainActor`, or go there with `await MainActor.run { … }`."
        case .factoryFailed:
            "The factory of %0 failed: %3\nremove the cause that the factory reports; nothing was kept, and the next "
                + "request runs it again."
        case .asyncRequired where report.pending?.entry.mode == .transient:
            "%0 is built by an asynchronous factory, which has not been awaited.\nask with "
                + "`try await resolve.async(%2)`, in an asynchronous factory or function."
        case .asyncRequired:
            "%0 is built by an asynchronous factory, which has not been awaited.\nawait it first, with "
                + "`try await container.prepare()` or `try await resolve.async(%2)`."
        case .weakValueType:
            "%0 is registered with Weak, but %3 is a value: nobody but the container could hold it.\nregister it with "
                + "`Shared`, or make %3 a class or an actor."
        case .sealed:
            (report.type == ContainerCore.self
                ? "The container was sealed at %3 and can no longer be changed.\n"
                : "The container was sealed at %3 and can no longer be changed for %0.\n")
                + "register before `seal()`, or change a copy: `container.fork { … }`, "
                + "`DIContainer.withOverrides { … } operation: { … }`."
        }
    }

    private func advice(_ nearest: Registration?) -> String {
        if report.type == _OptionalNilComparisonType.self {
            return "the compiler compares with nil here; resolve first: `let type: P.Type = resolve()`."
        }
        guard let nearest else { return "register it first, as in `DIContainer.register { Shared(… as %1%5) }`." }
        if isFunction("\(nearest.type)"), !isFunction("\(report.type)") {
            return "what is registered is a function; have its parameters resolved: `%4(autowiring: …)`."
        }
        if nearest.type != report.type {
            return "register it as that type, as in `%4(… as %1%5)`"
                + (nearest.name == report.name ? ", or add `as: %2` to it." : ".")
        }
        if nearest.name == nil { return "ask without a name, or register another: `Shared(… as %1, name: …)`." }
        return "ask for it by its name, as in `resolve(%2, name: \"%3\")`."
    }

    private func isFunction(_ type: String?) -> Bool { type?.contains(") -> ") ?? false }

    /// Stops the program with this text.
    @usableFromInline func trap(file: StaticString, line: UInt) -> Never {
        CurrentTest.observer?.programStops(by: self, file: file, line: line)
        fatalError(description, file: file, line: line)
    }
}

extension Registration {
    /// The type and the name, for messages.
    var label: String { DependencyInjection.label(type, name) }
}

@inline(never) func label(_ type: any Any.Type, _ name: RegistrationName?) -> String {
    let type = TypeName(type).description
    return name.map { type + " named \"" + $0.rawValue + "\"" } ?? type
}
