/// The parcels of a session.
protocol ParcelStore: AnyObject, Sendable {
    func parcels() async throws -> [Parcel]
    func forget()
}

extension ParcelStore {
    func parcel(_ id: Int) async throws -> Parcel {
        guard let parcel = try await parcels().first(where: { $0.id == id }) else {
            throw ServiceError.noParcel(id: id)
        }
        return parcel
    }
}

/// Asks the service once and keeps the answer.
final class CachingParcelStore: ParcelStore {
    private let session: Session
    private var kept: [Parcel]?

    init(session: Session) { self.session = session }

    func parcels() async throws -> [Parcel] {
        if let kept { return kept }
        let parcels = try await session.parcels()
        kept = parcels
        return parcels
    }

    func forget() { kept = nil }
}
