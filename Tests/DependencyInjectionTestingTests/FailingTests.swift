// Tests that fail or stop the program run in processes of their own. Only on Linux are the tests a program that can be
// run.
#if os(Linux)
    import DependencyInjection
    import DependencyInjectionTesting
    import Foundation
    import Testing

    private let variable = "RUN_FAILING_TESTS"
    private let isChild = ProcessInfo.processInfo.environment[variable] != nil

    private let production = DIContainer { Shared(Clock(name: "production")) }
    private let alarm = Module {
        New { _ in
            @Inject var clock: Clock
            return Alarm(clock: clock)
        }
    }
    private let missingOverride = "The test does not override Clock, so the request resolved the real registration."

    @Suite("Tests that fail, each in another process", .enabled(if: isChild))
    struct IntentionalFailures {
        @Test(.dependencies(.strict(from: production)))
        func forgetsAnOverride() {
            @LazyInject var clock: Clock
            _ = clock
        }

        @Test(.dependencies(.empty))
        func stopsByWrapper() async {
            await Task {
                @LazyInject var clock: Clock
                _ = clock
            }.value
        }

        @Test func stopsInExpectation() {
            expectResolves(Alarm.self, in: DIContainer { alarm })
        }

        @Test(.dependencies(.strict(from: DIContainer())) { alarm })
        func stopsInExpectationOfStrictTest() {
            expectResolves(Alarm.self)
        }

        @Test func forgetsInDetachedTask() async {
            await Task.detached {
                withDependencies(.strict(from: production)) {
                } in: {
                    _ = DIContainer.resolve(Clock.self)
                }
            }.value
        }
    }

    extension ExitTests {
        @Suite("Reports of failing tests", .disabled(if: isChild)) struct FailingTests {}
    }

    extension ExitTests.FailingTests {
        @Test("A missing override in a strict test fails that test, and the run continues")
        func strict() async throws {
            let (status, output) = try await run("swift-testing", "--filter", "IntentionalFailures/forgetsAnOverride")
            #expect(status == 1)
            #expect(output.contains("Test forgetsAnOverride() recorded an issue at FailingTests.swift:25:1"))
            #expect(output.contains(missingOverride))
            #expect(output.contains("Test run with 1 test in 1 suite failed"))
        }

        @Test("Before a plain request stops the program, an issue names the test")
        func stops() async throws {
            let (status, output) = try await run("swift-testing", "--filter", "IntentionalFailures/stopsByWrapper")
            #expect(status != 0 && status != 1)
            #expect(output.contains("Test stopsByWrapper() recorded an issue at FailingTests.swift:"))
            #expect(output.contains("The program stops here, because a plain request failed."))
            #expect(output.contains("Nothing is registered for Clock."))
        }

        @Test(
            "Before a wrapper stops `expectResolves`, an issue names the test and line",
            arguments: [("stopsInExpectation", 38), ("stopsInExpectationOfStrictTest", 43)])
        func stopsInExpectation(_ test: String, _ line: Int) async throws {
            let (status, output) = try await run("swift-testing", "--filter", "IntentionalFailures/\(test)\\(")
            #expect(status != 0 && status != 1)
            #expect(output.contains("Test \(test)() recorded an issue at FailingTests.swift:\(line):"))
            #expect(output.contains("The program stops in `expectResolves`, because a plain request failed."))
            #expect(output.contains("Nothing is registered for Clock."))
            // A strict test also observes the error.
            let observesError = output.contains("The program stops here, because a plain request failed.")
            #expect(observesError == (test == "stopsInExpectationOfStrictTest"))
        }

        @Test("An override that is forgotten in a detached task fails the run")
        func detached() async throws {
            let (status, output) = try await run(
                "swift-testing", "--filter", "IntentionalFailures/forgetsInDetachedTask")
            #expect(status == 1)
            #expect(output.contains(missingOverride))
        }

        @Test("In XCTest, an override that is forgotten fails the test")
        func xcTest() async throws {
            let (status, output) = try await run("xctest", "DependencyInjectionTestingXCTests.StrictXCTests")
            #expect(status == 1)
            #expect(output.contains("StrictXCTests.testForgottenOverride : failed - The test does not override Clock"))
        }

        /// Runs a test of this program in another process, and returns its status and output.
        ///
        /// - Parameter selection: The arguments that select the test.
        private func run(_ selection: String...) async throws -> (status: Int32, output: String) {
            try await withCheckedThrowingContinuation { continuation in
                // On a thread of its own, because it blocks the thread.
                Thread.detachNewThread {
                    continuation.resume(
                        with: Result {
                            let (process, pipe) = (Process(), Pipe())
                            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
                            process.arguments = ["--testing-library"] + selection
                            process.environment = ProcessInfo.processInfo.environment.merging(
                                [variable: "1", "SWIFT_BACKTRACE": "enable=no"]) { $1 }
                            process.standardOutput = pipe
                            process.standardError = pipe
                            try process.run()
                            let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
                            process.waitUntilExit()
                            return (process.terminationStatus, String(decoding: output, as: UTF8.self))
                        })
                }
            }
        }
    }
#endif
