import DependencyInjection
import DependencyInjectionHummingbird
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import Logging
import ServiceLifecycle
import Testing

/// The life of a server: its preparation, its services, its end, and what outlives a request.
@Suite(.timeLimit(.minutes(5))) struct ServerLifeTests {
    private struct Failure: Error {}
    private struct Pool: Sendable {}

    private let log = InMemoryLogHandler()
    private let journal: Logger
    private var messages: [String] { log.entries.map { "\($0.message)" } }

    init() { journal = Logger(label: "test") { [log] _ in log } }

    @Test func failedPreparationClosesWhatItBuilt() async throws {
        let app = DIContainer {
            Shared(async: { _ in Pool() }).onClose { [journal] _ in journal.info("closed") }
            Shared { resolve throws -> Int in
                _ = try resolve.orThrow(Pool.self)
                throw Failure()
            }
        }
        await #expect(throws: PreparationError.self) {
            try await app.run { app in
                try await app.prepare(.all)
                journal.info("served")
            }
        }
        #expect(messages == ["closed"])
    }

    @Test func containerIsClosedAfterRequestsThatAGroupCancels() async throws {
        let app = DIContainer {
            Shared(Pool()).onClose { [journal] _ in journal.info("pool closed") }
            Scoped { resolve in
                _ = resolve(Pool.self)
                return Failure()
            }
            .onClose { [journal] (_: Failure, failure) in journal.info(failure == nil ? "committed" : "rolled back") }
        }
        try? await app.run { app in
            let router = Router()
            router.add(middleware: RequestContainer(app) { _, _ in })
            router.get { [journal] _, _ in
                _ = try DIContainer.resolve.orThrow(Failure.self)
                journal.info("began")
                try await Task.sleep(for: .seconds(1_000))
                return "answered"
            }
            let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
            let server = Application(
                router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) }, logger: Logger(label: "server"))
            var configuration = ServiceGroupConfiguration(services: [server], logger: Logger(label: "group"))
            // As in every deployment that has a time limit to stop.
            configuration.maximumGracefulShutdownDuration = .milliseconds(50)
            let group = ServiceGroup(configuration: configuration)
            async let end: Void = group.run()
            let port = await ports.first { _ in true } ?? 0
            async let response = withConnection(to: port) { try await $0.get("/") }
            while messages.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            await group.triggerGracefulShutdown()
            _ = try? await response
            try await end
        }
        #expect(messages == ["began", "rolled back", "pool closed"])
    }

    /// A client that answers only while it runs, such as `PostgresClient`.
    private struct Database: Service {
        private let queries = AsyncStream.makeStream(of: CheckedContinuation<Int, Never>.self)

        func run() async throws {
            for await query in queries.stream.cancelOnGracefulShutdown() { query.resume(returning: 42) }
        }

        func query() async -> Int { await withCheckedContinuation { queries.continuation.yield($0) } }
    }

    private struct Answer: Sendable { let value: Int }

    private static var appWithDatabase: DIContainer {
        DIContainer {
            Shared(Database())
            Shared(async: { resolve in Answer(value: try await resolve.orThrow(Database.self).query()) })
        }
    }

    private static func responder(_ app: DIContainer) -> some HTTPResponder<BasicRequestContext> {
        let router = Router()
        router.add(middleware: RequestContainer(app) { _, _ in })
        router.get { _, _ in try DIContainer.resolve.orThrow(Answer.self).value.description }
        return router.buildResponder()
    }

    @Test func clientThatHasToRunIsPreparedBeforeTheServerStarts() async throws {
        try await Self.appWithDatabase.run { app in
            var server = Application(responder: Self.responder(app), services: [app.resolve(Database.self)])
            server.beforeServerStarts { try await app.prepare(.all) }
            try await server.test(.ahc(.http)) { client in
                let answer = try await client.text(of: "/")
                #expect(answer == "42")
            }
        }
    }

    /// A server that prepares its container when its group already runs.
    private struct PreparingServer: ApplicationProtocol {
        let app: DIContainer
        var responder: some HTTPResponder<BasicRequestContext> {
            get async throws {
                try await app.prepare(.all)
                return ServerLifeTests.responder(app)
            }
        }
    }

    @Test func clientThatHasToRunIsPreparedByTheResponder() async throws {
        try await Self.appWithDatabase.run { app in
            let group = ServiceGroup(services: [app.resolve(Database.self)], logger: Logger(label: "group"))
            async let end: Void = group.run()
            try await PreparingServer(app: app).test(.ahc(.http)) { client in
                let answer = try await client.text(of: "/")
                #expect(answer == "42")
            }
            await group.triggerGracefulShutdown()
            try await end
        }
    }

    // MARK: Logs

    @Test func metadataProviderOutlivesARequest() async throws {
        let app = DIContainer { ProvidedByChild(String.self) }
        let provider = Logger.MetadataProvider {
            // An Optional would stop the process after the request's container is closed.
            guard let session = try? DIContainer.resolve.orThrow(String.self) else { return [:] }
            return ["session": "\(session)"]
        }
        let child = try await app.withChild {
            Shared("ada")
        } operation: { child in
            #expect(provider.get() == ["session": "ada"])
            return child
        }
        // As in a task that outlives its request.
        DIContainer.withContainer(child) { #expect(provider.get() == [:]) }
    }

    @Test(arguments: [false, true])
    func sharedInstanceThatARequestBuildsFirstHasTheLoggerOfThatRequest(isPrepared: Bool) async throws {
        struct Mailer: Sendable { let logger: Logger }
        let app = DIContainer { Shared { _ in Mailer(logger: Logger.current) } }
        if isPrepared { try await app.prepare(.all) }
        var ofRequest = journal
        ofRequest[metadataKey: "id"] = "1"
        withLogger(ofRequest) { _ in _ = app.resolve(Mailer.self) }
        #expect(app.resolve(Mailer.self).logger[metadataKey: "id"] == (isPrepared ? nil : "1"))
    }
}
