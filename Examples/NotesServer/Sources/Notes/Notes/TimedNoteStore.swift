import Logging

/// A decorator that logs the duration of each call.
struct TimedNoteStore: NoteStore {
    let base: any NoteStore
    let logger: Logger

    func find(_ query: NoteQuery) async throws -> NotePage {
        try await timed("find") { try await base.find(query) }
    }

    func note(_ id: Int64) async throws -> Note {
        try await timed("note") { try await base.note(id) }
    }

    func add(_ draft: NoteDraft) async throws -> Note {
        try await timed("add") { try await base.add(draft) }
    }

    func replace(_ id: Int64, with draft: NoteDraft, if versions: EntityTags) async throws -> Note {
        try await timed("replace") { try await base.replace(id, with: draft, if: versions) }
    }

    func remove(_ id: Int64, if versions: EntityTags?) async throws {
        try await timed("remove") { try await base.remove(id, if: versions) }
    }

    private func timed<Result>(_ name: String, _ operation: () async throws -> Result) async rethrows -> Result {
        let began = ContinuousClock.now
        defer {
            logger.info("store", metadata: ["call": "\(name)", "duration_ms": "\((.now - began).milliseconds)"])
        }
        return try await operation()
    }
}
