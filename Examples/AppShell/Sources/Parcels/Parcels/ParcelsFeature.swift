import DependencyInjection

enum ParcelsFeature {
    static let module = Module("Parcels") {
        // One in each session. It goes with the session, and lets go of what it knows before.
        Scoped(autowiring: CachingParcelStore.init, as: ParcelStore.self)
            .onClose(mainActor: { store in store.forget() })
        Decorate(ParcelStore.self, mainActor: { base, resolve in LoggedParcelStore(base: base, logger: resolve()) })
        New(autowiring: ParcelListModel.init)
        New(autowiring: ParcelModel.init, arguments: Int.self)
    }
}
