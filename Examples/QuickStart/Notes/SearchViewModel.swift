struct SearchViewModel: ViewModel {
    let query: String
    let limit: Int
    let store: any NoteStore
    let logger: any Logger

    func text() -> String {
        let found = store.notes(containing: query.split(whereSeparator: \.isWhitespace).map(String.init))
        logger.log(.debug, "Found \(found.map(\.id)).")
        var lines = [headline(count: found.count)]
        lines += found.prefix(limit).map { "  notes/\($0.id)  \($0.title)" }
        if found.count > limit { lines.append("  and \(found.count - limit) more") }
        return lines.joined(separator: "\n") + "\n"
    }

    private func headline(count: Int) -> String {
        switch count {
        case 0: "No note contains \"\(query)\"."
        case 1: "1 note contains \"\(query)\":"
        default: "\(count) notes contain \"\(query)\":"
        }
    }
}
