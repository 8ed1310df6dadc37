import Configuration
import DependencyInjection
import Foundation
import GRDB
import Testing

@testable import Notes

@Suite struct MigrationTests {
    /// Version 1.0 created the same schema itself, and counted its migrations in `user_version`.
    @Test func fileOfAnEarlierVersionIsAdopted() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "notes.sqlite").path
            let earlier = try DatabaseQueue(path: path)
            try await earlier.writeWithoutTransaction { database in
                try Migrations.createSchema(database)
                try database.execute(sql: "PRAGMA user_version = 1; PRAGMA journal_mode = WAL")
                try database.execute(sql: "INSERT INTO users VALUES (1, 'ada', x'00')")
                try database.execute(sql: "INSERT INTO notes VALUES (5, 1, 'old', 'words', '[]', 3, 7, 8)")
            }
            try earlier.close()
            for _ in 1...2 {
                let database = try NoteDatabase(path, connections: 1)
                let found = try await database.pool.read {
                    try Int.fetchAll($0, sql: "SELECT rowid FROM notesIndex WHERE notesIndex MATCH 'words'")
                }
                #expect(found == [5])
                try database.close()
            }
        }
    }
}

@Suite struct SettingsTests {
    private func settings(_ json: String) throws -> Settings {
        let snapshot = try JSONSnapshot(data: Data(json.utf8).bytes, providerName: "test", parsingOptions: .default)
        return try Settings(snapshot)
    }

    @Test func missingKeysHaveDefaults() throws {
        #expect(try settings("{}") == Settings())
        let changed = try settings(#"{"pageSize": 5, "requestSeconds": 1}"#)
        #expect(changed.pageSize == 5 && changed.requestSeconds == 1)
        #expect(changed.maximumBodyBytes == 65_536 && changed.connections == 4)
    }

    @Test(arguments: [
        "", "[]", "{", #"{"pageSize": 0}"#, #"{"pageSize": "x"}"#, #"{"pageSize": 1.5}"#, #"{"pageSize": 101}"#,
        #"{"maximumPageSize": 10}"#, #"{"connections": 0}"#, #"{"maximumBodyBytes": -1}"#, #"{"requestSeconds": 0}"#,
        #"{"maximumBodyBytes": 99999999999999999999}"#,
    ])
    func invalidFilesAreRefused(_ json: String) { #expect(throws: (any Error).self) { try settings(json) } }

    /// Replaces a `Shared` that each request uses, 4,000 times a second.
    @Test func replacedSettingsFailNoRequest() async throws {
        try await withTestServer(.container) { server in
            let app = try #require(server.wiring as? App)
            let user = try await server.user()
            for number in 1...8 { _ = try await user.create(NoteInput("note \(number)")) }
            async let sizes = concurrently(16) { _ in
                var sizes: Set<Int> = []
                // The last settings end the clients.
                while !sizes.contains(8) {
                    let list = try await user.list()
                    #expect(list.notes.count == list.size)
                    sizes.insert(list.size)
                }
                return sizes
            }
            let began = ContinuousClock.now
            for count in 1...4_000 {
                app.container.register(Shared(Settings(pageSize: 1 + count % 7)))
                try await Task.sleep(until: began + .microseconds(250) * count)
            }
            app.container.register(Shared(Settings(pageSize: 8)))
            #expect(try await Set(sizes.joined()) == Set(1...8))
        }
    }
}
