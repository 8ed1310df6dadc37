import DependencyInjection
import SwiftUI

struct ParcelListView: View {
    // Passed by the coordinator, because the model belongs to a session.
    @State var model: ParcelListModel

    var body: some View {
        List {
            switch model.phase {
            case .loading: ProgressView("Loading")
            case .failed(let text): Text(text)
            case .loaded(let parcels):
                ForEach(parcels) { parcel in
                    Button("\(parcel.id) \(parcel.content)") { model.open(parcel) }
                }
            }
            Button("Settings") { model.openSettings() }
        }
        .navigationTitle(model.title)
        .task { await model.load() }
    }
}

struct ParcelListPreviews: PreviewProvider {
    static var previews: some View {
        DIContainer.shared = DIContainer {
            CoreServices.module
            ParcelsFeature.module
            Shared(mainActor: PreviewStore() as ParcelStore)
            Shared(Session(user: "ada", token: "", service: LocalParcelService()))
        }
        return ParcelListView(model: DIContainer.resolve())
    }

    private final class PreviewStore: ParcelStore {
        func parcels() async -> [Parcel] { [Parcel(id: 1, content: "A hat", events: ["Sent"])] }
        func forget() {}
    }
}
