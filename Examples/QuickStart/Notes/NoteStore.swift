import Foundation

struct Note: Decodable {
    let id: Int
    let title: String
    let body: String
}

protocol NoteStore: Sendable {
    func note(_ id: Int) -> Note?

    /// Returns the notes that contain all of the words, ignoring case and accents.
    func notes(containing words: [String]) -> [Note]
}

struct MemoryNoteStore: NoteStore {
    let notes: [Note]

    func note(_ id: Int) -> Note? {
        notes.first { $0.id == id }
    }

    func notes(containing words: [String]) -> [Note] {
        notes.filter { note in
            let text = "\(note.title)\n\(note.body)"
            return words.allSatisfy { text.range(of: $0, options: [.caseInsensitive, .diacriticInsensitive]) != nil }
        }
    }
}
