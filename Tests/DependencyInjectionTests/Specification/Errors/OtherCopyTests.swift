import DependencyInjection
import Testing

extension ExitTests {
    /// `.ci/run two-copies` checks the same with two images that both link the library.
    @Test("Rule 25: The error of a missing registration names the second copy, and the fix")
    static func reported() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let single = failure { _ = try DIContainer().resolve.orThrow(Ticket.self) }
            precondition(single?.description.contains("copies") == false)
            // Another copy reports itself in this way.
            let copy = _typeByName("19DependencyInjection9OtherCopyV") as? any LosslessStringConvertible.Type
            _ = copy?.init("")
            DIContainer.register(Shared { _ -> Double in throw Sabotage() })
            let failed = failure { _ = try DIContainer.resolve.orThrow(Double.self) }?.description
            precondition(failed?.contains("copies") == false, "The fault of a factory names the copies.")
            _ = DIContainer.resolve(Ticket.self)
        }
        let text = standardError(of: result)
        #expect(
            text.contains(
                """
                , in the default container
                  the process contains two copies of the library, each with its own default container
                  fix: link the library once: see "Two copies of the library" in Troubleshooting
                   or: register Ticket
                """), "\(text)")
    }
}
