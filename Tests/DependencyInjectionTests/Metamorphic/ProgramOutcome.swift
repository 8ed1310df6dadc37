import DependencyInjection

/// The result of a request.
struct ProgramResult: Sendable {
    var text: String
    /// The lifetimes of the instance and its dependencies, or nil for an error.
    var lifetimes: Set<Program.Lifetime>?
    /// Whether the requested type itself is not registered.
    var isMissing = false
    var isClosed = false
    /// The whole text of an error.
    var message: String?

    init(_ product: Product?) {
        text = product?.structure ?? "nil"
        lifetimes = product?.lifetimes ?? []
    }

    init(_ error: any Error) {
        if let error = error as? CloseError {
            text =
                "not closed: "
                + error.failures.map { "\($0.registration.type):\($0.registration.line)" }.joined(separator: " ")
            return
        }
        guard let error = error as? ResolutionError else {
            text = "\(error)"
            return
        }
        let path = error.path.map { "\($0.key):\($0.line)" }.joined(separator: " → ")
        text = "\(error.reason) of \(error.key) at \(error.line), path [\(path)]"
        if let underlying = error.reason.underlyingError { text += ", \(underlying)" }
        // The name that a variation gives to unnamed registrations.
        text = text.replacing(" named \"u\"", with: "").replacing(/Optional<(.*?)>/) { "\($0.1)" }
            .replacing("any ", with: "")
        message = error.description
        isMissing = error.reason == .notRegistered && error.path.isEmpty
        isClosed = error.reason == .closed
    }

    init(_ work: () throws -> Product?) { do { self.init(try work()) } catch { self.init(error) } }

    var isProduct: Bool { lifetimes != nil }
}

/// The record of one step of a program.
struct ProgramRecord: Sendable {
    var result: ProgramResult?
    /// Whether the step closes a container.
    var isEnd = false
    /// The actions of factories and the releases, in order.
    var lines: [String] = []
    var tasks: [String] = []
}

/// The outcome of a program.
struct ProgramOutcome: Sendable {
    var records: [ProgramRecord] = []
    /// The registrations of all containers, as they are listed at the end.
    var listing: [String] = []
    var findings: [String] = []

    /// The part that has to be the same in both, as lines of text.
    static func difference(
        _ first: ProgramOutcome, _ second: ProgramOutcome, of program: Program, by variation: MetamorphicVariation
    ) -> (first: [String], second: [String])? {
        let one = first.lines(program, variation)
        let two = second.lines(program, variation)
        return one == two ? nil : (one, two)
    }

    private func lines(_ program: Program, _ variation: MetamorphicVariation) -> [String] {
        var lines: [String] = []
        for (index, record) in records.enumerated() {
            // Preparing builds in another order.
            if !(program.isAsync && variation.prepares) {
                // A task may retain an awaited instance or its container for a moment, and a thread its argument.
                // Rule 1: instances derived from a replaced one are released later, at a request or change. Containers
                // in between and decorators that are repeated in a child derive instances from a parent's instance.
                let makesMore = variation.filler == .between || variation.repeatsDecorators
                let seesReleases =
                    !program.isAsync && !program.startsTasks && variation.thread == .task
                    && !(makesMore && program.isEverChanged)
                lines += record.lines.filter { seesReleases || !$0.hasPrefix("release") }
            }
            // Tasks outside of every scope see the default container.
            // A task may run before its container is closed, or afterwards.
            if variation.surroundings != .none, variation.root != .defaultContainer, !record.isEnd {
                lines += record.tasks
            }
            // Preparing opens more.
            if record.isEnd, program.isAsync, variation.prepares { continue }
            if let result = record.result { lines.append("step \(index): \(result.text)") }
        }
        lines = Self.renumbered(lines)
        // Rule 16: such a decorator is a step of the path, even if it does not wrap again, and closes a cycle sooner.
        if variation.repeatsDecorators {
            lines = lines.map { $0.replacing(/: [a-zA-Z]+( of .* at [0-9]+, path \[.*\])/, with: ": error") }
        }
        if variation.keepsListing {
            // A replacement in a fork is not a mistake.
            lines += listing + findings.filter { variation.root == .container || !$0.hasPrefix("replaced") }
        }
        return lines
    }

    /// Counts instances in the order in which they are mentioned.
    static func renumbered(_ lines: [String]) -> [String] {
        var numbers: [Substring: Int] = [:]
        return lines.map { line in
            line.replacing(/#[0-9]+/) { match in
                let number = numbers[match.0] ?? numbers.count + 1
                numbers[match.0] = number
                return "#\(number)"
            }
        }
    }
}
