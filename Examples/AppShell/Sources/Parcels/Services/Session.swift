/// The session of a user who has logged in.
nonisolated struct Session: Sendable {
    let user: String
    let token: String
    let service: ParcelService

    func parcels() async throws -> [Parcel] { try await service.parcels(token: token) }
    func end() async throws { try await service.logOut(token: token) }
}
