import DependencyInjectionDiagnostics
import Foundation
import Synchronization
import Testing

@testable import DependencyInjection

/// Arranges a row, and finds out whether the request had the expected outcome and whether everything was closed.
///
/// A wait that ends without success is one of the problems.
final class ClosingRun<Requested: Sendable>: Sendable {
    private let row: ClosingRow
    private let child: DIContainer
    private let containers: [ClosingRow.Place: DIContainer]
    private let stage: Stage
    /// The provider, injected while the container is open.
    private let provider: Provider<Requested>
    private let caller = Caller()

    init(_ row: ClosingRow) throws {
        let stage = Stage(row)
        self.row = row
        self.stage = stage
        let parent = DIContainer { stage.registrations(of: .parent) }
        child = parent.makeChild { stage.registrations(of: .child) }
        containers = [.parent: parent, .child: child]
        provider = try child.resolve.orThrow()
    }

    /// Runs the row. Returns a text for each unexpected outcome.
    func problems() -> [String] {
        let outcomes = perform(row.steps)
        // Only the last request may be refused.
        let expected: [ClosingRow.Outcome] = outcomes.dropLast().map { _ in .served } + [row.expectation]
        for (outcome, expectation) in zip(outcomes, expected) where outcome != expectation {
            stage.report("expected \(expectation), but: \(outcome)")
        }
        let (instances, served) = (stage.retained.current.count, outcomes.count { $0 == .served })
        if instances != served { stage.report("\(instances) instances for \(served) requests.") }
        for (place, outcome) in stage.dependencies.current {
            let expectation = row.expectation(ofDependencyIn: place)
            if outcome != expectation {
                stage.report("expected \(expectation) for the dependency in the \(place), but: \(outcome)")
            }
        }
        // Closes both containers. Then everything is closed and released, and nothing is built any more.
        _ = perform(ClosingRow.Place.allCases.flatMap { [.beginClosing($0), .endClosing] })
        let built = stage.built.count
        for form in ClosingRow.Form.allCases where request(form) != .refused {
            stage.report("\(form) was served after the end.")
        }
        let isDone = Latch()
        Task {
            for form in ClosingRow.Form.allCases {
                let outcome = await requestLater(form)
                if outcome != .refused { stage.report("\(form) was served to a task after the end.") }
            }
            isDone.open()
        }
        if !eventually({ isDone.isOpen }) { stage.report("The last request did not end.") }
        if stage.built.count != built { stage.report("An instance was built after the end.") }
        if stage.opened.count != stage.closed.count {
            stage.report("\(stage.opened.count) instances were opened, and \(stage.closed.count) closed.")
        }
        _ = stage.retained.takeAll()
        // The tasks and threads of the row may retain an instance for a moment.
        if !eventually({ stage.released.count == built }) { stage.report("An instance was not released.") }
        return stage.problems.current.map { "\(row): \($0)" }
    }

    // MARK: Requests

    /// Requests the product from a thread, and retains it until the end of the row.
    private func request(_ form: ClosingRow.Form) -> ClosingRow.Outcome {
        ClosingRow.Outcome {
            let instances: [Requested] =
                switch form {
                case .plain: [try child.resolve.orThrow()]
                case .optional: [try child.resolve.orThrow(Requested?.self)].compactMap { $0 }
                case .all: try child.resolve.orThrow.all(Requested.self)
                case .provider: [try provider.orThrow()]
                case .newProvider: [try child.resolve.orThrow(Provider<Requested>.self).orThrow()]
                }
            stage.retained.withLock { $0 += instances }
        }
    }

    /// Requests the product from a task, and retains it until the end of the row.
    private func requestLater(
        _ form: ClosingRow.Form, isolation: isolated (any Actor)? = #isolation
    ) async -> ClosingRow.Outcome {
        do {
            let instances: [Requested] =
                switch form {
                case .plain, .provider, .newProvider: [try await child.resolve.async()]
                case .optional: [try await child.resolve.async(Requested?.self)].compactMap { $0 }
                case .all: Array(try await child.resolve.async(All<Requested>.self))
                }
            stage.retained.withLock { $0 += instances }
            return .served
        } catch { return ClosingRow.Outcome(error) }
    }

    // MARK: Steps

    /// Performs the steps, and returns the outcome of each request.
    private func perform(_ steps: [Step]) -> [ClosingRow.Outcome] {
        var outcomes: [ClosingRow.Outcome] = []
        let outcome = Locked<ClosingRow.Outcome?>(nil)
        var hasClosed = Latch()
        var blocked: BackgroundThread<Bool>?
        let builder = containers[row.builder]!
        for step in steps {
            switch step {
            case .wait(let latch): stage.wait(for: latch)
            case .open(let latch): stage[keyPath: latch].open()
            case .beginRequest:
                outcome.withLock { $0 = nil }
                if row.kind.isAsync {
                    Task {
                        let result = await requestLater(row.form, isolation: caller)
                        outcome.withLock { $0 = result }
                    }
                } else {
                    Thread.detachNewThread { [self] in
                        let result = request(row.form)
                        outcome.withLock { $0 = result }
                    }
                }
            case .endRequest:
                _ = eventually { outcome.current != nil }
                outcomes.append(outcome.current ?? .other("The request did not end."))
            case .holdQueue:
                blocked = BackgroundThread { [row] in builder.error(of: Thing.self, name: row.builder.name) == nil }
            case .waitForQueue:
                if !eventually({ builder.hasWaitingThread }) { stage.report("The request did not wait.") }
            case .buildPool:
                let error = containers[row.closer]!.error(of: Pool.self, name: row.closer.name)
                if let error { stage.report("The pool was not built: \(error)") }
            case .suspendCaller: caller.executor.queue.suspend()
            case .resumeCaller: caller.executor.queue.resume()
            case .waitForCache:
                let isCached = eventually {
                    builder.core.lifecycle.withLock { !$0.serves(closableID: nil) }
                        || builder.snapshots.contains { $0.key.isRequested(as: CountedProduct.self) && $0.isBuilt }
                }
                if !isCached { stage.report("The instance was not cached.") }
            case .beginClosing(let place):
                let container = containers[place]!
                hasClosed = Latch()
                Task { [stage, hasClosed] in
                    do { try await container.close() } catch { stage.report("\(error)") }
                    hasClosed.open()
                }
                if !eventually({ container.isClosing }) {
                    stage.report("close() did not begin.")
                }
            case .endClosing:
                if !eventually({ [hasClosed] in hasClosed.isOpen }) { stage.report("close() did not end.") }
            }
        }
        if let blocked, blocked.result() != true { stage.report("The blocking build failed.") }
        return outcomes
    }
}

/// A step of the thread that arranges a row.
private enum Step {
    /// Opens a latch, or waits until it is open.
    case open(KeyPath<Stage, Latch>), wait(KeyPath<Stage, Latch>)
    case beginRequest, endRequest
    /// Another thread enters the queue of the container that builds. Then the request waits for the queue.
    case holdQueue, waitForQueue
    /// Pauses and continues the actor whose task requests the product.
    case suspendCaller, resumeCaller
    /// Waits until the container that builds caches the instance.
    case waitForCache
    /// Builds an instance whose handler prolongs closing.
    case buildPool
    /// Waits until `close()` has begun, or has ended.
    case beginClosing(ClosingRow.Place), endClosing
}

extension ClosingRow {
    /// Makes the request, and closes at the moment of the row.
    fileprivate var steps: [Step] {
        let paused: [Step] = [.beginRequest, .wait(\.isPaused)]
        let requested: [Step] = [.beginRequest, .endRequest]
        let handled: [Step] = [.beginClosing(closer), .wait(\.isPoolClosing)]
        let end: [Step] = [.open(\.mayEndPool), .endClosing]
        switch moment {
        case .waiting:
            let held: [Step] = [.holdQueue, .wait(\.isBlocked)]
            return (kind.isAsync ? paused + held + [.open(\.mayContinue)] : held + [.beginRequest])
                + [.waitForQueue, .beginClosing(closer), .open(\.mayUnblock), .endRequest, .endClosing]
        case .running, .decorating, .decoratingAlias:
            // Closing doesn't wait for a build of another container, nor for one that isn't cached.
            return paused + [.beginClosing(closer)] + (isAwaited ? [] : [.endClosing])
                + [.open(\.mayContinue), .endRequest, .endClosing]
        case .runningDuringHandlers:
            return [.buildPool] + paused + handled + [.open(\.mayContinue), .endRequest] + end
        case .repeated:
            return paused + [.beginClosing(closer), .open(\.mayContinue), .endRequest, .wait(\.isPoolClosing)]
                + requested + end
        case .resuming(let isBuilt):
            let built: [Step] = [.open(\.mayContinue), .waitForCache]
            return paused + [.suspendCaller] + (isBuilt ? built : []) + [.beginClosing(closer)]
                + (isBuilt || !isAwaited ? [.endClosing] : []) + built + [.endClosing, .resumeCaller, .endRequest]
        case .closing(let isBuilt):
            return (isBuilt ? requested : []) + [.buildPool] + handled + requested + end
        case .handled: return [.buildPool] + requested + handled + requested + end
        case .closed(let isBuilt):
            return (isBuilt ? requested : []) + [.beginClosing(closer), .endClosing] + requested
        }
    }
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

/// An instance that counts itself.
class CountedProduct: Port, @unchecked Sendable {  // Immutable.
    private let stage: Stage
    private let closings = Counter()

    /// - Parameter isClosable: Whether `close()` is expected to run a handler.
    fileprivate init(_ stage: Stage, isClosable: Bool) {
        self.stage = stage
        stage.built.increment()
        if isClosable { stage.opened.increment() }
    }

    deinit { stage.released.increment() }

    fileprivate func close() {
        stage.closed.increment()
        if closings.increment() > 1 { stage.report("A handler ran twice.") }
    }
}
private final class CountedDependency: CountedProduct, @unchecked Sendable {}

/// Everything that the threads of a row share, and its registrations.
private final class Stage: Sendable {
    private let row: ClosingRow
    let (isPaused, mayContinue) = (Latch(), Latch())
    let (isBlocked, mayUnblock) = (Latch(), Latch())
    let (isPoolClosing, mayEndPool) = (Latch(), Latch())
    let (built, opened, closed, released) = (Counter(), Counter(), Counter(), Counter())
    let problems = Locked<[String]>([])
    let dependencies = Locked<[ClosingRow.Place: ClosingRow.Outcome]>([:])
    /// The requested instances, until the end of the row.
    let retained = Locked<[any Sendable]>([])

    init(_ row: ClosingRow) { self.row = row }

    func report(_ problem: String) { problems.withLock { $0.append(problem) } }

    func wait(for latch: KeyPath<Stage, Latch>) {
        if !eventually({ self[keyPath: latch].isOpen }) { report("\(latch) was not opened.") }
    }

    /// Blocks the thread of the request until `close()` has begun.
    func pause() {
        isPaused.open()
        wait(for: \.mayContinue)
    }

    @RegistrationBuilder func registrations(of place: ClosingRow.Place) -> [Registration] {
        if place == row.owner {
            product
            if row.moment == .decorating {
                Decorate(CountedProduct.self) { [self] base, _ in
                    pause()
                    return base
                }
            }
            if row.moment == .repeated {
                // Opened after the product, and closed before it.
                Decorate(CountedProduct.self) { [row] base, resolve in
                    _ = try resolve.orThrow(Pool.self, name: row.closer.name)
                    return base
                }
            }
            if row.moment == .decoratingAlias {
                Decorate((any Port).self) { [self] base, _ in
                    pause()
                    return base
                }
            }
        }
        if row.dependencies.contains(place) {
            Shared(CountedDependency(self, isClosable: true), name: place.name).onClose { $0.close() }
        }
        // Its handler prolongs closing until the request has ended.
        Shared(Pool(), name: place.name).onClose { [self] _ in
            isPoolClosing.open()
            if !(await eventually { mayEndPool.isOpen }) { report("The pool was not continued.") }
        }
        // Its factory holds the queue.
        Shared(name: place.name) { [self] _ in
            isBlocked.open()
            wait(for: \.mayUnblock)
            return Thing()
        }
    }

    @RegistrationBuilder private var product: [Registration] {
        let make: @Sendable (Resolver) -> CountedProduct = { [self] resolve in
            let product = CountedProduct(self, isClosable: row.kind.isClosable)
            if [.running, .runningDuringHandlers, .repeated].contains(row.moment) { pause() }
            for place in row.dependencies {
                let outcome = ClosingRow.Outcome { _ = try resolve.orThrow(CountedDependency.self, name: place.name) }
                dependencies.withLock { $0[place] = outcome }
            }
            return product
        }
        let makeLater: @Sendable (Resolver) async -> CountedProduct = { [self] resolve in
            let product = CountedProduct(self, isClosable: row.kind.isClosable)
            switch row.moment {
            case .running, .runningDuringHandlers, .repeated, .waiting, .resuming:
                // Suspends the task of the request until `close()` has begun.
                isPaused.open()
                if !(await eventually { mayContinue.isOpen }) { report("The request was not continued.") }
            default: break
            }
            // A build would wait for the thread that holds the queue.
            for place in row.moment == .waiting ? [] : row.dependencies {
                var outcome = ClosingRow.Outcome.served
                do { _ = try await resolve.async(CountedDependency.self, name: place.name) } catch {
                    outcome = ClosingRow.Outcome(error)
                }
                dependencies.withLock { $0[place] = outcome }
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
}
