/// The parcel service on the network.
nonisolated protocol ParcelService: Sendable {
    func configuration() async throws -> AppConfiguration
    func logIn(user: String, code: String) async throws -> String
    func parcels(token: String) async throws -> [Parcel]
    func logOut(token: String) async throws
}

nonisolated enum ServiceError: Error, Equatable, CustomStringConvertible {
    case wrongCode
    case notLoggedIn
    case noParcel(id: Int)

    var description: String {
        switch self {
        case .wrongCode: "The name or the code is wrong."
        case .notLoggedIn: "Nobody is logged in."
        case .noParcel(let id): "You have no parcel \(id)."
        }
    }
}
