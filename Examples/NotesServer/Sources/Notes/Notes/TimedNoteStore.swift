/// A decorator that logs the duration of each call.
package struct TimedNoteStore: NoteStore {
    private let base: any NoteStore
    private let id: RequestID
    private let log: any Log

    package init(_ base: any NoteStore, id: RequestID, log: any Log) {
        self.base = base
        self.id = id
        self.log = log
    }

    package func find(_ query: NoteQuery) async throws -> NotePage {
        try await timed("find") { try await base.find(query) }
    }

    package func note(_ id: Int64) async throws -> Note {
        try await timed("note") { try await base.note(id) }
    }

    package func add(_ draft: NoteDraft) async throws -> Note {
        try await timed("add") { try await base.add(draft) }
    }

    package func replace(
        _ id: Int64, with draft: NoteDraft, if mayChange: @Sendable (_ version: Int64) -> Bool
    ) async throws -> Note {
        try await timed("replace") { try await base.replace(id, with: draft, if: mayChange) }
    }

    package func remove(_ id: Int64, if mayChange: @Sendable (_ version: Int64) -> Bool) async throws {
        try await timed("remove") { try await base.remove(id, if: mayChange) }
    }

    private func timed<Result>(_ name: String, _ operation: () async throws -> Result) async rethrows -> Result {
        let began = ContinuousClock.now
        defer { log.write("store", ["id": "\(id)", "call": name, "duration_ms": (.now - began).milliseconds]) }
        return try await operation()
    }
}
