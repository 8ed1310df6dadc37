import DependencyInjection
import DependencyInjectionHummingbird
import Hummingbird
import HummingbirdTesting
import Logging
import ServiceLifecycle
import Synchronization
import Testing

/// The life of a server: its preparation, its services, its end, and what outlives a request.
@Suite(.timeLimit(.minutes(5))) struct ServerLifeTests {
    private final class Journal: Sendable {
        private let recorded = Mutex<[String]>([])
        var lines: [String] { recorded.withLock { $0 } }
        func add(_ line: String) { recorded.withLock { $0.append(line) } }
    }

    private struct Failure: Error {}
    private struct Pool: Sendable {}

    @Test func failedPreparationClosesWhatItBuilt() async throws {
        let journal = Journal()
        let app = DIContainer {
            Shared(async: { _ in Pool() }).onClose { _ in journal.add("closed") }
            Shared { resolve throws -> Int in
                _ = try resolve.orThrow(Pool.self)
                throw Failure()
            }
        }
        await #expect(throws: PreparationError.self) {
            try await app.run { app in
                try await app.prepare(.all)
                journal.add("served")
            }
        }
        #expect(journal.lines == ["closed"])
    }

    @Test func containerIsClosedAfterRequestsThatAGroupCancels() async throws {
        let journal = Journal()
        let app = DIContainer {
            Shared(Pool()).onClose { _ in journal.add("pool closed") }
            Scoped { resolve in
                _ = resolve(Pool.self)
                return Failure()
            }
            .onClose { (_: Failure, failure) in journal.add(failure == nil ? "committed" : "rolled back") }
        }
        try? await app.run { app in
            try await app.prepare(.all)
            let router = Router()
            router.add(middleware: RequestContainer(app) { _, _ in })
            router.get { _, _ in
                _ = try DIContainer.resolve.orThrow(Failure.self)
                journal.add("began")
                try await Task.sleep(for: .seconds(1_000))
                return "answered"
            }
            let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
            let server = Application(
                router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) }, logger: Logger(label: "test"))
            var configuration = ServiceGroupConfiguration(services: [server], logger: Logger(label: "test"))
            // As in every deployment that has a time limit to stop.
            configuration.maximumGracefulShutdownDuration = .milliseconds(50)
            let group = ServiceGroup(configuration: configuration)
            try await withThrowingTaskGroup { tasks in
                tasks.addTask { try await group.run() }
                for await port in ports {
                    tasks.addTask {
                        try await TestClient.withClient(host: "127.0.0.1", port: port) { _ = try? await $0.get("/") }
                    }
                    break
                }
                while journal.lines.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
            }
        }
        #expect(journal.lines == ["began", "rolled back", "pool closed"])
    }

    @Test func metadataProviderOutlivesARequest() async throws {
        let app = DIContainer { ProvidedByChild(String.self) }
        let provider = Logger.MetadataProvider {
            // An Optional would stop the process after the request's container is closed.
            guard let session = try? DIContainer.resolve.orThrow(String.self) else { return [:] }
            return ["session": "\(session)"]
        }
        let late = try await app.withChild {
            Shared("ada")
        } operation: { _ in
            #expect(provider.get() == ["session": "ada"])
            let (closed, continuation) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                for await _ in closed {}
                return provider.get()
            }
            return (task, continuation)
        }
        late.1.finish()
        #expect(await late.0.value == [:])
    }

    @Test func sharedInstanceThatARequestBuildsFirstHasTheLoggerOfThatRequest() async throws {
        struct Mailer: Sendable { let logger: Logger }
        func app() -> DIContainer { DIContainer { Shared { _ in Mailer(logger: Logger.current) } } }
        var ofRequest = Logger(label: "request")
        ofRequest[metadataKey: "id"] = "1"

        let unprepared = app()
        withLogger(ofRequest) { _ in _ = unprepared.resolve(Mailer.self) }
        #expect(unprepared.resolve(Mailer.self).logger[metadataKey: "id"] == "1")

        let prepared = app()
        try await prepared.prepare(.all)
        withLogger(ofRequest) { _ in _ = prepared.resolve(Mailer.self) }
        #expect(prepared.resolve(Mailer.self).logger[metadataKey: "id"] == nil)
    }
}
