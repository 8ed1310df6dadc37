import Configuration
import DependencyInjection
import DependencyInjectionTesting
import Foundation
import GRDB
import Testing

@testable import Notes

@Suite(.dependencies(from: Sample.app) { Sample.database })
struct AccountTests {
    private var accounts: Accounts { DIContainer.resolve() }

    @Test func tokenIdentifiesTheUser() async throws {
        #expect(try await Sample.user("ada").name == "ada")
        #expect(try await Sample.user("eve").name == "eve")
    }

    @Test func namesAreUnique() async throws {
        _ = try await Sample.user("ada")
        let error = await #expect(throws: AccountError.self) { try await accounts.add("ada") }
        #expect(error?.description == "The user ada already exists.")
    }

    @Test(arguments: ["", "a b", "a\nb", "a\0b", String(repeating: "x", count: 51)])
    func invalidNamesAreRefused(_ name: String) async throws {
        try await DIContainer.current.prepare()
        await #expect(throws: AccountError.self) { try await accounts.add(name) }
    }

    @Test func newTokenReplacesTheOldOne() async throws {
        try await DIContainer.current.prepare()
        let old = try await accounts.add("ada")
        let new = try await accounts.renewToken(of: "ada")
        #expect(new.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil && new != old)
        #expect(try await accounts.identity(of: Sample.request(token: new)).name == "ada")
        await #expect(throws: APIError.unauthorized) { try await accounts.identity(of: Sample.request(token: old)) }
        await #expect(throws: AccountError.self) { try await accounts.renewToken(of: "eve") }
    }
}

@Suite struct MigrationTests {
    /// Version 1.0 created the same schema itself, and counted its migrations in `user_version`.
    @Test func fileOfAnEarlierVersionIsAdopted() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "notes.sqlite").path
            let earlier = try DatabaseQueue(path: path)
            try await earlier.writeWithoutTransaction { database in
                try database.execute(sql: Migrations.accountsAndNotes)
                try database.execute(sql: "PRAGMA user_version = 1; PRAGMA journal_mode = WAL")
                try database.execute(sql: "INSERT INTO users VALUES (1, 'ada', x'00')")
                try database.execute(sql: "INSERT INTO notes VALUES (5, 1, 'old', 'words', '[]', 3, 7, 8)")
            }
            try earlier.close()
            for _ in 1...2 {
                let database = try NoteDatabase(path, connections: 1)
                let found = try await database.pool.read {
                    try String.fetchAll(
                        $0,
                        sql: "SELECT notes.title FROM notesIndex JOIN notes ON notes.id = notesIndex.rowid "
                            + "WHERE notesIndex MATCH 'words'")
                }
                #expect(found == ["old"])
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

    @Test(arguments: Wiring.allCases) func changesApplyToTheNextRequest(wiring: Wiring) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "settings.json")
            try Data(#"{"pageSize": 7}"#.utf8).write(to: file)
            try await withTestServer(wiring, settings: file) { server in
                let user = try await Client.user(of: server)
                #expect(try await user.list().size == 7)
                #expect(try server.wiring.settings.pageSize == 7)
            }
        }
    }
}

/// Replaces a `Shared` that each request uses, 4,000 times a second.
@Suite(.servers) struct RenewalTests {
    @Test func replacedSettingsFailNoRequest() async throws {
        let user = try await Client.user(.container)
        let app = try #require(try TestServers.server(.container).wiring as? App)
        for number in 1...10 { _ = try await user.create(NoteInput("note \(number)")) }
        let renewal = Task {
            var count = 0
            let began = ContinuousClock.now
            while !Task.isCancelled {
                let fresh = Settings(pageSize: 1 + count % 7)
                app.container.register(Shared(fresh))
                count += 1
                try? await Task.sleep(until: began + .microseconds(250) * count)
            }
            return count
        }
        let sizes = try await concurrently(16) { _ in
            var sizes: Set<Int> = []
            for _ in 0..<50 {
                let list = try await user.list()
                #expect(list.notes.count == list.size)
                sizes.insert(list.size)
            }
            return sizes
        }
        renewal.cancel()
        #expect(await renewal.value > 100 && Set(sizes.joined()).count > 1)
    }
}

@Suite struct HeaderTests {
    @Test func encodedSeparatorsBelongToValues() throws {
        let query = try #require(Query("search=a%26b+c%2B&tag=&page&search=%00"))
        #expect(query.items.map(\.name) == ["search", "tag", "page", "search"])
        #expect(query.items.map(\.value) == ["a&b c+", "", "", "\0"])
        #expect(Query(nil)?.items.isEmpty == true && Query("")?.items.isEmpty == true)
    }

    @Test(arguments: ["search=%", "search=%f", "search=%ff", "%zz=1", "search=ü"])
    func invalidQueryIsNil(_ query: String) { #expect(Query(query) == nil) }

    @Test func entityTagsAreParsed() throws {
        let tags = try #require(EntityTags(#" "1" , W/"a,b", "2""#))
        #expect(tags.include("1") && tags.include("2") && tags.include("a,b") && !tags.include("a"))
        // A weak tag allows no change.
        #expect(tags.allowChange(of: "1") && !tags.allowChange(of: "a,b") && !tags.allowChange(of: "3"))
        #expect(EntityTags("*")?.include("2") == true && EntityTags("*")?.allowChange(of: "2") == true)
        for wrong in ["", "1", "\"1", "1\"", "\"1\" \"2\"", "*, \"1\"", "w/\"1\"", "W/", ","] {
            #expect(EntityTags(wrong) == nil, "\(wrong)")
        }
    }
}
