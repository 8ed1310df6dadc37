/// The parcels of a session. A main-actor class is `Sendable`, but its protocol has to declare it.
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

/// A store that requests the parcels once for all screens, and caches them.
final class CachingParcelStore: ParcelStore {
    private let session: Session
    private var reading: Task<[Parcel], any Error>?

    init(session: Session) { self.session = session }

    func parcels() async throws -> [Parcel] {
        let reading = reading ?? Task { try await session.parcels() }
        self.reading = reading
        do {
            return try await reading.value
        } catch {
            // After a failure, the next screen requests them again.
            if self.reading == reading { self.reading = nil }
            throw error
        }
    }

    func forget() {
        reading?.cancel()
        reading = nil
    }
}
