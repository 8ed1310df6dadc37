/// A store for the notes of one user.
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

/// The reason why a store can't perform an operation.
enum NoteError: Error {
    /// The user has no such note. The error doesn't reveal whether another user has one.
    case notFound
    /// The note was changed by another request.
    case changed
}
