import DependencyInjection
import Observation

@Observable
final class ParcelListModel {
    enum Phase {
        case loading
        case loaded([Parcel])
        case failed(String)
    }

    private(set) var phase = Phase.loading
    let title: String
    private let store: ParcelStore
    // The macro would rewrite the wrapped property.
    @ObservationIgnored @LazyInject private var router: Router

    init(session: Session, store: ParcelStore) {
        title = "Parcels of \(session.user)"
        self.store = store
    }

    func load() async {
        do { phase = .loaded(try await store.parcels()) } catch { phase = .failed("\(error)") }
    }

    func open(_ parcel: Parcel) { router.open(.parcel(id: parcel.id)) }
    func openSettings() { router.open(.settings) }
}
