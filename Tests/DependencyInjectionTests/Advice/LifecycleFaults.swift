import DependencyInjection
import Foundation
import Testing

// Factories that fail, and containers that are sealed or closed.
extension Fault {
    static let lifecycleFaults = failures + reports

    private static let failures: [Fault] = [
        Fault(requesting: Ticket.self, "A factory throws", "The factory of Ticket failed: sabotaged") {
            Shared { _ -> Ticket in throw Sabotage() }
        } fixes: {
            Fix(
                replacing:
                    "remove the cause of that error. Nothing was cached, and the next request runs the factory again"
            ) { Shared(Ticket(number: 1)) }
        },
        Fault(
            requesting: Ticket.self, "A value type is registered with Weak",
            "Ticket is registered with Weak, but Ticket is a value type, which cannot be held weakly."
        ) {
            Weak(Ticket(number: 1))
        } fixes: {
            Fix(replacing: "register it with `New` or `Shared`") { New(Ticket(number: 1)) }
            Fix("make Ticket a class or an actor") {
                // `Thing` is a class.
                _ = try DIContainer { Weak(Thing()) }.resolve.orThrow(Thing.self)
            }
        },
        Fault(
            "A sealed container is changed",
            "The container was sealed at File.swift:1 and can no longer be changed for Ticket.",
            text: {
                // In a handler, a refused change doesn't stop the program.
                let container = DIContainer {
                    Shared(Pool()).onClose { _ in DIContainer.register(Shared(Ticket(number: 1))) }
                }
                _ = try container.resolve.orThrow(Pool.self)
                container.seal()
                do { try await DIContainer.withContainer(container) { try await container.close() } } catch {
                    return (error as? CloseError)?.failures.first.map { "\($0.error)" } ?? "\(error)"
                }
                return "The change is not refused."
            }
        ) {
            Fix("register before `seal()`") {
                let container = DIContainer { Shared(Ticket(number: 1)) }
                container.seal()
                _ = try container.resolve.orThrow(Ticket.self)
            }
            Fix("change a copy: `container.fork` or `DIContainer.withOverrides`") {
                let container = DIContainer()
                container.seal()
                _ = try container.fork { Shared(Ticket(number: 1)) }.resolve.orThrow(Ticket.self)
                try DIContainer.withContainer(container) {
                    try DIContainer.withOverrides {
                        Shared(Ticket(number: 1))
                    } operation: {
                        _ = try DIContainer.resolve.orThrow(Ticket.self)
                    }
                }
            }
        },
        Fault(
            "A closed container is requested to resolve a type",
            "The container was closed and can no longer be used for Ticket.",
            request: { container in
                try await container.close()
                return try container.resolve.orThrow(Ticket.self)
            },
            of: { Shared(Ticket(number: 1)) }
        ) {
            Fix(requesting: "request it before `close()`") { container in
                _ = try container.resolve.orThrow(Ticket.self)
                return try await container.close()
            }
            Fix(requesting: "use another container, such as a copy: `container.fork`") { container in
                try await container.close()
                return try container.fork { Shared(Diesel()) }.resolve.orThrow(Ticket.self)
            }
        },
        Fault(
            "A close handler closes its container",
            """
            `close()` at File.swift:1 was called in a factory or an `onClose` of the same container, and would wait for itself.
            """,
            request: { container in
                let errors = Locked<[any Error]>([])
                container.register {
                    Shared(Ticket(number: 1)).onClose { _ in
                        do { try await container.close() } catch { errors.withLock { $0.append(error) } }
                    }
                }
                _ = container.resolve(Ticket.self)
                try await container.close()
                if let error = errors.withLock({ $0.first }) { throw error }
                return container
            }
        ) {
            Fix(requesting: "close the container after its work, in the code that created it", closing)
            Fix(requesting: "remove the call from the `onClose`, which runs because the container is closing", closing)
        },
        Fault(
            "An asynchronous build fails in prepare()", "`prepare()` ended, but 1 of its builds failed.",
            request: { container in
                try await container.prepare()
                return try container.resolve.orThrow(Ticket.self)
            }, of: { Shared(async: { _ -> Ticket in throw Sabotage() }) }
        ) {
            Fix(
                replacing:
                    "remove the cause of that error. Nothing was cached, and the next request runs the factory again"
            ) {
                Shared(async: { _ in Ticket(number: 1) })
            }
        },
    ]

    private static let closing: Request = { container in
        container.register { Shared(Ticket(number: 1)).onClose { _ in } }
        _ = container.resolve(Ticket.self)
        return try await container.close()
    }

    // MARK: Reports on standard error

    /// Returns the report that begins with a text in the standard error of a process.
    private static func report(_ beginning: String, in result: ExitTest.Result?) throws -> String {
        let output = result.standardError
        #expect(output.ranges(of: beginning).count == 1)
        let begin = try #require(output.firstRange(of: beginning))
        let lines = output[begin.lowerBound...].components(separatedBy: "\n")
        let fix = try #require(lines.firstIndex { $0.hasPrefix("  fix: ") })
        let last = lines[(fix + 1)...].firstIndex { !$0.hasPrefix("   or: ") } ?? lines.endIndex
        return lines[..<last].joined(separator: "\n").replacing(/0x[0-9a-f]+/, with: "0x0")
            .replacing(/building for \d+ ms/, with: "building for 0 ms")
    }

    private static let reports: [Fault] =
        [
            Fault(
                "A factory waits for a thread that waits for the container",
                "Thread 0x0 has waited 100 ms for a container, in which thread 0x0 has been building for 0 ms:",
                startsProcess: true,
                text: {
                    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                        let errors = RedirectedErrors()
                        ExitTests.DeadlockWarningTests.block(for: .milliseconds(100)) {
                            #expect(eventually { errors.reports >= 1 })
                        }
                        errors.end()
                    }
                    let text = try report("Thread 0x", in: result)
                    // Each running build, with qualified types. One of the builds has finished.
                    let builds = text.components(separatedBy: "  (registered at").dropLast()
                    let names = builds.compactMap { $0.components(separatedBy: "\n    ").last }
                    #expect(names == ["DependencyInjectionTests.Int128", "Int128"])
                    return text
                }
            ) {
                Fix("resolve before the factory waits for another thread") {
                    let container = DIContainer {
                        Shared(Diesel())
                        Shared { resolve in
                            let diesel = resolve(Diesel.self)
                            return Ticket(number: BackgroundThread { diesel.kind.count }.result() ?? 0)
                        }
                    }
                    _ = try container.resolve.orThrow(Ticket.self)
                }
                Fix("register the factory with `async:`") {
                    let container = DIContainer {
                        Shared(Diesel())
                        Shared(async: { resolve in
                            await Task { Ticket(number: resolve(Diesel.self).kind.count) }.value
                        })
                    }
                    try await container.prepare()
                    _ = try container.resolve.orThrow(Ticket.self)
                }
            },
            Fault(
                "close() waits for an asynchronous factory",
                "`close()` at File.swift:1 has waited 100 ms for builds in progress:",
                startsProcess: true,
                text: {
                    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                        let errors = RedirectedErrors()
                        DIContainer.deadlockWarningDelay = .milliseconds(100)
                        let (isBuilding, mayEnd) = (Latch(), Latch())
                        let container = DIContainer {
                            Shared(async: { _ in
                                isBuilding.open()
                                try await mayEnd.opening()
                                return Ticket(number: 1)
                            })
                        }
                        let build = Task { try await container.prepare() }
                        try await isBuilding.opening()
                        let closing = Task { try await container.close(file: "App/Main.swift", line: 7) }
                        #expect(await eventually { errors.reports >= 1 })
                        mayEnd.open()
                        try await build.value
                        try await closing.value
                        errors.end()
                    }
                    let text = try report("`close()` at App/Main.swift:7 ", in: result)
                    #expect(text.contains(" in progress:\n    Ticket  (registered at "))
                    return text
                }
            ) {
                Fix("limit the time that the asynchronous factory waits") {
                    let container = DIContainer {
                        Shared(async: { _ in
                            try await Task.sleep(for: .milliseconds(1))
                            return Ticket(number: 1)
                        })
                    }
                    try await container.prepare()
                    try await container.close()
                }
            },
            Fault(
                "close() waits for a close handler",
                "`close()` at File.swift:1 has waited 100 ms for the `onClose` handler of Ticket, written at File.swift:1.",
                startsProcess: true,
                text: {
                    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                        let errors = RedirectedErrors()
                        DIContainer.deadlockWarningDelay = .milliseconds(100)
                        let container = DIContainer {
                            Shared(Ticket(number: 1)).onClose(file: "App/Main.swift", line: 8) { _ in
                                #expect(await eventually { errors.reports >= 1 })
                            }
                            // This handler runs first, and ends.
                            Shared { resolve in Int8(resolve(Ticket.self).number) }.onClose { _ in }
                        }
                        _ = container.resolve(Int8.self)
                        try await container.close(file: "App/Main.swift", line: 7)
                        errors.end()
                    }
                    let text = try report("`close()` at App/Main.swift:7 ", in: result)
                    #expect(text.contains(" written at App/Main.swift:8."))
                    return text
                }
            ) {
                Fix("limit the time that the handler waits") {
                    let container = DIContainer {
                        Shared(Ticket(number: 1)).onClose { _ in try await Task.sleep(for: .milliseconds(1)) }
                    }
                    _ = container.resolve(Ticket.self)
                    try await container.close()
                }
            },
        ] + releaseReports

    /// Release builds do not report unclosed instances.
    private static let releaseReports: [Fault] = {
        #if DEBUG
            return [
                Fault(
                    "A container is released without being closed",
                    "A container was released without being closed. `onClose` handlers did not run for:",
                    startsProcess: true,
                    text: {
                        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                            _ = DIContainer { Shared(Ticket(number: 1)).onClose { _ in } }.resolve(Ticket.self)
                        }
                        return try report("A container was released ", in: result)
                    }
                ) {
                    Fix(requesting: "call `try await container.close()`", closing)
                    Fix("use `withChild { … } operation: { … }`") {
                        let app = DIContainer { Scoped(Ticket(number: 1)).onClose { _ in } }
                        try await app.withChild {
                            Shared(1)
                        } operation: { child in
                            _ = try child.resolve.orThrow(Ticket.self)
                        }
                    }
                }
            ]
        #else
            return []
        #endif
    }()
}
