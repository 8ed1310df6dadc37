import Foundation
import Testing

@testable import Parcels

struct DeepLinkTests {
    @Test(arguments: [
        ("parcels://parcels", DeepLink.parcels), ("parcels://parcel/42", .parcel(id: 42)),
        ("parcels://settings", .settings), ("parcels://parcel", nil), ("parcels://parcel/x", nil),
        ("parcels://parcel/4/2", nil), ("parcels://settings/x", nil), ("parcels://nowhere", nil),
        ("https://parcel/42", nil),
    ])
    func reads(_ text: String, _ link: DeepLink?) throws {
        #expect(try DeepLink(#require(URL(string: text))) == link)
    }
}
