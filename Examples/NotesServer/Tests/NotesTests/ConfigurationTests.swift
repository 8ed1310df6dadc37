import Foundation
import HTTPServer
import Testing

@testable import Notes

struct ConfigurationTests {
    private static func read(_ text: String) throws -> Configuration { try Configuration(json: Data(text.utf8)) }

    @Test func missingKeysHaveDefaults() throws {
        #expect(try Self.read("{}") == Configuration())
        let configuration = try Self.read(#"{"pageSize": 5, "requestSeconds": 1}"#)
        #expect(configuration.pageSize == 5 && configuration.requestSeconds == 1)
        #expect(configuration.maximumBodyBytes == 65_536 && configuration.connections == 4)
    }

    @Test(arguments: [
        "", "[]", "{", #"{"pagesize": 5}"#, #"{"pageSize": 0}"#, #"{"pageSize": "5"}"#, #"{"pageSize": 1.5}"#,
        #"{"pageSize": 101}"#, #"{"maximumPageSize": 10}"#, #"{"connections": 0}"#, #"{"maximumBodyBytes": -1}"#,
        #"{"requestSeconds": 0}"#, #"{"pageSize": null}"#,
    ])
    func nonsenseIsRefused(_ text: String) {
        #expect(throws: ConfigurationError.self) { try Self.read(text) }
    }

    @Test(arguments: Client.Way.allCases) func reloadAppliesToTheNextRequest(_ way: Client.Way) async throws {
        try await Client.with(way, configuration: #"{"pageSize": 7}"#) { client in
            func size() async -> Int? { await client.send("GET", "/notes").json["size"] as? Int }
            #expect(await size() == 7)
            try client.directory.write(#"{"pageSize": 8, "maximumBodyBytes": 9}"#, to: "configuration.json")
            #expect(await size() == 7)
            try await client.wiring.renewConfiguration()
            #expect(await size() == 8)
            #expect(client.service.limits.bodyBytes == 9)
        }
    }

    @Test(arguments: Client.Way.allCases) func invalidFileIsIgnored(_ way: Client.Way) async throws {
        try await Client.with(way, configuration: #"{"pageSize": 7}"#) { client in
            try client.directory.write(#"{"pageSize": 0}"#, to: "configuration.json")
            let error = await #expect(throws: (any Error).self) { try await client.wiring.renewConfiguration() }
            #expect("\(error as Any)".contains("pageSize is 0"))
            #expect(await client.send("GET", "/notes").json["size"] as? Int == 7)
        }
    }

    @Test(arguments: Client.Way.allCases) func requestsSucceedDuringAReload(_ way: Client.Way) async throws {
        try await Client.with(way, configuration: #"{"pageSize": 7}"#) { client in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<50 {
                            let response = await client.send("GET", "/notes")
                            let size = response.json["size"] as? Int
                            guard response.status == 200, size == 7 || size == 8 else { return false }
                        }
                        return true
                    }
                }
                for round in 0..<20 {
                    try client.directory.write(#"{"pageSize": \#(7 + round % 2)}"#, to: "configuration.json")
                    try await client.wiring.renewConfiguration()
                }
                for try await isGood in group { #expect(isGood) }
            }
        }
    }
}
