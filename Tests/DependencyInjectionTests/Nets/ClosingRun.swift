import DependencyInjectionDiagnostics
import Foundation
import Synchronization
import Testing

@testable import DependencyInjection

/// Arranges a row, and finds out whether the request had the expected outcome and whether everything was closed.
///
/// A wait that ends without success is one of the problems.
final class ClosingRun: Sendable {
    private let row: ClosingRow
    private let child: DIContainer
    private let containers: [ClosingRow.Place: DIContainer]
    private let stage: Stage
    /// The providers, injected while the container is open.
    private let products: Provider<Product>
    private let ports: Provider<any Port>

    init(_ row: ClosingRow) throws {
        let stage = Stage()
        self.row = row
        self.stage = stage
        let parent = DIContainer { Self.registrations(.parent, row, stage) }
        child = parent.makeChild { Self.registrations(.child, row, stage) }
        containers = [.parent: parent, .child: child]
        products = try child.resolve.orThrow()
        ports = try child.resolve.orThrow()
    }

    // MARK: Registrations

    /// An instance that counts itself.
    private class Product: Port, @unchecked Sendable {  // Immutable.
        private let stage: Stage
        private let closings = Counter()

        /// - Parameter isClosable: Whether `close()` is expected to run a handler.
        init(_ stage: Stage, isClosable: Bool) {
            self.stage = stage
            stage.built.increment()
            if isClosable { stage.opened.increment() }
        }

        deinit { stage.released.increment() }

        func close() {
            stage.closed.increment()
            if closings.increment() > 1 { stage.report("A handler ran twice.") }
        }
    }
    private final class Dependency: Product, @unchecked Sendable {}

    @RegistrationBuilder
    private static func registrations(_ place: ClosingRow.Place, _ row: ClosingRow, _ stage: Stage) -> [Registration] {
        if place == row.owner {
            product(of: row, stage)
            if row.moment == .decorating {
                Decorate(Product.self) { base, _ in
                    stage.pause()
                    return base
                }
            }
            if row.moment == .repeated {
                // Opened after the product, and closed before it.
                Decorate(Product.self) { base, resolve in
                    _ = try resolve.orThrow(Pool.self, name: row.closer.name)
                    return base
                }
            }
            if row.moment == .decoratingAlias {
                Decorate((any Port).self) { base, _ in
                    stage.pause()
                    return base
                }
            }
        }
        if row.dependencies.contains(place) {
            Shared(Dependency(stage, isClosable: true), name: place.name).onClose { $0.close() }
        }
        // Its handler prolongs closing until the request has ended.
        Shared(Pool(), name: place.name).onClose { _ in
            stage.isPoolClosing.open()
            if !(await eventually { stage.mayEndPool.isOpen }) { stage.report("The pool was not continued.") }
        }
        // Its factory holds the queue.
        Shared(name: place.name) { _ in
            stage.isBlocked.open()
            stage.wait(for: stage.mayUnblock, "The queue was not freed.")
            return Thing()
        }
    }

    @RegistrationBuilder private static func product(of row: ClosingRow, _ stage: Stage) -> [Registration] {
        let make: @Sendable (Resolver) -> Product = { resolve in
            let product = Product(stage, isClosable: row.kind.isClosable)
            if [.running, .runningDuringHandlers, .repeated].contains(row.moment) { stage.pause() }
            for place in row.dependencies {
                let outcome = ClosingRun.outcome { _ = try resolve.orThrow(Dependency.self, name: place.name) }
                stage.dependencies.withLock { $0[place] = outcome }
            }
            return product
        }
        let makeLater: @Sendable (Resolver) async -> Product = { resolve in
            let product = Product(stage, isClosable: row.kind.isClosable)
            switch row.moment {
            case .running, .runningDuringHandlers, .repeated, .waiting, .resuming:
                // Suspends the task of the request until `close()` has begun.
                stage.isPaused.open()
                if !(await eventually { stage.mayContinue.isOpen }) { stage.report("The request was not continued.") }
            default: break
            }
            // A build would wait for the thread that holds the queue.
            for place in row.moment == .waiting ? [] : row.dependencies {
                var outcome = ClosingRow.Outcome.served
                do { _ = try await resolve.async(Dependency.self, name: place.name) } catch {
                    outcome = ClosingRow.Outcome(error)
                }
                stage.dependencies.withLock { $0[place] = outcome }
            }
            return product
        }
        switch row.kind {
        case .shared: Shared(make, as: (any Port).self).onClose { $0.close() }
        case .weak: Weak(make, as: (any Port).self)
        case .scoped: Scoped(make, as: (any Port).self).onClose { $0.close() }
        case .new: New(make, as: (any Port).self)
        case .graph: Graph(make, as: (any Port).self)
        case .sharedAsync: Shared(async: makeLater, as: (any Port).self).onClose { $0.close() }
        case .scopedAsync: Scoped(async: makeLater, as: (any Port).self).onClose { $0.close() }
        case .newAsync: New(async: makeLater, as: (any Port).self)
        case .missing: if false { Shared(1) }
        }
    }

    // MARK: Requests

    private static func outcome(_ work: () throws -> Void) -> ClosingRow.Outcome {
        do {
            try work()
            return .served
        } catch { return ClosingRow.Outcome(error) }
    }

    /// Requests the product, and retains it until the end of the row.
    private func request(_ form: ClosingRow.Form) -> ClosingRow.Outcome {
        func request<T: Sendable>(_ type: T.Type, by provider: Provider<T>) throws {
            let instances: [T] =
                switch form {
                case .plain: [try child.resolve.orThrow(type)]
                case .optional: [try child.resolve.orThrow(T?.self)].compactMap { $0 }
                case .all: try child.resolve.orThrow.all(type)
                case .provider: [try provider.orThrow()]
                case .newProvider: [try child.resolve.orThrow(Provider<T>.self).orThrow()]
                }
            stage.retain(instances)
        }
        return Self.outcome {
            row.isAlias ? try request((any Port).self, by: ports) : try request(Product.self, by: products)
        }
    }

    /// Requests the product from a task.
    private func requestLater(
        _ form: ClosingRow.Form, isolation: isolated (any Actor)? = #isolation
    ) async -> ClosingRow.Outcome {
        func request<T: Sendable>(_ type: T.Type) async throws {
            let instances: [T] =
                switch form {
                case .plain, .provider, .newProvider: [try await child.resolve.async(type)]
                case .optional: [try await child.resolve.async(T?.self)].compactMap { $0 }
                case .all: Array(try await child.resolve.async(All<T>.self))
                }
            stage.retain(instances)
        }
        do {
            if row.isAlias { try await request((any Port).self) } else { try await request(Product.self) }
            return .served
        } catch { return ClosingRow.Outcome(error) }
    }

    /// A caller whose executor can be paused.
    private actor Caller {
        let executor = PausableExecutor()

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    }

    private final class PausableExecutor: SerialExecutor {
        let queue = DispatchQueue(label: "PausableExecutor")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    // MARK: The row

    /// Runs the row. Returns a text for each unexpected outcome.
    func problems() -> [String] {
        let caller = Caller()
        let begin = { [self] in
            if row.kind.isAsync {
                let (result, isDone) = (Locked(ClosingRow.Outcome.other("The request did not end.")), Latch())
                Task {
                    let outcome = await requestLater(row.form, isolation: caller)
                    result.withLock { $0 = outcome }
                    isDone.open()
                }
                return { [self] in
                    stage.wait(for: isDone, "The request did not end.")
                    return result.withLock { $0 }
                }
            }
            let thread = BackgroundThread { [self] in request(row.form) }
            return { thread.result() ?? .other("The request did not end.") }
        }
        let outcome = arrange(begin, caller)
        if outcome != row.expectation { stage.report("expected \(row.expectation), but: \(outcome)") }
        for (place, outcome) in stage.dependencies.withLock({ $0 }) {
            let expectation = row.expectation(ofDependencyIn: place)
            if outcome != expectation {
                stage.report("expected \(expectation) for the dependency in the \(place), but: \(outcome)")
            }
        }
        // Closes both containers. Then everything is closed and released, and nothing is built any more.
        for place in ClosingRow.Place.allCases { beginClosing(place)() }
        let built = stage.built.count
        for form in ClosingRow.Form.allCases {
            if request(form) != .refused { stage.report("\(form) was served after the end.") }
        }
        let isDone = Latch()
        Task {
            for form in ClosingRow.Form.allCases {
                let outcome = await requestLater(form)
                if outcome != .refused { stage.report("\(form) was served to a task after the end.") }
            }
            isDone.open()
        }
        stage.wait(for: isDone, "The last request did not end.")
        if stage.built.count != built { stage.report("An instance was built after the end.") }
        if stage.opened.count != stage.closed.count {
            stage.report("\(stage.opened.count) instances were opened, and \(stage.closed.count) closed.")
        }
        stage.retained.withLock { $0 = [] }
        // The tasks and threads of the row may retain an instance for a moment.
        if !eventually({ stage.released.count == built }) { stage.report("An instance was not released.") }
        return stage.problems.withLock { $0 }.map { "\(row): \($0)" }
    }

    /// Makes the request, and closes at the moment of the row.
    private func arrange(_ begin: () -> () -> ClosingRow.Outcome, _ caller: Caller) -> ClosingRow.Outcome {
        switch row.moment {
        case .waiting:
            let started = row.kind.isAsync ? begin() : nil
            if row.kind.isAsync { stage.wait(for: stage.isPaused, "The factory did not begin.") }
            let blocked = BackgroundThread { [self] in
                Self.outcome {
                    _ = try containers[row.builder]!.resolve.orThrow(Thing.self, name: row.builder.name)
                }
            }
            stage.wait(for: stage.isBlocked, "The queue was not taken.")
            stage.mayContinue.open()
            let request = started ?? begin()
            let core = containers[row.builder]!.core
            if !eventually({ core.queue.entrants.load(ordering: .relaxed) == 2 }) {
                stage.report("The request did not wait.")
            }
            let waitForClose = beginClosing()
            defer { waitForClose() }
            stage.mayUnblock.open()
            if blocked.result() != .served { stage.report("The blocking build failed.") }
            return request()
        case .running, .decorating, .decoratingAlias:
            let request = begin()
            stage.wait(for: stage.isPaused, "The factory did not begin.")
            let waitForClose = beginClosing()
            // It doesn't wait for a build of another container, nor for one that isn't cached.
            if !row.isAwaited { waitForClose() }
            defer { waitForClose() }
            stage.mayContinue.open()
            return request()
        case .runningDuringHandlers:
            buildPool()
            let request = begin()
            stage.wait(for: stage.isPaused, "The factory did not begin.")
            let waitForClose = beginClosing()
            stage.wait(for: stage.isPoolClosing, "The pool was not closed.")
            stage.mayContinue.open()
            let outcome = request()
            stage.mayEndPool.open()
            waitForClose()
            return outcome
        case .repeated:
            let request = begin()
            stage.wait(for: stage.isPaused, "The factory did not begin.")
            let waitForClose = beginClosing()
            stage.mayContinue.open()
            if request() != .served { stage.report("The first request failed.") }
            stage.wait(for: stage.isPoolClosing, "The pool was not closed.")
            let outcome = begin()()
            stage.mayEndPool.open()
            waitForClose()
            return outcome
        case .resuming(let isBuilt):
            let request = begin()
            stage.wait(for: stage.isPaused, "The factory did not begin.")
            caller.executor.queue.suspend()
            if isBuilt { endBuild() }
            let waitForClose = beginClosing()
            if isBuilt || !row.isAwaited { waitForClose() }
            endBuild()
            waitForClose()
            caller.executor.queue.resume()
            return request()
        case .closing, .handled, .closed:
            if row.moment == .handled { buildPool() }
            if row.moment.isBuilt, begin()() != .served { stage.report("The first request failed.") }
            if case .closing = row.moment { buildPool() }
            let waitForClose = beginClosing()
            if case .closed = row.moment {
                waitForClose()
            } else {
                stage.wait(for: stage.isPoolClosing, "The pool was not closed.")
            }
            let outcome = begin()()
            stage.mayEndPool.open()
            waitForClose()
            return outcome
        }
    }

    /// Lets the factory end, and waits until the builder caches the instance.
    private func endBuild() {
        stage.mayContinue.open()
        let builder = containers[row.builder]!
        let isBuilt = eventually {
            builder.core.lifecycle.withLock { !$0.serves(closableID: nil) }
                || builder.snapshots.contains { $0.key.isRequested(as: Product.self) && $0.isBuilt }
        }
        if !isBuilt { stage.report("The instance was not cached.") }
    }

    private func buildPool() {
        if Self.outcome({ _ = try containers[row.closer]!.resolve.orThrow(Pool.self, name: row.closer.name) })
            != .served
        {
            stage.report("The pool was not built.")
        }
    }

    // MARK: Closing

    /// Calls `close()` in a task, and waits until it has begun. Returns a function that waits until it has ended.
    private func beginClosing(_ place: ClosingRow.Place? = nil) -> () -> Void {
        let container = containers[place ?? row.closer]!
        let hasEnded = Latch()
        Task { [stage] in
            do { try await container.close() } catch { stage.report("\(error)") }
            hasEnded.open()
        }
        let hasBegun = eventually {
            failure { _ = try container.resolve.orThrow(Car.self) }?.reason == .closed
        }
        if !hasBegun { stage.report("close() did not begin.") }
        return { [stage] in stage.wait(for: hasEnded, "close() did not end.") }
    }
}

/// Everything that the threads of a row share.
private final class Stage: Sendable {
    let (isPaused, mayContinue) = (Latch(), Latch())
    let (isBlocked, mayUnblock) = (Latch(), Latch())
    let (isPoolClosing, mayEndPool) = (Latch(), Latch())
    let (built, opened, closed, released) = (Counter(), Counter(), Counter(), Counter())
    let problems = Locked<[String]>([])
    let dependencies = Locked<[ClosingRow.Place: ClosingRow.Outcome]>([:])
    let retained = Locked<[any Sendable]>([])

    func report(_ problem: String) { problems.withLock { $0.append(problem) } }

    /// Retains the instances of a request until the end of the row. There has to be one.
    func retain<T: Sendable>(_ instances: [T]) {
        if instances.count != 1 { report("\(instances.count) instances instead of one.") }
        retained.withLock { $0 += instances }
    }

    func wait(for latch: Latch, _ problem: String) { if !eventually({ latch.isOpen }) { report(problem) } }

    /// Blocks the thread of the request until `close()` has begun.
    func pause() {
        isPaused.open()
        wait(for: mayContinue, "The request was not continued.")
    }
}
