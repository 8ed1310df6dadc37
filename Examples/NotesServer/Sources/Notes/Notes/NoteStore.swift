/// A store for the notes of one user. A missing note, or a version that may not be changed, is an ``APIError``.
protocol NoteStore: Sendable {
    func find(_ query: NoteQuery) async throws -> NotePage
    func note(_ id: Int64) async throws -> Note
    func add(_ draft: NoteDraft) async throws -> Note
    func replace(_ id: Int64, with draft: NoteDraft, if versions: EntityTags) async throws -> Note
    func remove(_ id: Int64, if versions: EntityTags?) async throws
}
