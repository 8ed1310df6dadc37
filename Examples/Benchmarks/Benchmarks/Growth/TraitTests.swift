import DependencyInjection
import DependencyInjectionTesting
import Testing
import Workloads

/// Runs of Swift Testing, each of one test with a hundred serial cases and without console output.
///
/// The difference between both runs is the time to create the containers of the trait, to enter and leave their scopes,
/// and to release them.
struct TraitTests {
    static let all = [
        TraitTests(name: "100 tests", test: "without"), TraitTests(name: "100 tests with the trait", test: "with"),
    ]

    let name: String
    fileprivate let test: String

    func run() async {
        var arguments = __CommandLineArguments_v0()
        arguments.filter = ["TraitCases/\(test)"]
        // Less output than `quiet`, which would still print a line for each run.
        arguments.verbosity = .min
        let status: CInt = await __swiftPMEntryPoint(passing: arguments)
        precondition(status == 0, "Swift Testing could not run \(test).")
    }
}

@Suite(.serialized)
private struct TraitCases {
    private static let container = DIContainer { Fillers.registrations(1_000) }

    @Test(arguments: 1...100)
    func without(_ number: Int) {}

    @Test(.dependencies(from: container) { Shared(1) }, arguments: 1...100)
    func with(_ number: Int) {}
}
