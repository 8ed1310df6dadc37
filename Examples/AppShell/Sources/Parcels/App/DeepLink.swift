import Foundation

/// A place in the app that a link leads to, such as `parcels://parcel/42`.
nonisolated enum DeepLink: Equatable {
    case parcels
    case parcel(id: Int)
    case settings

    init?(_ url: URL) {
        guard url.scheme == "parcels" else { return nil }
        let path = url.pathComponents.dropFirst()
        switch (url.host(), path.count, path.first.flatMap { Int($0) }) {
        case ("parcels", 0, _): self = .parcels
        case ("parcel", 1, let id?): self = .parcel(id: id)
        case ("settings", 0, _): self = .settings
        default: return nil
        }
    }
}
