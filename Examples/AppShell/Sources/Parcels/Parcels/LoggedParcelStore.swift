/// A decorator that logs the requests to a store.
final class LoggedParcelStore: ParcelStore {
    private let base: ParcelStore
    private let logger: Logger

    init(base: ParcelStore, logger: Logger) {
        self.base = base
        self.logger = logger
    }

    func parcels() async throws -> [Parcel] {
        let parcels = try await base.parcels()
        logger.log("read \(parcels.count) parcels")
        return parcels
    }

    func forget() {
        logger.log("forgets all parcels")
        base.forget()
    }
}
