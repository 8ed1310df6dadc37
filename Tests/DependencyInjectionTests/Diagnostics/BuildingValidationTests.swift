import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

extension ValidationMode {
    /// A time limit that is long enough for a slow machine.
    static let patient = building(within: .seconds(1_000))
}

/// Returns the findings of validation by building.
func builtFindings(
    _ container: DIContainer, _ mode: ValidationMode = .patient
) async -> [ValidationFinding] {
    do { return try await container.validate(mode) } catch { return error.findings }
}

/// Returns the findings of validation without and with building.
func allFindings(_ container: DIContainer) async -> KeyValuePairs<String, [ValidationFinding]> {
    ["without building": findings(container), "with building": await builtFindings(container)]
}

/// Returns the only finding, and fails the test if there isn't exactly one.
func only(_ found: [ValidationFinding], _ location: SourceLocation = #_sourceLocation) throws -> ValidationFinding {
    #expect(found.count == 1, "\(found)", sourceLocation: location)
    return try #require(found.first, sourceLocation: location)
}

@Suite("Validation by building everything once", .mayHang)
struct BuildingValidationTests {
    static let wirings: [Wiring] = [
        Wiring("a cycle of plain requests", finds: [.error(.cycle)], keys: ["Piece<Int>"]) {
            Shared { resolve in Piece<Int>(resolve(Piece<String>.self)) }
            Shared { resolve in Piece<String>(resolve(Piece<Int>.self)) }
        },
        Wiring("a cycle of requests that throw", finds: [.error(.cycle)], keys: ["Piece<Int>"]) {
            Shared { resolve in Piece<Int>(try resolve.orThrow(Piece<String>.self)) }
            Shared { resolve in Piece<String>(try resolve.orThrow(Piece<Int>.self)) }
        },
        Wiring("a declared cycle", finds: [.error(.cycle)], keys: ["Hen"]) {
            Shared(autowiring: Hen.init)
            Shared(autowiring: Egg.init)
        },
        Wiring("an alias whose target takes arguments", finds: [.error(.argumentMismatch), .unchecked]) {
            New({ _, kind in Diesel(kind: kind) }, as: (any Engine).self)
            New(autowiring: Car.init)
        },
        Wiring("an alias whose target is on the main actor", finds: [.error(.mainActorRequired), .unchecked]) {
            New(mainActor: { _ in Diesel() }, as: (any Engine).self)
            New(autowiring: Car.init)
        },
        Wiring("an alias whose target is asynchronous", finds: [.error(.asyncRequired)]) {
            New(async: { _ in Diesel() }, as: (any Engine).self)
            New(autowiring: Car.init)
        },
        Wiring(
            "a parent's main-actor registration that is decorated in a child of its own", finds: [.unchecked],
            in: DIContainer {
                Shared(mainActor: Diesel() as any Engine)
                Decorate((any Engine).self) { base, _ in Tuned(base) }
            }.makeChild()),
        Wiring("a closure that requests a main-actor type", finds: [.error(.mainActorRequired), .unchecked]) {
            Shared(mainActor: Piece<Int>())
            New { resolve in Piece<String>(resolve(Piece<Int>.self)) }
        },
        Wiring(
            "a parent's instance without the child's registrations", finds: [.error(.notRegistered)],
            keys: ["any Engine"],
            in: DIContainer { Shared { resolve in Car(engine: resolve()) } }.makeChild {
                Shared(Diesel() as any Engine)
            }),
        Wiring("a missing type that is declared and requested", finds: [.error(.notRegistered)], keys: ["Car"]) {
            Shared(autowiring: Dependent<Car>.init)
            Shared { resolve in Piece<Car>(resolve(Car.self)) }
        },
        Wiring("two plain factories of one New(async:)", finds: [.error(.asyncRequired), .error(.asyncRequired)]) {
            New(async: { _ in Diesel() })
            New(autowiring: Dependent<Diesel>.init)
            New { resolve in Piece<String>(try resolve.orThrow(Diesel.self)) }
        },
        Wiring("an asynchronous factory that cancels its own task", finds: [.error(.factoryFailed)]) {
            Shared(async: { _ -> Ticket in
                withUnsafeCurrentTask { $0?.cancel() }
                throw CancellationError()
            })
        },
        Wiring(
            "plain requests beside awaited types in any order",
            finds: [.error(.notRegistered), .error(.notRegistered)], keys: ["Piece<()>", "Int named \"number\""]
        ) {
            Shared { resolve in Car(engine: resolve()) }
            Shared { resolve in Piece<Int>(resolve(Piece<Void>.self)) }
            New { resolve in Ticket(number: resolve(name: "number")) }
            Shared(async: { _ in Diesel() as any Engine })
            Shared { resolve in Dependent<any Engine>(resolve()) }
        },
        Wiring(
            "two missing types with the same name, one of them declared",
            finds: [.error(.notRegistered), .error(.notRegistered)]
        ) {
            New(autowiring: { (_: Kitchen.Missing) in Piece<Int>() })
            New { resolve in Piece<String>(try resolve.orThrow(Garden.Missing.self)) }
        },
        Wiring(
            "faults of one type in two containers", finds: [.error(.factoryFailed), .error(.factoryFailed)],
            in: DIContainer {
                Shared { _ -> Diesel in throw Problem(text: "parent") }
                Shared { resolve in Piece<Int>(try resolve.orThrow(Diesel.self)) }
            }.makeChild { Shared { _ -> Diesel in throw Problem(text: "child") } }),
        Wiring(
            "two requests with different arguments",
            finds: [.error(.argumentMismatch), .error(.argumentMismatch), .unchecked]
        ) {
            New { (_, number: Int) in Ticket(number: number) }
            Shared { resolve in Piece<Int>(try resolve.orThrow(Ticket.self, arguments: "a")) }
            Shared { resolve in Piece<String>(try resolve.orThrow(Ticket.self, arguments: 1, 2)) }
        },
        Wiring(
            "a declared dependency and a request with different arguments",
            finds: [.error(.argumentMismatch), .error(.argumentMismatch), .unchecked]
        ) {
            New { (_, number: Int) in Ticket(number: number) }
            New(autowiring: Dependent<Ticket>.init)
            New { resolve in Piece<Int>(try resolve.orThrow(Ticket.self, arguments: "wrong")) }
        },
    ]

    @Test("finds", arguments: wirings)
    func finds(_ wiring: Wiring) async { wiring.check(await builtFindings(wiring.container)) }

    @Test("finds nothing in a container without faults, and builds none of its instances")
    func sound() async throws {
        let built = Counter()
        let container = DIContainer {
            Shared { resolve in built.counting(Piece<Int>(resolve(Piece<String>.self))) }
            New { _ in Piece<String>() }
            Weak { resolve in Piece<Double>(resolve(Piece<Int>.self)) }
            Scoped { resolve in try Piece<Float>(resolve.orThrow(Piece<Double>.self)) }
            Graph { _ in Piece<Bool>() }
            Shared(async: { resolve in Piece<Character>(try await resolve.async(Piece<UInt>.self)) })
            Shared(async: { _ in Piece<UInt>() })
            Shared(autowiring: { (piece: Piece<UInt>) in Piece<UInt8>(piece) })
            Shared(Diesel(), as: (any Engine).self)
            Decorate((any Engine).self) { base, _ in base }
        }
        let found = try await container.validate(.patient)
        #expect(found.map(\.kind) == [.unpreparedDependency])
        #expect(built.count == 1)
        #expect(container.registrations.allSatisfy { !$0.isBuilt })
        let child = container.makeChild { Shared(Piece<Int8>()) }
        #expect(await builtFindings(child).map(\.kind) == [.unpreparedDependency])
        #expect(built.count == 2)
    }

    @Test("reports a plain request for a missing type once, and continues in a new fork")
    func plainFaults() async throws {
        let line: UInt = #line + 3
        let others = Counter()
        let container = DIContainer {
            Shared { resolve in Piece<Int>(resolve(Piece<Void>.self)) }
            Shared { resolve in Piece<String>(resolve(Piece<Int>.self)) }
            Shared { _ in others.counting(Piece<Bool>()) }
            New { resolve in try Piece<Double>(resolve.orThrow(Piece<Void>.self)) }
        }
        let finding = try only(await builtFindings(container))
        #expect(finding.kind == .error(.notRegistered) && finding.key == "Piece<()>")
        #expect(finding.file == #fileID && finding.line == line)
        #expect(finding.path.map(\.id.description) == ["Piece<Int>"])
        #expect(
            finding.description.hasPrefix("Nothing is registered for Piece<()>.\n  requested at \(#fileID):\(line)"))
        #expect(others.count == 1)
        container.register { Shared(Piece<Void>()) }
        #expect(await builtFindings(container).isEmpty)
    }

    @Test("builds each asynchronous factory once, even if several plain factories fail")
    func awaitedOnce() async throws {
        let built = Counter()
        let app = DIContainer { Shared(async: { _ in built.counting(Piece<Int>()) }) }
        let container = app.makeChild {
            Scoped(async: { resolve in
                built.increment()
                return Piece<UInt>(try await resolve.async(Piece<Int>.self))
            })
            for name in ["first", "second"] as [RegistrationName] {
                Shared(
                    { resolve in
                        // The fault discards no awaited instance.
                        _ = (resolve(Piece<Int>.self), resolve(Piece<UInt>.self))
                        return Piece<String>(resolve(Piece<Void>.self))
                    }, name: name)
            }
            Shared(async: { _ -> Piece<Bool> in
                built.increment()
                throw Sabotage()
            })
            New { resolve in try Piece<Double>(resolve.orThrow(Piece<Bool>.self)) }
        }
        let found = await builtFindings(container)
        #expect(built.count == 3)
        #expect(found.map(\.kind) == [.error(.factoryFailed), .error(.notRegistered)], "\(found)")
    }

    @Test("reports a factory that blocks or suspends forever, after the given time", arguments: [true, false])
    func blocked(isAsync: Bool) async throws {
        let container = DIContainer {
            if isAsync {
                Shared(async: { _ in
                    try await Task.sleep(for: .seconds(3_600))
                    return Piece<Int>()
                })
            } else {
                Shared { _ in
                    Thread.sleep(forTimeInterval: 3_600)
                    return Piece<Int>()
                }
            }
            Shared { _ in Piece<String>() }
        }
        let begin = ContinuousClock.now
        let finding = try only(await builtFindings(container, .building(within: .seconds(1))))
        #expect(finding.kind == .blockedFactory && finding.isError && finding.key == "Piece<Int>")
        #expect(finding.description.hasPrefix("Building Piece<Int> takes longer than 1.0 seconds"))
        #expect(begin.duration(to: .now) < .seconds(1_000))
    }

    @Test("accepts the longest possible time limit")
    func longestLimit() async {
        let container = DIContainer { Shared(Diesel()) }
        #expect(await builtFindings(container, .building(within: .seconds(Int64.max))).isEmpty)
    }

    @Test("Registrations skipped for one reason are one finding, and each can be allowed")
    func uncheckedGroups() async throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared(mainActor: Piece<Int>())
            Shared(mainActor: Piece<String>())
            New { (_, number: Int) in Ticket(number: number) }
            Shared(mainActor: Piece<Bool>())
        }
        let found = try await container.validate(.patient)
        #expect(found.map(\.key) == ["Piece<Int>", "Ticket"])
        #expect(found.map(\.kind) == [.unchecked, .unchecked] && found.allSatisfy { !$0.isError })
        #expect(
            found.first?.description == """
                3 registrations were not built, because they are isolated to the main actor:
                    Piece<Int>  (registered at \(#fileID):\(line))
                    Piece<String>  (registered at \(#fileID):\(line + 1))
                    Piece<Bool>  (registered at \(#fileID):\(line + 3))
                  fix: write `.building(includingMainActor: true)`
                """)
        let allowed = try await container.validate(
            .patient, allowing: [.unchecked(Piece<Int>.self), .unchecked(Piece<String>.self)])
        #expect(allowed.map(\.key) == ["Ticket", "Piece<Bool>"])
        #expect(allowed.last?.description.hasPrefix("Piece<Bool> was not built, because it is isolated") == true)
        let none = try await container.validate(.patient, allowing: [.unchecked])
        #expect(none.isEmpty)
    }

    /// The mode in which nothing is skipped.
    private func complete(_ arguments: @escaping @Sendable (RegistrationInfo) -> [any Sendable]?) -> ValidationMode {
        .building(within: .seconds(1_000), includingMainActor: true, arguments: arguments)
    }

    @Test("builds with the supplied arguments and on the main actor")
    func suppliedInput() async throws {
        let container = DIContainer {
            New { (_, number: Int) in
                if number < 0 { throw Sabotage() }
                return Ticket(number: number)
            }
            Shared(mainActor: Piece<String>())
        }
        #expect(await builtFindings(container, complete { $0.type == Ticket.self ? [42] : nil }).isEmpty)
        let failing = try only(await builtFindings(container, complete { _ in [-1] }))
        #expect(failing.kind == .error(.factoryFailed) && failing.key == "Ticket")
        let mismatch = try only(await builtFindings(container, complete { _ in ["text"] }))
        #expect(mismatch.kind == .error(.argumentMismatch))
    }

    @Test("main-actor registrations are built there, and their errors are found")
    func mainActor() async throws {
        let container = DIContainer {
            Shared(mainActor: { resolve in
                MainActor.assertIsolated()
                return try Piece<String>(resolve.orThrow(Piece<Void>.self))
            })
        }
        let finding = try only(await builtFindings(container, complete { _ in nil }))
        #expect(finding.kind == .error(.notRegistered) && finding.path.map(\.id.description) == ["Piece<String>"])
    }

    @Test("requests the arguments and the actor of an alias's target")
    func argumentsOfAlias() async {
        let container = DIContainer {
            New({ _, kind in Diesel(kind: kind) }, as: (any Engine).self)
            Shared(mainActor: Piece<Int>(), as: (any Sendable).self)
        }
        let unchecked = await builtFindings(container)
        #expect(unchecked.map(\.kind) == [.unchecked, .unchecked])
        #expect(unchecked.map(\.key) == ["Diesel", "Piece<Int>"])
        #expect(await builtFindings(container, complete { $0.type == Diesel.self ? ["x"] : nil }).isEmpty)
    }

    @Test("reports a failure once, at the registration whose factory failed")
    func failures() async {
        let attempts = Counter()
        let line: UInt = #line + 3
        let container = DIContainer {
            Shared { resolve in Piece<Int>(try resolve.orThrow(Diesel.self)) }
            Shared { _ -> Diesel in throw Problem(text: "attempt \(attempts.increment())") }
            Shared { resolve in Piece<String>(try resolve.orThrow(Diesel.self)) }
            Weak { _ in 7 as any Sendable }
            Shared { resolve in Piece<Bool>(try resolve.orThrow((any Sendable).self)) }
        }
        let found = await builtFindings(container)
        #expect(found.map(\.kind) == [.error(.factoryFailed), .error(.weakValueType)], "\(found)")
        #expect(found.map(\.line) == [line, line + 2] && found.map(\.path.last?.line) == [line, line + 2])
        #expect(attempts.count == 3)
    }

    @Test("finds the same faults in a canceled task")
    func canceled() async {
        let container = DIContainer { Shared { _ -> Diesel in throw Sabotage() } }
        let task = Task { () -> [ValidationFinding] in
            while !Task.isCancelled { await Task.yield() }
            return await builtFindings(container)
        }
        task.cancel()
        #expect(await task.value.map(\.kind) == [.error(.factoryFailed)])
    }

    @Test("builds a parent's registrations in a copy, without the child's registrations")
    func child() async throws {
        let child = DIContainer {
            Shared(Diesel() as any Engine)
            Shared { resolve in Car(engine: resolve()) }
        }.makeChild {
            Shared(Diesel() as any Engine)
            Decorate((any Engine).self) { base, resolve in
                _ = resolve(Car.self)
                return Tuned(base)
            }
        }
        _ = try child.resolve.orThrow((any Engine).self)
        #expect(await builtFindings(child).isEmpty)
    }

    @Test("builds a factory's child of the current container with all its parents")
    func childOfCurrent() async throws {
        let app = DIContainer { Shared(Ticket(number: 1)) }
        let middle = app.makeChild {
            Shared { _ in
                Dependent(
                    DIContainer.current.makeChild {
                        Shared { resolve in "\(try resolve.orThrow(Ticket.self).number)" }
                    })
            }
        }
        let child = try middle.resolve.orThrow(Dependent<DIContainer>.self).dependency
        #expect(try child.resolve.orThrow(String.self) == "1")
        #expect(await builtFindings(child).isEmpty)
    }

    @Test("Rule 20: closes its instances, and still serves a task that a factory left")
    func closesAndServes() async throws {
        let closed = Log()
        let (requested, mayRequest) = (Counter(), Latch())
        let container = DIContainer {
            Shared(Diesel()).onClose { _ in closed.add("diesel") }
            Shared(async: { _ in Ticket(number: 1) }).onClose { _ in closed.add("ticket") }
            Shared { resolve in
                _ = resolve(Diesel.self)
                Task {
                    try await mayRequest.opening()
                    // If this plain request were refused, the program would stop.
                    _ = resolve(Diesel.self)
                    requested.increment()
                }
                return 1
            }
        }
        // Other tests may block the threads of all tasks.
        try await container.validate(.building(within: .seconds(60)))
        #expect(closed.all == ["diesel", "ticket"])
        mayRequest.open()
        #expect(await eventually { requested.count == 1 })
    }
}

extension ExitTests {
    @Test(
        "In validation by building, a plain request of an asynchronous factory or its task stops the program",
        arguments: [false, true])
    static func asynchronousPlainFault(_ isInTask: Bool) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isInTask] in
            let container = DIContainer {
                Shared(async: { resolve in
                    if isInTask { return await Task { Piece<Int>(resolve(Piece<Void>.self)) }.value }
                    try await Task.sleep(for: .milliseconds(1))
                    return Piece<Int>(resolve(Piece<Void>.self))
                })
            }
            try await container.validate(.building)
        }
        let text = result.standardError
        #expect(text.contains("Nothing is registered for Piece<()>."))
        if isInTask { return }
        #expect(text.contains("Fatal error: Validating Piece<Int>  (registered at \(#fileID):"))
        #expect(text.contains("stops here, because a plain request failed.\nNothing is registered for Piece<()>."))
    }

    @Test("After 100 failed plain requests, validation by building reports that the search ended")
    static func tooManyFaults() async throws {
        // In a process of its own, because each fault blocks a thread.
        await #expect(processExitsWith: .success) {
            let built = Counter()
            let container = DIContainer {
                for number in 0..<110 {
                    let name = RegistrationName("\(number)")
                    Shared(
                        { resolve in built.counting(Piece<Int>(resolve(Piece<Void>.self, name: name))) }, name: name)
                }
            }
            let found = await builtFindings(container)
            #expect(built.count == 100)
            #expect(found.map(\.kind) == Array(repeating: .error(.notRegistered), count: 100) + [.unchecked])
            let end = try #require(found.last)
            #expect(
                end.description.hasPrefix(
                    "100 builds have each blocked a thread permanently. So 10 registrations, Piece<Int> named \"100\" among "
                        + "them, were not built."))
        }
    }
}
