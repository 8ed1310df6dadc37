import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

private final class Part<Number>: Sendable {
    let needs: (any Sendable)?
    init(_ needs: (any Sendable)? = nil) { self.needs = needs }
}
private struct Refused: Error {}

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

@Suite("Validation by building everything once", .mayHang)
struct BuildingValidationTests {
    private func only(
        _ container: DIContainer, _ mode: ValidationMode = .patient,
        _ location: SourceLocation = #_sourceLocation
    ) async throws -> ValidationFinding {
        let found = await builtFindings(container, mode)
        #expect(found.count == 1, "\(found)", sourceLocation: location)
        return try #require(found.first, sourceLocation: location)
    }

    @Test("finds nothing in a container without faults, and builds none of its instances")
    func sound() async throws {
        let built = Counter()
        let container = DIContainer {
            Shared { resolve in built.counting(Part<Int>(resolve(Part<String>.self))) }
            New { _ in Part<String>() }
            Weak { resolve in Part<Double>(resolve(Part<Int>.self)) }
            Scoped { resolve in try Part<Float>(resolve.orThrow(Part<Double>.self)) }
            Graph { _ in Part<Bool>() }
            Shared(async: { resolve in Part<Character>(try await resolve.async(Part<UInt>.self)) })
            Shared(async: { _ in Part<UInt>() })
            Shared(autowiring: { (part: Part<UInt>) in Part<UInt8>(part) })
            Shared(Diesel(), as: (any Engine).self)
            Decorate((any Engine).self) { base, _ in base }
        }
        let found = try await container.validate(.patient)
        #expect(found.map(\.kind) == [.unpreparedDependency])
        #expect(built.count == 1)
        #expect(container.registrations.allSatisfy { !$0.isBuilt })
        let child = container.makeChild { Shared(Part<Int8>()) }
        #expect(await builtFindings(child).map(\.kind) == [.unpreparedDependency])
        #expect(built.count == 2)
    }

    @Test("reports a plain request for a missing type once, and continues in a new fork")
    func plainFaults() async throws {
        let line: UInt = #line + 3
        let others = Counter()
        let container = DIContainer {
            Shared { resolve in Part<Int>(resolve(Part<Void>.self)) }
            Shared { resolve in Part<String>(resolve(Part<Int>.self)) }
            Shared { _ in others.counting(Part<Bool>()) }
            New { resolve in try Part<Double>(resolve.orThrow(Part<Void>.self)) }
        }
        let finding = try await only(container)
        #expect(finding.kind == .error(.notRegistered) && finding.isError && finding.key == "Part<()>")
        #expect(finding.file == #fileID && finding.line == line)
        #expect(finding.path.map(\.key) == ["Part<Int>"])
        #expect(finding.description.hasPrefix("Nothing is registered for Part<()>.\n  requested at \(#fileID):\(line)"))
        #expect(others.count == 1)
        container.register { Shared(Part<Void>()) }
        #expect(await builtFindings(container).isEmpty)
    }

    @Test("reports a cycle of plain requests and one of throwing factories", arguments: [true, false])
    func cycle(isPlain: Bool) async throws {
        let container = DIContainer {
            Shared { resolve in
                Part<Int>(isPlain ? resolve(Part<String>.self) : try resolve.orThrow(Part<String>.self))
            }
            Shared { resolve in
                Part<String>(isPlain ? resolve(Part<Int>.self) : try resolve.orThrow(Part<Int>.self))
            }
        }
        let found = await builtFindings(container)
        #expect(found.map(\.kind) == [.error(.cycle)] && found.map(\.key) == ["Part<Int>"])
        let declared = DIContainer {
            Shared(autowiring: Hen.init)
            Shared(autowiring: Egg.init)
        }
        #expect(await builtFindings(declared).count { $0.kind == .error(.cycle) && $0.key == "Hen" } == 1)
    }

    @Test("builds each asynchronous factory once, even if several plain factories fail")
    func awaitedOnce() async throws {
        let built = Counter()
        let app = DIContainer {
            for number in 0..<10 {
                Shared(
                    async: { _ in built.counting(Part<Int>(number)) }, name: .init("\(number)"))
            }
        }
        let container = app.makeChild {
            for number in 10..<20 {
                Scoped(
                    async: { resolve in
                        built.increment()
                        return Part<Int>(try await resolve.async(Part<Int>.self, name: .init("\(number - 10)")))
                    }, name: .init("\(number)"))
            }
            for number in 0..<50 {
                Shared(
                    { resolve in
                        // The fault discards no awaited instance.
                        for number in 0..<20 { _ = resolve(Part<Int>.self, name: .init("\(number)")) }
                        return Part<String>(resolve(Part<Void>.self))
                    }, name: .init("\(number)"))
            }
            Shared(async: { _ -> Part<Bool> in
                built.increment()
                throw Refused()
            })
            New { resolve in try Part<Double>(resolve.orThrow(Part<Bool>.self)) }
        }
        let found = await builtFindings(container)
        #expect(built.count == 21)
        #expect(found.map(\.kind) == [.error(.factoryFailed), .error(.notRegistered)], "\(found)")
    }

    @Test("reports a factory that blocks or suspends forever, after the given time", arguments: [true, false])
    func blocked(isAsync: Bool) async throws {
        let container = DIContainer {
            if isAsync {
                Shared(async: { _ in
                    try await Task.sleep(for: .seconds(3_600))
                    return Part<Int>()
                })
            } else {
                Shared { _ in
                    Thread.sleep(forTimeInterval: 3_600)
                    return Part<Int>()
                }
            }
            Shared { _ in Part<String>() }
        }
        let begin = ContinuousClock.now
        let finding = try await only(container, .building(within: .seconds(1)))
        #expect(finding.kind == .blockedFactory && finding.isError && finding.key == "Part<Int>")
        #expect(finding.description.hasPrefix("Building Part<Int> takes longer than 1.0 seconds"))
        #expect(begin.duration(to: .now) < .seconds(1_000))
    }

    @Test("Registrations skipped for one reason are one finding, and each can be allowed")
    func uncheckedGroups() async throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            Shared(mainActor: Part<Int>())
            Shared(mainActor: Part<String>())
            New { (_, number: Int) in Ticket(number: number) }
            Shared(mainActor: Part<Bool>())
        }
        let found = try await container.validate(.patient)
        #expect(found.map(\.key) == ["Part<Int>", "Ticket"])
        #expect(
            found.first?.description == """
                3 registrations were not built, because they are isolated to the main actor:
                    Part<Int>  (registered at \(#fileID):\(line))
                    Part<String>  (registered at \(#fileID):\(line + 1))
                    Part<Bool>  (registered at \(#fileID):\(line + 3))
                  fix: write `.building(includingMainActor: true)`
                """)
        let allowed = try await container.validate(
            .patient, allowing: [.unchecked(Part<Int>.self), .unchecked(Part<String>.self)])
        #expect(allowed.map(\.key) == ["Ticket", "Part<Bool>"])
        #expect(allowed.last?.description.hasPrefix("Part<Bool> was not built, because it is isolated") == true)
        let none = try await container.validate(.patient, allowing: [.unchecked])
        #expect(none.isEmpty)
    }

    @Test("without supplied arguments or off the main actor, a registration is unchecked")
    func unchecked() async throws {
        let container = DIContainer {
            New { (_, number: Int) in
                if number < 0 { throw Refused() }
                return Part<Int>(number)
            }
            Shared(mainActor: Part<String>())
        }
        let found = try await container.validate(.patient)
        #expect(found.map(\.kind) == [.unchecked, .unchecked] && found.allSatisfy { !$0.isError })
        let complete = ValidationMode.building(within: .seconds(1_000), includingMainActor: true) {
            $0.type == Part<Int>.self ? [42] : nil
        }
        #expect(await builtFindings(container, complete).isEmpty)
        let failing = try await only(
            container, .building(within: .seconds(1_000), includingMainActor: true) { _ in [-1] })
        #expect(failing.kind == .error(.factoryFailed) && failing.key == "Part<Int>")
        let mismatch = try await only(
            container, .building(within: .seconds(1_000), includingMainActor: true) { _ in ["text"] })
        #expect(mismatch.kind == .error(.argumentMismatch))
    }

    @Test("main-actor registrations are built there, and their errors are found")
    func mainActor() async throws {
        let container = DIContainer {
            Shared(mainActor: { resolve in
                MainActor.assertIsolated()
                return try Part<String>(resolve.orThrow(Part<Void>.self))
            })
        }
        let finding = try await only(container, .building(within: .seconds(1_000), includingMainActor: true))
        #expect(finding.kind == .error(.notRegistered) && finding.path.map(\.key) == ["Part<String>"])
    }

    @Test("reports faults of all kinds once, whether declared or found by building")
    func allKinds() async throws {
        let container = DIContainer {
            Shared(autowiring: Repair.init)  // Car is missing.
            Shared { resolve in Part<Car>(resolve(Car.self)) }
            Shared { resolve in Part<Int>(resolve(Part<Void>.self)) }
            Shared { resolve in Part<Int8>(resolve(Part<Int16>.self)) }
            Shared { resolve in Part<Int16>(resolve(Part<Int16>.self)) }
            Shared { _ -> Part<Int32> in throw Refused() }
            Shared { resolve in try Part<Int64>(resolve.orThrow(Part<Int32>.self)) }
            New { (_, text: String) in Part<UInt8>(text) }
            New { resolve in Part<UInt16>(resolve(Part<UInt8>.self)) }
            Shared(mainActor: Part<UInt32>())
            New { resolve in Part<UInt64>(resolve(Part<UInt32>.self)) }
            New(async: { _ in Part<Float>() })
            New { resolve in Part<Double>(resolve(Part<Float>.self)) }
            Weak { _ in 7 as any Sendable }
            Shared({ _ in Part<Bool>() }, as: (any Engine).self)
            Shared { _ in Vehicle?.none }
        }
        let found = await builtFindings(container)
        let expected: [(ValidationFinding.Kind, String)] = [
            (.error(.notRegistered), "Car"), (.error(.notRegistered), "Part<()>"), (.error(.cycle), "Part<Int16>"),
            (.error(.factoryFailed), "Part<Int32>"), (.error(.argumentMismatch), "Part<UInt8>"),
            (.error(.mainActorRequired), "Part<UInt32>"), (.error(.asyncRequired), "Part<Float>"),
            (.error(.weakValueType), "Any"),
            (.error(.typeMismatch), "any Engine"), (.unchecked, "Part<UInt8>"), (.unchecked, "Part<UInt32>"),
            (.optionalRegistration, "Optional<Vehicle>"),
        ]
        for (kind, key) in expected {
            #expect(found.count { $0.kind == kind && $0.key == key } == 1, "\(key)\n\(found)")
        }
        #expect(found.count == expected.count, "\(found)")
    }

    @Test("Rule 20: closes its instances, and still serves a task that a factory left")
    func closesAndServes() async throws {
        let closed = Locked<[String]>([])
        let (requested, mayRequest) = (Counter(), Gate())
        let container = DIContainer {
            Shared(Diesel()).onClose { _ in closed.withLock { $0.append("diesel") } }
            Shared(async: { _ in Ticket(number: 1) }).onClose { _ in closed.withLock { $0.append("ticket") } }
            Shared { resolve in
                _ = resolve(Diesel.self)
                Task {
                    try await mayRequest.wait()
                    // If this plain request were refused, the program would stop.
                    _ = resolve(Diesel.self)
                    requested.increment()
                }
                return 1
            }
        }
        // Other tests may block the threads of all tasks.
        try await container.validate(.building(within: .seconds(60)))
        #expect(closed.withLock { $0 } == ["diesel", "ticket"])
        mayRequest.open()
        #expect(await eventually { requested.count == 1 })
    }

    @Test("Rule 20: an `onClose` that fails is an error")
    func failingEnd() async {
        let container = DIContainer { Shared(Diesel()).onClose { _ in throw Sabotage() } }
        #expect(await builtFindings(container).map(\.kind) == [.failedOnClose])
    }
}

private protocol Shape: Sendable {}
private final class Square: Shape { init(_ id: Int = 0) {} }
private final class Framed: Shape { init(_ base: any Shape) {} }
private final class House: Sendable { init(_ shape: any Shape) {} }
private final class Street: Sendable { init(_ needs: any Sendable) {} }

@Suite("Validation by building: children, aliases and failures")
struct BuildingInTreesTests {
    @Test("builds a parent's registrations in a copy, without the child's registrations")
    func child() async throws {
        let parent = DIContainer {
            Shared(Square() as any Shape)
            Shared { resolve in House(resolve()) }
        }
        let decorating = parent.makeChild {
            Shared(Square() as any Shape)
            Decorate((any Shape).self) { base, resolve in
                _ = resolve(House.self)
                return Framed(base)
            }
        }
        _ = try decorating.resolve.orThrow((any Shape).self)
        #expect(await builtFindings(decorating).isEmpty)
        let other = DIContainer { Shared { resolve in House(resolve()) } }
        let missing = await builtFindings(other.makeChild { Shared(Square() as any Shape) })
        #expect(missing.map(\.kind) == [.error(.notRegistered)] && missing.map(\.key) == ["any Shape"])
    }

    @Test("requests the arguments and the actor of an alias's target")
    func aliases() async {
        let container = DIContainer {
            New({ _, id in Square(id) }, as: (any Shape).self)
            Shared(mainActor: Street(0), as: (any Sendable).self)
        }
        let unchecked = await builtFindings(container)
        #expect(unchecked.map(\.kind) == [.unchecked, .unchecked])
        #expect(unchecked.map(\.key) == ["Square", "Street"])
        let mode = ValidationMode.building(within: .seconds(1_000), includingMainActor: true) {
            $0.type == Square.self ? [1] : nil
        }
        #expect(await builtFindings(container, mode).isEmpty)
        let child = DIContainer {
            Shared(mainActor: Square() as any Shape)
            Decorate((any Shape).self) { base, _ in Framed(base) }
        }.makeChild()
        #expect(child.registrations.map(\.isMainActor) == [true])
        #expect(await builtFindings(child).map(\.kind) == [.unchecked])
    }

    @Test("finds the same faults in a canceled task")
    func canceled() async {
        let container = DIContainer { Shared { _ -> Square in throw Refused() } }
        let task = Task { () -> [ValidationFinding] in
            while !Task.isCancelled { await Task.yield() }
            return await builtFindings(container)
        }
        task.cancel()
        #expect(await task.value.map(\.kind) == [.error(.factoryFailed)])
    }

    @Test("reports an asynchronous factory that cancels its own task")
    func givesUp() async {
        let container = DIContainer {
            Shared(async: { _ -> Square in
                withUnsafeCurrentTask { $0?.cancel() }
                throw CancellationError()
            })
        }
        #expect(await builtFindings(container).map(\.kind) == [.error(.factoryFailed)])
    }

    @Test("builds awaited types first, and again after a fault, in any order")
    func order() async {
        let container = DIContainer {
            Shared { resolve in House(resolve()) }
            Shared { resolve in Street(resolve(Missing.self)) }
            New { resolve in Square(resolve(name: "number")) }
            Shared(async: { _ in Square() as any Shape })
            Shared { resolve in Framed(resolve()) }
        }
        let found = await builtFindings(container)
        #expect(found.map(\.key) == ["Missing", "Int named \"number\""], "\(found)")
    }

    @Test("accepts the longest possible time limit")
    func never() async {
        let container = DIContainer { Shared(Square()) }
        #expect(await builtFindings(container, .building(within: .seconds(Int64.max))).isEmpty)
    }

    private struct Part: Sendable { let container: DIContainer }

    @Test("builds a factory's child of the current container with all its parents")
    func childOfCurrent() async throws {
        let app = DIContainer { Shared(Ticket(number: 1)) }
        let middle = app.makeChild {
            Shared { _ in
                Part(
                    container: DIContainer.current.makeChild {
                        Shared { resolve in "\(try resolve.orThrow(Ticket.self).number)" }
                    })
            }
        }
        let child = try middle.resolve.orThrow(Part.self).container
        #expect(try child.resolve.orThrow(String.self) == "1")
        #expect(await builtFindings(child).isEmpty)
    }
}

private enum First { struct Missing: Sendable {} }
private enum Second { struct Missing: Sendable {} }
private struct Attempt: Error { let number: Int }

@Suite("The report of validation by building")
struct BuildingReportTests {
    @Test("distinguishes missing types with the same name if one of them is declared")
    func names() async {
        let found = await builtFindings(
            DIContainer {
                New(autowiring: { (_: First.Missing) in Part<Int>() })
                New { resolve in Part<String>(try resolve.orThrow(Second.Missing.self)) }
            })
        #expect(found.map(\.kind) == [.error(.notRegistered), .error(.notRegistered)])
    }

    @Test("reports a fault behind an alias once, as a dependency and as a failure")
    func aliases() async {
        let mismatch = DIContainer {
            New({ _, id in Square(id) }, as: (any Shape).self)
            New(autowiring: House.init)
        }
        let mainActor = DIContainer {
            New(mainActor: { _ in Square(1) }, as: (any Shape).self)
            New(autowiring: House.init)
        }
        let asynchronous = DIContainer {
            New(async: { _ in Square(1) }, as: (any Shape).self)
            New(autowiring: House.init)
        }
        let expected: [(DIContainer, ResolutionError.Reason)] = [
            (mismatch, .argumentMismatch), (mainActor, .mainActorRequired), (asynchronous, .asyncRequired),
        ]
        for (container, reason) in expected {
            let found = await builtFindings(container)
            #expect(found.count { $0.kind == .error(reason) } == 1, "\(found)")
        }
    }

    @Test("reports a failure once, at the registration whose factory failed")
    func failures() async {
        let attempts = Counter()
        let line: UInt = #line + 3
        let container = DIContainer {
            Shared { resolve in Part<Int>(try resolve.orThrow(Square.self)) }
            Shared { _ -> Square in throw Attempt(number: attempts.increment()) }
            Shared { resolve in Part<String>(try resolve.orThrow(Square.self)) }
            Weak { _ in 7 as any Sendable }
            Shared { resolve in Part<Bool>(try resolve.orThrow((any Sendable).self)) }
        }
        let found = await builtFindings(container)
        #expect(found.map(\.kind) == [.error(.factoryFailed), .error(.weakValueType)], "\(found)")
        #expect(found.map(\.line) == [line, line + 2] && found.map(\.path.last?.line) == [line, line + 2])
        #expect(attempts.count == 3)
    }

    @Test("distinguishes faults of one type by container and by request")
    func differentFaults() async {
        let parent = DIContainer {
            Shared { _ -> Square in throw Attempt(number: 1) }
            Shared { resolve in Part<Int>(try resolve.orThrow(Square.self)) }
        }
        let child = parent.makeChild { Shared { _ -> Square in throw Attempt(number: 2) } }
        #expect(await builtFindings(child).map(\.kind) == [.error(.factoryFailed), .error(.factoryFailed)])
        let mismatches = DIContainer {
            New { (_, id: Int) in Square(id) }
            Shared { resolve in Part<Int>(try resolve.orThrow(Square.self, arguments: "a")) }
            Shared { resolve in Part<String>(try resolve.orThrow(Square.self, arguments: 1, 2)) }
        }
        #expect(await builtFindings(mismatches).count { $0.kind == .error(.argumentMismatch) } == 2)
    }

    @Test("reports each plain factory that requests a New(async:)")
    func usersOfAwaited() async {
        let found = await builtFindings(
            DIContainer {
                New(async: { _ in Square(1) })
                New(autowiring: { (_: Square) in Part<Int>() })
                New { resolve in Part<String>(try resolve.orThrow(Square.self)) }
            })
        let lines = Set(found.filter { $0.kind == .error(.asyncRequired) }.map(\.path.first?.key))
        #expect(lines.count == 2, "\(found)")
    }
}

private final class Worker: Sendable { init(_ needs: Missing? = nil) {} }
private final class Missing: Sendable {}

extension ExitTests {
    @Suite("Validation by building, if a plain request stops the thread or program") struct StoppedThreadTests {}
}

extension ExitTests.StoppedThreadTests {
    @Test("a plain request of an asynchronous factory or of its task stops the program", arguments: [false, true])
    func asynchronousPlainFault(_ isInTask: Bool) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isInTask] in
            let container = DIContainer {
                Shared(async: { resolve in
                    if isInTask { return await Task { Worker(resolve(Missing.self)) }.value }
                    try await Task.sleep(for: .milliseconds(1))
                    return Worker(resolve(Missing.self))
                })
            }
            try await container.validate(.building)
        }
        let text = standardError(of: result)
        #expect(text.contains("Nothing is registered for Missing."))
        if isInTask { return }
        #expect(text.contains("Fatal error: Validating Worker  (registered at \(#fileID):"))
        #expect(text.contains("stops here, because a plain request failed.\nNothing is registered for Missing."))
    }

    @Test("after 100 failed plain requests, reports that the search ended")
    func tooManyFaults() async throws {
        // In a process of its own, because each fault blocks a thread.
        await #expect(processExitsWith: .success) {
            let built = Counter()
            let container = DIContainer {
                for number in 0..<110 {
                    Shared(
                        { resolve in built.counting(Worker(resolve(Missing.self, name: .init("\(number)")))) },
                        name: .init("\(number)"))
                }
            }
            let found = await builtFindings(container)
            #expect(built.count == 100)
            #expect(found.map(\.kind) == Array(repeating: .error(.notRegistered), count: 100) + [.unchecked])
            let end = try #require(found.last)
            #expect(
                end.description.hasPrefix(
                    "100 builds have each blocked a thread permanently. So 10 registrations, Worker named \"100\" among them, "
                        + "were not built."))
        }
    }
}
