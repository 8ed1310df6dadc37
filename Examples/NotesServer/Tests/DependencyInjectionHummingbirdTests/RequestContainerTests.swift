import DependencyInjection
import DependencyInjectionHummingbird
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOPosix
import Synchronization
import Testing

/// Who sent a request. Only the container of a request provides it.
private struct Caller: Sendable { let name: String }

/// A unit of work, which uses the logger of its request.
private final class Unit: Sendable {
    let caller: Caller
    let logger: Logger
    init(caller: Caller, logger: Logger) {
        self.caller = caller
        self.logger = logger
    }
}

private struct Greet: RequestHandler {
    let unit: Unit
    func respond(to request: Request, context: BasicRequestContext) async throws -> String {
        unit.logger.info("greeted")
        return "Hello, \(unit.caller.name)"
    }
}

private struct Failure: Error {}

/// A middleware that maps errors to responses.
private struct ErrorsAsResponses: RouterMiddleware {
    typealias Context = BasicRequestContext

    @concurrent func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do { return try await next(request, context) } catch { return Response(status: .conflict) }
    }
}

/// The ends of units and the lines of the log, in order.
private final class Journal: Sendable {
    private let recorded = Mutex<[String]>([])
    var lines: [String] { recorded.withLock { $0 } }
    func add(_ line: String) { recorded.withLock { $0.append(line) } }

    /// Waits for a line, because a response may arrive before the end of its request.
    func wait(for line: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for _ in 0..<3_000 where !lines.contains(line) { try await Task.sleep(for: .milliseconds(10)) }
        #expect(lines.contains(line), "\(lines)", sourceLocation: sourceLocation)
    }
}

private struct JournalHandler: LogHandler {
    let journal: Journal
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
    func log(event: LogEvent) {
        // The server itself also logs.
        guard metadata["hb.request.id"] != nil else { return }
        journal.add("\(event.level): \(event.message)")
    }
}

@Suite(.timeLimit(.minutes(5))) struct RequestContainerTests {
    private let journal = Journal()
    private let app: DIContainer
    private let logger: Logger

    init() {
        let journal = journal
        let logger = Logger(label: "test") { _ in JournalHandler(journal: journal) }
        self.logger = logger
        app = DIContainer {
            Shared(logger)
            Scoped(autowiring: Unit.init)
                .onClose { (unit: Unit, failure) in
                    if failure == nil, unit.caller.name == "mallory" { throw Failure() }
                    journal.add(failure.map { "rolled back after \(type(of: $0))" } ?? "committed")
                }
            New(autowiring: Greet.init)
            ProvidedByChild(Caller.self)
        }
    }

    /// Returns a server whose requests resolve a unit before they answer.
    private func server(
        caller: String = "ada", rollsBack: @escaping @Sendable (HTTPResponse.Status) -> Bool = { _ in false },
        mapsErrorsInside: Bool = false,
        _ answer: @escaping @Sendable (Request, Unit) async throws -> Response
    ) -> some ApplicationProtocol {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(
            middleware: RequestContainer(app, rollsBack: rollsBack) { _, _ in Shared(Caller(name: caller)) })
        if mapsErrorsInside { router.add(middleware: ErrorsAsResponses()) }
        router.get("greeting", use: resolved(Greet.self))
        router.get { request, _ in try await answer(request, DIContainer.resolve.orThrow(Unit.self)) }
        return Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: logger)
    }

    // MARK: The end of a request

    @Test func answeredRequestIsCommittedBeforeItsResponse() async throws {
        try await server { _, _ in Response(status: .ok) }.test(.router) { client in
            try await client.execute(uri: "/", method: .get) { #expect($0.status == .ok) }
            #expect(journal.lines == ["committed"])
        }
    }

    @Test func failedRequestIsRolledBack() async throws {
        try await server { _, _ in throw Failure() }.test(.router) { client in
            try await client.execute(uri: "/", method: .get) { #expect($0.status == .internalServerError) }
            #expect(journal.lines == ["rolled back after Failure"])
        }
    }

    @Test func responseWithAnErrorIsCommittedUnlessItsStatusRollsBack() async throws {
        for (status, end) in [(500, "rolled back after FailedStatus"), (404, "committed")] {
            let server = server(rollsBack: { $0.code >= 500 }) { _, _ in Response(status: .init(code: status)) }
            try await server.test(.router) { client in
                try await client.execute(uri: "/", method: .get) { #expect($0.status.code == status) }
                #expect(journal.lines.last == end)
            }
        }
        try await server { _, _ in Response(status: .internalServerError) }.test(.router) { client in
            try await client.execute(uri: "/", method: .get) { #expect($0.status == .internalServerError) }
            #expect(journal.lines.last == "committed")
        }
    }

    @Test func errorThatIsMappedInsideIsCommitted() async throws {
        try await server(mapsErrorsInside: true) { _, _ in throw Failure() }.test(.router) { client in
            try await client.execute(uri: "/", method: .get) { #expect($0.status == .conflict) }
            #expect(journal.lines == ["committed"])
        }
    }

    @Test func failedCommitIsAnErrorOfTheRequestAndLogged() async throws {
        try await server(caller: "mallory") { _, _ in Response(status: .ok) }.test(.router) { client in
            try await client.execute(uri: "/", method: .get) { #expect($0.status == .internalServerError) }
            #expect(journal.lines == ["error: A request was not completed."])
        }
    }

    @Test func resolutionErrorIsLogged() async throws {
        app.unregister(Unit.self)
        try await server { _, _ in Response(status: .ok) }.test(.router) { client in
            try await client.execute(uri: "/", method: .get) { #expect($0.status == .internalServerError) }
            #expect(journal.lines == ["error: A request was not resolved."])
        }
    }

    @Test func closedAppIsUnavailable() async throws {
        try await app.close()
        try await server { _, _ in Response(status: .ok) }.test(.router) { client in
            try await client.execute(uri: "/", method: .get) { #expect($0.status == .serviceUnavailable) }
        }
    }

    @Test func handlersAreResolvedAndLogWithTheRequest() async throws {
        try await server { _, _ in Response(status: .ok) }.test(.router) { client in
            try await client.execute(uri: "/greeting", method: .get) {
                #expect(String(buffer: $0.body) == "Hello, ada")
            }
            #expect(journal.lines == ["info: greeted", "committed"])
        }
    }

    // MARK: Streams

    private static func stream(
        _ write: @escaping @Sendable (Unit) async throws -> String, times count: Int
    ) -> Response {
        Response(
            status: .ok,
            body: ResponseBody { writer in
                for _ in 0..<count {
                    // The request's container is current here, too.
                    try await writer.write(ByteBuffer(string: write(DIContainer.resolve.orThrow())))
                }
                try await writer.finish(nil)
            })
    }

    @Test(arguments: [TestingSetup.router, .live]) func streamIsCommittedAfterItsBody(_ setup: TestingSetup)
        async throws
    {
        let server = server { [journal] _, unit in
            Self.stream({ same in "\(same === unit) \(journal.lines.count) " }, times: 3)
        }
        try await server.test(setup) { client in
            try await client.execute(uri: "/", method: .get) {
                #expect(String(buffer: $0.body) == "true 0 true 0 true 0 ")
            }
            try await journal.wait(for: "committed")
            #expect(journal.lines == ["committed"])
        }
    }

    @Test func failedStreamIsRolledBack() async throws {
        let server = server { _, _ in Self.stream({ _ in throw Failure() }, times: 1) }
        try await server.test(.router) { client in
            await #expect(throws: Failure.self) { try await client.execute(uri: "/", method: .get) { _ in } }
            #expect(journal.lines == ["rolled back after Failure"])
        }
    }

    @Test func streamThatIsNeverWrittenIsRolledBack() async throws {
        let server = server { _, _ in Self.stream({ _ in "" }, times: 1) }
        try await server.test(.router) { client in
            try await client.execute(uri: "/", method: .head) { #expect($0.status == .ok) }
            try await journal.wait(for: "rolled back after CancellationError")
        }
    }

    @Test func streamOfADisconnectedClientIsRolledBack() async throws {
        let server = server { _, _ in
            Self.stream(
                { _ in
                    try await Task.sleep(for: .milliseconds(5))
                    return String(repeating: "x", count: 10_000)
                }, times: 100_000)
        }
        try await server.test(.live) { client in
            let channel = try await connect(to: client.port)
            try await channel.writeAndFlush(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
            try await Task.sleep(for: .milliseconds(200))
            #expect(journal.lines.isEmpty)
            try await channel.close()
            for _ in 0..<3_000 where journal.lines.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
            #expect(journal.lines.count == 1 && journal.lines[0].hasPrefix("rolled back after "), "\(journal.lines)")
        }
    }

    // MARK: Disconnected clients

    @Test(arguments: [false, true]) func disconnectionCancelsOnlyOnRequest(isRequested: Bool) async throws {
        let server = server { [journal] request, _ in
            @Sendable func work() async throws -> Response {
                journal.add("began")
                try await Task.sleep(for: .seconds(isRequested ? 1_000 : 1))
                return Response(status: .ok)
            }
            guard isRequested else { return try await work() }
            return try await request.body.consumeWithCancellationOnInboundClose { _ in try await work() }
        }
        try await server.test(.live) { client in
            let channel = try await connect(to: client.port)
            try await channel.writeAndFlush(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
            try await journal.wait(for: "began")
            try await channel.close()
            try await journal.wait(for: isRequested ? "rolled back after CancellationError" : "committed")
        }
    }

    private func connect(to port: Int?) async throws -> any Channel {
        try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: try #require(port)).get()
    }
}
