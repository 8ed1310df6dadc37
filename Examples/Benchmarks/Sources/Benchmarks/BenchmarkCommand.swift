import ArgumentParser
import Foundation

@main
struct BenchmarkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Benchmarks",
        abstract: "Compares DependencyInjection with simpler and with slower designs.",
        discussion: "Each row runs alternately with its baselines. Its time is the best of several rounds, or the "
            + "median if threads share an object. The exit status is 1 if a target is missed.")

    @Option(help: ArgumentHelp("Also write the results to a file as JSON.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Measure only rows whose names contain this text.", valueName: "text"))
    var filter: String?

    @Flag(help: "Run every row once, without checking the targets.")
    var quick = false

    @Option(
        help: ArgumentHelp(
            "Repeat the operation of one row twice without timing it, to count instructions.", valueName: "name"))
    var loop: String?

    @Flag(help: "List the names for --loop, and their rows.")
    var listLoops = false

    @Argument(help: "The number of repetitions for --loop (default: 1).")
    var rounds: Int?

    @Option(
        help: ArgumentHelp(
            "Move the types in memory, and so the keys in hash tables.", valueName: "number"))
    var shift = 0

    mutating func validate() throws {
        if let rounds {
            guard loop != nil else { throw ValidationError("A number of rounds requires --loop.") }
            guard rounds > 0 else { throw ValidationError("The number of rounds must be positive.") }
        }
    }

    func run() throws {
        #if DEBUG
            report("This is a debug build, whose numbers are meaningless. Run with -c release.\n")
        #endif
        shiftTypes(Spacer.self, by: shift)
        Subjects.register()
        if let loop {
            try run(loop, rounds ?? 1)
        } else if listLoops {
            for row in Self.makeRows() {
                if let loop = row.loop { print("\(loop.name)\t\(row.name)") }
            }
        } else {
            try compare()
        }
    }

    private func run(_ name: String, _ rounds: Int) throws {
        guard let loop = Self.makeRows().lazy.compactMap(\.loop).first(where: { $0.name == name }) else {
            throw ValidationError("There is no loop \"\(name)\". --list-loops lists the names.")
        }
        let workload = loop.workload()
        // The first rounds also create metadata and let caches grow.
        workload.runUntimed(rounds)
        markInstructions()
        workload.runUntimed(rounds)
        markInstructions()
    }

    /// Marks the begin or the end of the rounds that `Scripts/count-instructions` counts.
    @inline(never) private func markInstructions() {
        // Without a call of another library, the compiler could remove this function.
        _ = getppid()
    }

    /// Shifts the addresses of the metadata of later types, which the run time allocates in order of first use.
    private func shiftTypes<T>(_ type: T.Type, by number: Int) {
        if number > 0 { shiftTypes(Spaced<T>.self, by: number - 1) }
    }

    private func compare() throws {
        let rows = Self.makeRows().filter { row in filter.map(row.name.localizedCaseInsensitiveContains) ?? true }
        guard !rows.isEmpty else { throw ValidationError("No row's name contains \"\(filter ?? "")\".") }
        let outcomes = rows.enumerated().map { index, row in
            progress("[\(index + 1)/\(rows.count)] \(row.name)")
            return Outcome(row, row.measure(quick ? .quick : .normal), isJudged: !quick)
        }
        progress("")
        print(Table.text(outcomes))
        if let json { try Outcome.json(outcomes).write(to: URL(fileURLWithPath: json)) }
        let missed = outcomes.count { $0.verdict == .missed }
        if missed > 0 {
            report("\(missed) of \(outcomes.count) rows missed their targets.\n")
            throw ExitCode.failure
        }
    }

    private static func makeRows() -> [Row] {
        SharedRows.make() + HandleRows.make() + WrapperRows.make() + NewRows.make() + GraphRows.make()
            + ThreadRows.make() + RegistrationRows.make() + MemoryRows.make() + ChildRows.make() + ErrorRows.make()
            + ForkRows.make() + CrowdRows.make() + TraitRows.make()
    }

    /// Shows the progress of the run: in place on a terminal, otherwise as a line.
    private func progress(_ text: String) {
        if isatty(STDERR_FILENO) == 1 {
            report("\r\u{1B}[K" + text)
        } else if !text.isEmpty {
            report(text + "\n")
        }
    }

    private func report(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}

private enum Spacer {}
private enum Spaced<T> {}
