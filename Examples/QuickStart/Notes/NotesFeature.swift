import DependencyInjection

enum NotesFeature {
    static let module = Module("Notes") {
        Shared { resolve in MemoryNoteStore(notes: try resolve.orThrow(AppConfiguration.self).notes) as any NoteStore }
        New(autowiring: NoteViewModel.init, arguments: Int.self)
        New { resolve, query in
            SearchViewModel(
                query: query, limit: try resolve.orThrow(AppConfiguration.self).searchLimit,
                store: try resolve.orThrow(), logger: try resolve.orThrow())
        }
    }
}
