nonisolated struct Parcel: Identifiable, Equatable, Sendable {
    let id: Int
    let content: String
    let events: [String]
}
