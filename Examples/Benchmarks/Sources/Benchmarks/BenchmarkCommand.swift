import ArgumentParser
import Foundation

@main
struct BenchmarkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Benchmarks",
        abstract: "Compares DependencyInjection with simpler and with slower designs.",
        discussion: "Every row and its baselines take turns in this process; the best of several rounds counts, "
            + "or the median where threads share an object. The exit status is 1 if a target is missed.")

    @Option(help: ArgumentHelp("Write the results to a file as JSON, too.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Measure only rows whose names contain this text.", valueName: "text"))
    var filter: String?

    @Flag(help: "Run every row once and judge none.")
    var quick = false

    mutating func validate() throws {
        guard !rows.isEmpty else { throw ValidationError("No row's name contains \"\(filter ?? "")\".") }
    }

    func run() throws {
        #if DEBUG
            report("Built for debugging: the numbers mean nothing. Run with -c release.\n")
        #endif
        Subjects.register()
        let rows = rows
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

    private var rows: [Row] {
        let all =
            SharedRows.make() + HandleRows.make() + WrapperRows.make() + NewRows.make() + GraphRows.make()
            + ThreadRows.make() + RegistrationRows.make() + MemoryRows.make() + ChildRows.make() + ErrorRows.make()
            + ForkRows.make() + CrowdRows.make() + TraitRows.make()
        guard let filter else { return all }
        return all.filter { $0.name.localizedCaseInsensitiveContains(filter) }
    }

    /// Shows where the run is: in place on a terminal, else as a line.
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
