struct NoteViewModel: ViewModel {
    let id: Int
    let store: any NoteStore

    func text() throws(NoteError) -> String {
        guard let note = store.note(id) else { throw .unknown(id: id) }
        return "\(note.title)\n\(String(repeating: "-", count: note.title.count))\n\(note.body)\n"
    }
}

enum NoteError: Error, CustomStringConvertible {
    case unknown(id: Int)

    var description: String {
        switch self {
        case .unknown(let id): "there is no note \(id)"
        }
    }
}
