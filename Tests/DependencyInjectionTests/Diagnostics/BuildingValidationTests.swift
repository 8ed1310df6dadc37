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
            Shared { resolve in
                built.increment()
                return Part<Int>(resolve(Part<String>.self))
            }
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
            Shared { _ in
                others.increment()
                return Part<Bool>()
            }
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
                    async: { _ in
                        built.increment()
                        return Part<Int>(number)
                    }, name: .init("\(number)"))
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
        #expect(found[0].description.contains("\n  fix: pass arguments with `.building(arguments:)`"))
        #expect(found[1].description.contains("\n  fix: write `.building(includingMainActor: true)`"))
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

    @Test("Rule 20: an `onClose` that fails is an error, with the registration")
    func failingEnd() async throws {
        let container = DIContainer { Shared(Diesel()).onClose { _ in throw Sabotage() } }
        do {
            try await container.validate(.building)
            Issue.record("It was not noticed.")
        } catch {
            #expect(error.findings.map(\.kind) == [.failedOnClose])
            #expect(error.description.contains("The `onClose` of Diesel failed: sabotaged"))
        }
    }
}
