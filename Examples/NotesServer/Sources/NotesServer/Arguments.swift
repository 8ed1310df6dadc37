/// The command-line arguments of the program.
struct Arguments {
    enum Command: Equatable {
        case serve
        case addUser(String)
        case printGraph(GraphFormat)
        case printUsage
    }

    enum GraphFormat: String {
        case mermaid, dot, text
    }

    static let usage = """
        Usage: NotesServer --database PATH [--host 127.0.0.1] [--port 8080] [--configuration FILE] [--by-hand]
               NotesServer --database PATH --add-user NAME
               NotesServer --graph mermaid|dot|text

        Serves notes over HTTP, and stores them in the file PATH.

          --host, --port         the address of the server; port 0 selects a free port
          --configuration FILE   a JSON file; SIGHUP reads it again
          --by-hand              wires the program without the container, for comparison
          --add-user NAME        adds a user, and prints the token to send as Authorization: Bearer TOKEN
          --graph FORMAT         prints the dependency graph of the container

        SIGTERM and SIGINT stop the server after all requests that have begun are answered.
        """

    var command = Command.serve
    var database = ""
    var host = "127.0.0.1"
    var port: UInt16 = 8080
    var configuration: String?
    var isByHand = false

    init(_ words: some Sequence<String>) throws(UsageError) {
        var rest = Array(words)[...]
        var seen: Set<String> = []
        while let name = rest.popFirst() {
            guard seen.insert(name).inserted else { throw UsageError(message: "\(name) occurs twice") }
            func value() throws(UsageError) -> String {
                guard let value = rest.popFirst() else { throw UsageError(message: "\(name) requires a value") }
                return value
            }
            switch name {
            case "--help": command = .printUsage
            case "--database": database = try value()
            case "--host": host = try value()
            case "--port":
                let text = try value()
                guard let port = UInt16(text) else { throw UsageError(message: "\(text) is not a port") }
                self.port = port
            case "--configuration": configuration = try value()
            case "--by-hand": isByHand = true
            case "--add-user": command = .addUser(try value())
            case "--graph":
                let text = try value()
                guard let format = GraphFormat(rawValue: text) else {
                    throw UsageError(message: "\(text) is not a format of a graph")
                }
                command = .printGraph(format)
            default: throw UsageError(message: "\(name) is not an option")
            }
        }
        switch command {
        case .serve, .addUser:
            if database.isEmpty { throw UsageError(message: "--database is missing") }
        case .printGraph, .printUsage: break
        }
    }
}

struct UsageError: Error {
    let message: String
}
