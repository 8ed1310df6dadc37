import DependencyInjection
import Testing

/// Forces `close()` to begin at each moment of each request, and derives the outcome from the rule.
@Suite("Rule 20: closing at each moment", .serialized, .mayHang, .ownThread)
struct ClosingMomentTests {
    @Test(
        "A request is served or refused as the rule says, and all is closed",
        arguments: ClosingRow.Kind.allCases, ClosingRow.Place.allCases)
    func moments(_ kind: ClosingRow.Kind, owner: ClosingRow.Place) throws {
        let rows = ClosingRow.all.filter { $0.kind == kind && $0.owner == owner }
        // After the first problems, further rows might only repeat the wait for something that never happens.
        let problems = try rows.reduce(into: [String]()) { problems, row in
            if problems.count >= 10 { return }
            problems +=
                row.isAlias
                ? try ClosingRun<any Port>(row).problems() : try ClosingRun<CountedProduct>(row).problems()
        }
        for problem in problems { Issue.record("\(problem)") }
    }

    @Test("The table has each kind of request at each moment")
    func size() {
        #expect(ClosingRow.all.count > 1_000)
        let moments = Dictionary(grouping: ClosingRow.all, by: \.expectation).mapValues { Set($0.map(\.moment)) }
        #expect(moments[.served] == Set(ClosingRow.Moment.allCases))
        // At these, the factory has begun before.
        let served: Set<ClosingRow.Moment> = [
            .decorating, .decoratingAlias, .resuming(isBuilt: false), .resuming(isBuilt: true),
        ]
        #expect(moments[.refused] == moments[.served]?.subtracting(served))
    }
}

/// A request to a child, and the moment at which `close()` of the child or of its parent begins.
struct ClosingRow: Sendable, CustomStringConvertible {
    /// One of the two containers.
    enum Place: CaseIterable {
        case child, parent

        /// The name of the registrations whose types both containers register.
        var name: RegistrationName { RegistrationName("\(self)") }
    }

    /// The registration of the requested type.
    enum Kind: CaseIterable {
        case shared, weak, scoped, new, graph, sharedAsync, scopedAsync, newAsync
        /// There is none.
        case missing

        var isAsync: Bool { [.sharedAsync, .scopedAsync, .newAsync].contains(self) }

        /// Whether a container caches the instance.
        var isCached: Bool { [.shared, .weak, .scoped, .sharedAsync, .scopedAsync].contains(self) }

        /// Whether the registration has an `onClose` handler.
        var isClosable: Bool { isCached && self != .weak }
    }

    /// The form of the request.
    enum Form: CaseIterable {
        case plain, optional, all, provider
        /// A provider that is injected at the moment of the request.
        case newProvider
    }

    enum Moment: Hashable, CaseIterable {
        /// Another build holds the queue, and the request, or the result of its asynchronous factory, waits for it.
        case waiting
        /// The factory runs.
        case running
        /// The factory runs while `close()`, which doesn't wait for it, runs the handler of another instance.
        case runningDuringHandlers
        /// The factory runs when `close()` begins. The request is repeated while the handler of another instance runs.
        case repeated
        /// The factory has returned, and a decorator runs.
        case decorating
        /// The decorator of the alias runs.
        case decoratingAlias
        /// The caller of an asynchronous build resumes only after `close()` has returned. The build has ended before
        /// `close()` begins, or ends while it waits.
        case resuming(isBuilt: Bool)
        /// `close()` has begun, and the handler of another instance runs. The request begins now.
        case closing(isBuilt: Bool)
        /// As before, and the handler of the instance has run.
        case handled
        /// `close()` has returned.
        case closed(isBuilt: Bool)

        static var allCases: [Moment] {
            [.waiting, .running, .runningDuringHandlers, .repeated, .decorating, .decoratingAlias, .handled]
                + [false, true].flatMap { [.resuming(isBuilt: $0), .closing(isBuilt: $0), .closed(isBuilt: $0)] }
        }

        /// Whether the last request begins after `close()`.
        var isLate: Bool {
            switch self {
            case .repeated, .closing, .handled, .closed: true
            default: false
            }
        }

        /// Whether the instance is built before `close()` begins, by another request.
        var isBuilt: Bool {
            switch self {
            case .closing(let isBuilt), .closed(let isBuilt): isBuilt
            default: self == .handled
            }
        }
    }

    enum Outcome: Hashable, Sendable {
        case served, refused
        case other(String)

        init(_ error: any Error) {
            self = (error as? ResolutionError)?.reason == .closed ? .refused : .other("\(error)")
        }

        init(of request: () throws -> Void) {
            do {
                try request()
                self = .served
            } catch { self.init(error) }
        }
    }

    let kind: Kind
    /// The container that has the registration.
    let owner: Place
    /// Whether the type is requested by its alias.
    let isAlias: Bool
    let form: Form
    let moment: Moment
    /// The container that is closed first.
    let closer: Place

    var description: String {
        "\(kind) of the \(owner), \(isAlias ? "alias, " : "")\(form): \(closer) closes at \(moment)"
    }

    static let all: [ClosingRow] = Kind.allCases.flatMap { kind in
        Place.allCases.flatMap { owner in
            Form.allCases.flatMap { form in
                [false, true].flatMap { isAlias in
                    Moment.allCases.flatMap { moment in
                        Place.allCases.map { closer in
                            ClosingRow(
                                kind: kind, owner: owner, isAlias: isAlias, form: form, moment: moment, closer: closer)
                        }
                    }
                }
            }
        }
    }
    .filter(\.canBeArranged)

    private var canBeArranged: Bool {
        // A provider of an asynchronous type is called plainly.
        if kind.isAsync, form == .provider || form == .newProvider { return false }
        switch moment {
        case .waiting, .handled: return kind.isCached
        case .running: return kind != .missing
        // Closing waits for an awaited factory before it runs the first handler.
        case .runningDuringHandlers: return kind != .missing && !isAwaited
        case .repeated: return isAwaited
        // A decorator would block a thread that runs tasks.
        case .decorating: return kind != .missing && !kind.isAsync
        case .decoratingAlias: return kind != .missing && !kind.isAsync && isAlias
        case .resuming: return kind.isAsync && kind.isCached
        case .closing(let isBuilt), .closed(let isBuilt): return !isBuilt || kind != .missing
        }
    }

    // MARK: The rule

    /// The container that builds the instance.
    var builder: Place {
        switch kind {
        case .shared, .weak, .sharedAsync: owner
        case .scoped, .new, .graph, .scopedAsync, .newAsync, .missing: .child
        }
    }

    /// Whether the build belongs to the container that closes, so that `close()` waits for it once it has begun.
    var isAwaited: Bool { kind.isCached && builder == closer }

    /// The outcome of the request.
    var expectation: Outcome {
        // "A closed container serves nothing of its own": a request for a missing type finds both containers.
        if kind == .missing { return .refused }
        // A closed container injects no provider.
        if form == .newProvider, closer == .child, moment.isLate { return .refused }
        // An open container builds and serves its own registrations.
        if builder != closer, owner != closer { return .served }
        switch moment {
        // "Builds of cached instances that began before": this one had not, unless its asynchronous factory has run.
        // The queue of the container that builds decides.
        case .waiting: return kind.isAsync || builder != closer ? .served : .refused
        // Nothing stops a plain factory, and its caller gets the result. Closing doesn't let an asynchronous build go on
        // that isn't cached: the task repeats its request after the factory.
        case .running, .runningDuringHandlers: return kind.isCached || !kind.isAsync ? .served : .refused
        // Built while the container was open, or while `close()` waited.
        case .repeated, .decorating, .decoratingAlias, .resuming: return .served
        case .handled: return kind.isClosable && builder == closer ? .refused : .served
        // "Built instances are still served", "everything else is an error".
        case .closing(let isBuilt): return isBuilt && kind.isCached ? .served : .refused
        // "An open child serves what it has cached itself, even if the registration is a closed parent's."
        case .closed(let isBuilt): return isBuilt && kind.isCached && builder != closer ? .served : .refused
        }
    }

    /// The containers whose dependencies the factory requests. A parent doesn't see those of its child.
    var dependencies: [Place] { builder == .parent ? [.parent] : Place.allCases }

    /// The outcome of a request for a dependency of a container that isn't built yet, made by the factory.
    func expectation(ofDependencyIn place: Place) -> Outcome {
        if place != closer { return .served }
        switch moment {
        case .decorating, .decoratingAlias, .resuming(isBuilt: true): return .served
        // "With everything they resolve in their thread or task."
        case .running, .repeated, .resuming(isBuilt: false): return isAwaited ? .served : .refused
        case .waiting, .runningDuringHandlers: return .refused
        case .closing, .handled: return moment.isBuilt ? .served : .refused
        // A factory whose instance isn't cached runs again if its own container is open.
        case .closed: return moment.isBuilt && (kind.isCached || expectation == .refused) ? .served : .refused
        }
    }
}
