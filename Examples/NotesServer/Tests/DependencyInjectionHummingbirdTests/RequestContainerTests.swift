import DependencyInjection
import DependencyInjectionHummingbird
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import Logging
import NIOCore
import Testing

/// The user who sent a request. Only the container of a request provides it.
private struct Caller: Sendable { let name: String }

/// A unit of work, which logs its end by the logger of its request.
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

@Suite(.timeLimit(.minutes(5))) struct RequestContainerTests {
    private let log = InMemoryLogHandler()
    private let app = DIContainer {
        Scoped(autowiring: Unit.init)
            .onClose { (unit: Unit, failure) in
                if failure == nil, unit.caller.name == "mallory" { throw Failure() }
                unit.logger.info("\(failure.map { "rolled back after \(type(of: $0))" } ?? "committed")")
            }
        New(autowiring: Greet.init)
        ProvidedByChild(Caller.self)
    }

    /// The messages of requests in the log. The server itself also logs.
    private var messages: [String] {
        log.entries.filter { $0.metadata["hb.request.id"] != nil }.map { "\($0.message)" }
    }

    /// The server, with the same routes below `/plain`, `/rolling` for rollback by status, and `/mapped`.
    private var server: some ApplicationProtocol {
        @RegistrationBuilder @Sendable func caller(_ request: Request, _ context: BasicRequestContext) -> [Registration]
        {
            Shared(Caller(name: request.headers[.from] ?? "ada"))
        }
        let router = Router(options: .autoGenerateHeadEndpoints)
        let plain = RequestContainer(app, caller)
        let rolling = RequestContainer(app, rollsBack: { $0.code >= 500 }, caller)
        addRoutes(to: router.group("plain").add(middleware: plain))
        addRoutes(to: router.group("rolling").add(middleware: rolling))
        addRoutes(to: router.group("mapped").add(middleware: plain).add(middleware: ErrorsAsResponses()))
        return Application(router: router, logger: Logger(label: "test") { [log] _ in log })
    }

    private func addRoutes(to group: RouterGroup<BasicRequestContext>) {
        group.get("greeting", use: resolved(Greet.self))
        group.get("unresolved") { _, _ in try DIContainer.resolve.orThrow(Int.self).description }
        group.get("failure") { _, _ -> Response in
            _ = try DIContainer.resolve.orThrow(Unit.self)
            throw Failure()
        }
        group.get("status/:code") { _, context in
            _ = try DIContainer.resolve.orThrow(Unit.self)
            return Response(status: .init(code: try context.parameters.require("code", as: Int.self)))
        }
        group.get("stream/:kind") { [self] _, context in
            let unit = try DIContainer.resolve.orThrow(Unit.self)
            let kind = try context.parameters.require("kind")
            if kind == "endless" { unit.logger.info("began") }
            let body = ResponseBody { writer in
                for _ in 0..<(Int(kind) ?? .max) {
                    // The request's container is current here, too.
                    let isSame = try DIContainer.resolve.orThrow(Unit.self) === unit
                    if kind == "failing" { throw Failure() }
                    try await writer.write(ByteBuffer(string: "\(isSame) \(messages.count) "))
                }
                try await writer.finish(nil)
            }
            return Response(status: .ok, body: body)
        }
        group.get("work/:seconds") { request, context in
            let seconds = try context.parameters.require("seconds", as: Int.self)
            let unit = try DIContainer.resolve.orThrow(Unit.self)
            @Sendable func work() async throws -> String {
                unit.logger.info("began")
                try await Task.sleep(for: .seconds(seconds))
                return "done"
            }
            guard request.uri.queryParameters["cancelable"] != nil else { return try await work() }
            return try await request.body.consumeWithCancellationOnInboundClose { _ in try await work() }
        }
    }

    /// Waits for a message, because a response may arrive before the end of its request.
    private func wait(for message: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for _ in 0..<6_000 where !messages.contains(message) { try await Task.sleep(for: .milliseconds(10)) }
        #expect(messages.contains(message), "\(messages)", sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        ("/plain/status/200", "ada", 200, ["committed"]),
        ("/plain/greeting", "ada", 200, ["greeted", "committed"]),
        ("/plain/failure", "ada", 500, ["rolled back after Failure"]),
        ("/plain/status/500", "ada", 500, ["committed"]),
        ("/rolling/status/500", "ada", 500, ["rolled back after FailedStatus"]),
        ("/rolling/status/404", "ada", 404, ["committed"]),
        ("/mapped/failure", "ada", 409, ["committed"]),
        ("/plain/status/200", "mallory", 500, ["A request was not completed."]),
        ("/plain/unresolved", "ada", 500, ["A request was not resolved."]),
    ])
    func requestIsCommittedBeforeItsResponseUnlessItFails(
        path: String, caller: String, status: Int, messages: [String]
    ) async throws {
        try await server.test(.router) { client in
            let response = try await client.execute(uri: path, method: .get, headers: [.from: caller])
            #expect(response.status.code == status)
            #expect(self.messages == messages)
        }
    }

    @Test func closedAppIsUnavailable() async throws {
        try await app.close()
        try await server.test(.router) { client in
            let response = try await client.execute(uri: "/plain/greeting", method: .get)
            #expect(response.status == .serviceUnavailable)
        }
    }

    // MARK: Streams

    @Test(arguments: [TestingSetup.router, .ahc(.http)])
    func streamIsCommittedAfterItsBody(_ setup: TestingSetup) async throws {
        try await server.test(setup) { client in
            #expect(try await client.text(of: "/plain/stream/3") == "true 0 true 0 true 0 ")
            try await wait(for: "committed")
            #expect(messages == ["committed"])
        }
    }

    @Test func failedOrUnwrittenStreamIsRolledBack() async throws {
        try await server.test(.router) { client in
            await #expect(throws: Failure.self) { try await client.execute(uri: "/plain/stream/failing", method: .get) }
            #expect(messages == ["rolled back after Failure"])
            let response = try await client.execute(uri: "/plain/stream/1", method: .head)
            #expect(response.status == .ok)
            try await wait(for: "rolled back after CancellationError")
        }
    }

    @Test func streamOfADisconnectedClientIsRolledBack() async throws {
        try await server.test(.ahc(.http)) { client in
            try await disconnect(client.port, "/plain/stream/endless")
            while messages.count < 2 { try await Task.sleep(for: .milliseconds(10)) }
            #expect(messages[1].hasPrefix("rolled back after ") && messages.count == 2, "\(messages)")
        }
    }

    // MARK: Disconnected clients

    @Test(arguments: [
        ("/plain/work/1", "committed"), ("/plain/work/1000?cancelable", "rolled back after CancellationError"),
    ])
    func disconnectionCancelsOnlyOnRequest(path: String, end: String) async throws {
        try await server.test(.ahc(.http)) { client in
            try await disconnect(client.port, path)
            try await wait(for: end)
            #expect(messages == ["began", end])
        }
    }

    /// Sends a request, and closes the connection when its work has begun.
    private func disconnect(_ port: Int?, _ path: String) async throws {
        try await withConnection(to: try #require(port)) { connection in
            try await connection.executeAndDontWaitForResponse(TestClient.Request(path, method: .get, authority: "x"))
            try await wait(for: "began")
        }
    }
}
