/// The parcels of a session. A class of the main actor is `Sendable`; its protocol has to say so.
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

/// Asks the service once, however many screens want to know, and keeps the answer.
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
            // The next screen asks again.
            if self.reading == reading { self.reading = nil }
            throw error
        }
    }

    func forget() {
        reading?.cancel()
        reading = nil
    }
}
