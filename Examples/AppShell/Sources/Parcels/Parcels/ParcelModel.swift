/// A parcel, selected by the caller that resolves it.
final class ParcelModel {
    private let id: Int
    private let store: ParcelStore

    init(id: Int, store: ParcelStore) {
        self.id = id
        self.store = store
    }

    var title: String { "Parcel \(id)" }

    func text() async -> String {
        do {
            let parcel = try await store.parcel(id)
            return ([parcel.content] + parcel.events).joined(separator: "\n")
        } catch {
            return "\(error)"
        }
    }
}
