import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import HTTPServer
import Notes
import NotesWiring

/// A program that serves notes until a signal stops it.
@main
struct NotesServer {
    static func main() async {
        do {
            let arguments = try Arguments(CommandLine.arguments.dropFirst())
            switch arguments.command {
            case .serve: try await serve(arguments)
            case .addUser(let name): try await add(name, arguments)
            case .printGraph(let format): show(graph(format))
            case .printUsage: show(Arguments.usage)
            }
        } catch let error as UsageError {
            complain("\(error.message)\n\n\(Arguments.usage)")
            exit(EX_USAGE)
        } catch {
            complain("\(error)")
            exit(EXIT_FAILURE)
        }
    }

    private static func serve(_ arguments: Arguments) async throws {
        // Created first, so that a signal during the start isn't lost.
        let signals = Signals()
        let log = StandardErrorLog()
        let wiring: any Wiring
        if arguments.isByHand {
            wiring = try await HandWiring(
                database: arguments.database, configuration: arguments.configuration, log: log)
        } else {
            let app = App(database: arguments.database, configuration: arguments.configuration, log: log)
            try await app.start()
            wiring = app
        }
        let server: HTTPServer
        do {
            server = try HTTPServer(host: arguments.host, port: arguments.port, handler: Service(wiring, log: log))
        } catch {
            try await wiring.close()
            throw error
        }
        show("Listening on http://\(arguments.host):\(server.port)")

        for await signal in signals {
            guard signal == .renew else { break }
            do {
                try await wiring.renewConfiguration()
                log.write("configuration", ["state": "renewed"])
            } catch {
                log.write("configuration", ["state": "kept", "reason": "\(error)"])
            }
        }
        await server.stop()
        try await wiring.close()
    }

    private static func add(_ name: String, _ arguments: Arguments) async throws {
        let app = App(database: arguments.database, configuration: arguments.configuration)
        try await app.start()
        let token: String
        do { token = try await app.accounts.add(name) } catch {
            try await app.close()
            throw error
        }
        try await app.close()
        show(token)
    }

    private static func graph(_ format: Arguments.GraphFormat) -> String {
        let graph = App(database: "").container.graph
        return switch format {
        case .mermaid: graph.mermaid()
        case .dot: graph.dot()
        case .text: "\(graph)"
        }
    }

    /// Writes without buffering, because standard output buffers lines if it isn't a terminal.
    private static func show(_ text: String) {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
