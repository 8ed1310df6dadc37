/// Says why something could not be resolved: what was asked for, by whom, on which path, and how to fix it.
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
public struct ResolutionError: Error {
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
        enum Kind {
            case notRegistered, cycle, tooDeep, argumentMismatch, typeMismatch, mainActorRequired, factoryFailed
            case asyncRequired, weakValueType, sealed
        }

        let kind: Kind
        /// What the text says besides the key: types, or a place.
        var details: [String] = []
        /// The error that the factory threw, where it failed.
        public internal(set) var underlyingError: (any Error)?

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
        static func sealed(at site: CallSite) -> Self { Self(kind: .sealed, details: [site.description]) }

        /// The kind of the reason, such as `notRegistered`.
        public var description: String { "\(kind)" }

        /// Tells whether two reasons are of one kind.
        public static func == (first: Self, second: Self) -> Bool { first.kind == second.kind }
    }

    /// Describes one step of the path that led to the request.
    public struct Step: Sendable, CustomStringConvertible {
        let registration: Registration

        package init(registration: Registration) { self.registration = registration }

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
    let report: Report

    /// What is known when the error is made; its texts are written when somebody reads them. It keeps registrations, and no
    /// instance.
    final class Report: Sendable {
        let reason: Reason
        let type: any Any.Type
        let name: RegistrationName?
        let site: CallSite
        let path: [Registration]
        let registration: Registration?
        /// The tables to search for what was meant.
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
            self.registration = registration ?? core?.undecorated(request.key)?.entry.subject
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

    /// Makes the error for a factory that could not be entered.
    init(refused request: borrowing Request) {
        self.init(request, ThreadRecord.current.foundNoSpace ? .tooDeep : .cycle, in: nil)
    }

    /// Passes on an error of the library as it is; wraps any other in an error of the request whose factory threw it.
    @usableFromInline @inline(never)
    init(
        wrapping error: any Error, _ request: borrowing Request, in core: ContainerCore,
        by registration: Registration? = nil
    ) {
        if let error = error as? ResolutionError {
            self = error
        } else {
            let mismatch = (error as? ArgumentMismatch).map { Reason(kind: .argumentMismatch, details: $0.signatures) }
            let reason = mismatch ?? Reason(kind: .factoryFailed, underlyingError: error)
            self.init(request, reason, in: core, by: registration)
        }
    }

    /// The asynchronous build that has to come first.
    var pending: AsyncBuild? { report.pending }

    /// Whether this registration was asked for.
    func isAbout(_ registration: Registration) -> Bool {
        report.type == registration.type && report.name == registration.name
    }

    /// Whether this says the same as another, which may have come about by another path.
    package func isSame(as other: ResolutionError) -> Bool {
        // A circle may be entered anywhere, and what a factory throws may have another text each time.
        let isSame = asked == other.asked && report.registration === other.report.registration
        let isSameCircle = reason == .cycle && other.report.path.contains(where: isAbout)
        return reason == other.reason && reason.details == other.reason.details && (isSame || isSameCircle)
    }

    /// The key asked for. Types of two modules may have one name.
    package var asked: Key { Key(ObjectIdentifier(report.type), report.name) }

    /// The registration whose factory failed, or made what cannot be kept. It is no step of the path any more.
    package var failedRegistration: Registration? {
        reason == .factoryFailed || reason == .weakValueType ? report.registration : nil
    }

    /// Why the request failed.
    public var reason: Reason { report.reason }
    /// The type and the name asked for, such as `any Router named "main"`.
    public var key: String { label(report.type, report.name) }
    /// The file that asked, as `Module/File.swift`.
    public var file: String { report.site.file.description }
    /// The line that asked.
    public var line: UInt { report.site.line }
    /// The registrations whose factories led to the request, the outermost first.
    public var path: [Step] { report.path.map { Step(registration: $0) } }
    /// The registrations that come nearest to what was asked for, best first. Each access looks for them anew, among
    /// the registrations of that moment.
    public var candidates: [String] { nearest.map { Step(registration: $0).description } }

    var nearest: [Registration] {
        ThreadRecord.reading { report.tables.flatMap(\.elements) }.compactMap(\.registration).nearest(to: report.type)
    }

    /// Stops the program with this text.
    @usableFromInline func trap(file: StaticString, line: UInt) -> Never {
        CurrentTest.observer?.programStops(by: self, file: file, line: line)
        fatalError(description, file: file, line: line)
    }
}
