/// Keeps the notes of one user.
protocol NoteStore: Sendable {
    func find(_ query: NoteQuery) async throws -> NotePage
    func note(_ id: Int64) async throws -> Note
    func add(_ draft: NoteDraft) async throws -> Note
    /// Replaces a note if its version may be changed.
    func replace(_ id: Int64, with draft: NoteDraft, if mayChange: @Sendable (_ version: Int64) -> Bool) async throws
        -> Note
    /// Removes a note if its version may be changed.
    func remove(_ id: Int64, if mayChange: @Sendable (_ version: Int64) -> Bool) async throws
}

/// Says why a store does not do what it was asked.
enum NoteError: Error {
    /// The user has no such note. Whether another has one is not said.
    case notFound
    /// Somebody has changed the note since.
    case changed
}
