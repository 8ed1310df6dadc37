import DependencyInjection

enum ParcelsFeature {
    static let module = Module("Parcels") {
        // One per session. It is released with the session, after its parcels have been cleared.
        Scoped(autowiring: CachingParcelStore.init, as: ParcelStore.self)
            .onClose(mainActor: { store in store.forget() })
        Decorate(ParcelStore.self, mainActor: { base, resolve in LoggedParcelStore(base: base, logger: resolve()) })
        New(autowiring: ParcelListModel.init)
        New(autowiring: ParcelModel.init, arguments: Int.self)
    }
}
