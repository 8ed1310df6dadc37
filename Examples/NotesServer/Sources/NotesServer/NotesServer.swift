import ArgumentParser
import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Hummingbird
import Logging
import Notes
import ServiceLifecycle

/// A program that serves notes until a signal stops it.
@main
struct NotesServer: AsyncParsableCommand {
    enum GraphFormat: String, ExpressibleByArgument, CaseIterable {
        case mermaid, dot, text
    }

    static let configuration = CommandConfiguration(
        commandName: "NotesServer", abstract: "Serves notes over HTTP, and stores them in one file.",
        discussion: "SIGTERM and SIGINT stop the server after all requests that have begun are answered.")

    @Option(help: "The file of the notes.") var database: String?
    @Option(help: "The address of the server.") var host = "127.0.0.1"
    @Option(help: "The port of the server. Port 0 selects a free port.") var port: UInt16 = 8080
    @Option(help: "A JSON file, which SIGHUP reads again.") var configuration: String?
    @Flag(help: "Wire the program without the container, for comparison.") var byHand = false
    @Option(help: "Add a user, and print the token to send as Authorization: Bearer TOKEN.") var addUser: String?
    @Option(help: "Replace the token of a user, and print the new one.") var newToken: String?
    @Option(help: "Print the dependency graph of the container.") var graph: GraphFormat?

    private var logger: Logger { Logger(label: "NotesServer") { StreamLogHandler.standardError(label: $0) } }

    func validate() throws {
        if graph == nil, database == nil { throw ValidationError("--database is missing.") }
    }

    func run() async throws {
        let path = database ?? ""
        let app = App(database: path, settings: configuration, logger: logger)
        if let graph {
            let dependencies = app.container.graph
            let text =
                switch graph {
                case .mermaid: dependencies.mermaid()
                case .dot: dependencies.dot()
                case .text: "\(dependencies)"
                }
            show(text)
        } else if addUser != nil || newToken != nil {
            try await app.container.run { _ in
                try await app.start()
                if let addUser { show(try await app.accounts.add(addUser)) }
                if let newToken { show(try await app.accounts.renewToken(of: newToken)) }
            }
        } else if byHand {
            let wiring = try await HandWiring(database: path, settings: configuration, logger: logger)
            defer { wiring.close() }
            try await serve(wiring, beside: wiring.services)
        } else {
            try await app.container.run { container in
                try await app.start()
                try await serve(app, beside: container.resolve.all((any Service).self))
            }
        }
    }

    private func serve(_ wiring: any Wiring, beside services: [any Service]) async throws {
        // Without a file of settings, there is nothing to reload.
        signal(SIGHUP, SIG_IGN)
        let address = BindAddress.hostname(host, port: Int(port))
        let server = NotesService.application(wiring, services: services, address: address, logger: logger) {
            show("Listening on http://\(host):\($0.localAddress?.port ?? 0)")
        }
        try await server.runService()
    }
}

/// Writes without buffering, because standard output buffers lines if it isn't a terminal.
private func show(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }
