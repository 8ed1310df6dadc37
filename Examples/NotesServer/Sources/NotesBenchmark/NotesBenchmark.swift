import Dispatch
import Foundation
import HTTPServer
import Notes
import NotesWiring

/// A benchmark of one request, wired by the container and by hand, which shows the cost of the container.
///
/// `NotesBenchmark [PATH]` prints times. `NotesBenchmark --loop container|hand COUNT [PATH]` only answers COUNT
/// requests, for a program that counts instructions. PATH defaults to /notes/1.
@main
struct NotesBenchmark {
    // Not asynchronous, because valgrind doesn't support the way in which the main thread of an asynchronous program
    // ends.
    static func main() {
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            do { try await run() } catch { fatalError("\(error)") }
            isDone.signal()
        }
        isDone.wait()
    }

    private static func run() async throws {
        var arguments = CommandLine.arguments.dropFirst()
        let directory = FileManager.default.temporaryDirectory.appending(path: "NotesBenchmark-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }

        if arguments.first == "--loop" {
            arguments.removeFirst()
            guard let wiring = arguments.popFirst().flatMap(Subject.Wiring.init),
                let count = arguments.popFirst().flatMap({ Int($0) })
            else { fatalError("write --loop container|hand COUNT [PATH]") }
            let subject = try await Subject(wiring, in: directory, asking: arguments.first ?? "/notes/1")
            try await subject.answer(count)
            try await subject.close()
        } else {
            try await compare(in: directory, asking: arguments.first ?? "/notes/1")
        }
    }

    /// Alternates between the two wirings, so that other work of the machine affects both.
    private static func compare(in directory: URL, asking path: String) async throws {
        let subjects = [
            try await Subject(.container, in: directory, asking: path),
            try await Subject(.hand, in: directory, asking: path),
        ]
        let count = 100
        var times = subjects.map { _ in [Double]() }
        for _ in 0..<300 {
            for (index, subject) in subjects.enumerated() {
                let time = try await ContinuousClock().measure { try await subject.answer(count) }
                times[index].append(time / .microseconds(1) / Double(count))
            }
        }
        for subject in subjects { try await subject.close() }
        // The best tenth, because the other requests were disturbed by other work of the machine.
        let best = times.map { $0.sorted()[$0.count / 10] }
        print("GET \(path), one after the other, the best tenth of \(times[0].count) times \(count) requests")
        for (subject, time) in zip(subjects, best) {
            print("  \(subject.wiring): \(String(format: "%.1f", time)) µs a request")
        }
        print("  ratio: \(String(format: "%.2f", best[0] / best[1]))")
    }
}

/// A server without a socket, with one user and one note.
private struct Subject {
    enum Wiring: String {
        case container, hand
    }

    let wiring: Wiring
    private let service: Service
    private let request: HTTPRequest
    private let end: @Sendable () async throws -> Void

    init(_ wiring: Wiring, in directory: URL, asking path: String) async throws {
        self.wiring = wiring
        let file = directory.appending(path: "\(wiring).sqlite").path
        let log = SilentLog()
        let wired: any Notes.Wiring
        switch wiring {
        case .container:
            let app = App(database: file, log: log)
            try await app.start()
            wired = app
        case .hand: wired = try await HandWiring(database: file, log: log)
        }
        service = Service(wired, log: log)
        end = { try await wired.close() }
        let token = try await wired.accounts.add("ada")
        let note = HTTPRequest(
            "POST", "/notes", headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"],
            body: Array(#"{"title": "A note", "body": "Some *Markdown* in it.", "tags": ["a", "b"]}"#.utf8))
        request = HTTPRequest("GET", path, headers: ["Authorization": "Bearer \(token)"])
        guard await service.answer(note).status == 201, await service.answer(request).status == 200 else {
            fatalError("GET \(path) doesn't have the expected response")
        }
    }

    func answer(_ count: Int) async throws {
        for _ in 0..<count where await service.answer(request).status != 200 { fatalError("a request failed") }
    }

    func close() async throws { try await end() }
}

/// A log that evaluates its arguments and writes nothing.
private struct SilentLog: Log {
    func write(_ event: String, _ fields: KeyValuePairs<String, String>) {}
}
