import Foundation

/// A service without a network, so that the app can be tried anywhere. A real app would register one that uses
/// `URLSession`.
actor LocalParcelService: ParcelService {
    private let accounts = ["ada": "1843", "grace": "1952"]
    private let parcels = [
        "ada": [
            Parcel(id: 42, content: "Punched cards", events: ["Sent from Lyon", "Arrived in London"]),
            Parcel(id: 43, content: "Brass gears", events: ["Sent from Turin"]),
        ],
        "grace": [Parcel(id: 7, content: "A moth", events: ["Found in relay 70"])],
    ]
    private var users: [String: String] = [:]

    func configuration() -> AppConfiguration {
        AppConfiguration(serviceName: "Parcels", supportAddress: "help@parcels.example")
    }

    func logIn(user: String, code: String) throws -> String {
        guard accounts[user] == code else { throw ServiceError.wrongCode }
        let token = UUID().uuidString
        users[token] = user
        return token
    }

    func parcels(token: String) throws -> [Parcel] {
        guard let user = users[token] else { throw ServiceError.notLoggedIn }
        return parcels[user] ?? []
    }

    func logOut(token: String) throws {
        guard users.removeValue(forKey: token) != nil else { throw ServiceError.notLoggedIn }
    }
}
