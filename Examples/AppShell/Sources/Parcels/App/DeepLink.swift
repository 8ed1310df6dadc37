import Foundation

/// A place in the app that a link leads to, such as `parcels://parcel/42`.
nonisolated enum DeepLink: Equatable {
    case parcels
    case parcel(id: Int)
    case settings

    init?(_ url: URL) {
        guard url.scheme == "parcels" else { return nil }
        switch (url.host(), url.pathComponents.dropFirst().first.flatMap { Int($0) }) {
        case ("parcels", nil): self = .parcels
        case ("parcel", let id?): self = .parcel(id: id)
        case ("settings", nil): self = .settings
        default: return nil
        }
    }
}
