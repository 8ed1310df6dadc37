import DependencyInjection
import DependencyInjectionTesting
import HTTPServer
import SQLite
import Secrets
import Testing

@testable import Notes
@testable import NotesWiring

@Suite(.dependencies(from: app.container) { temporaryDatabase() })
struct AccountTests {
    @Test func tokenIdentifiesTheUser() async throws {
        #expect(try await DIContainer.addUser("ada").name == "ada")
        #expect(try await DIContainer.addUser("eve").name == "eve")
    }

    @Test func tokenIsNotStored() async throws {
        try await DIContainer.current.prepare()
        let token = try await DIContainer.resolve(Accounts.self).add("ada")
        #expect(token.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil)
        let stored = try await DIContainer.resolve(Database.self).readers.with {
            try $0.rows("SELECT count(*) FROM users WHERE tokenHash = ? AND name = 'ada'", .blob(Secrets.hash(token)))
        }
        #expect(try stored[0].integer(0) == 1)
        let hash = Secrets.hash(token)
        #expect(hash.count == 32 && hash != Array(token.utf8) && hash != Secrets.hash(token + "x"))
    }

    @Test func namesAreUnique() async throws {
        _ = try await DIContainer.addUser("ada")
        let error = await #expect(throws: AccountError.self) { try await DIContainer.resolve(Accounts.self).add("ada") }
        #expect(error?.description == "The user ada already exists.")
    }

    @Test(arguments: ["", "a b", "a\nb", "a\0b", String(repeating: "x", count: 51)])
    func invalidNamesAreRefused(_ name: String) async throws {
        try await DIContainer.current.prepare()
        await #expect(throws: AccountError.self) { try await DIContainer.resolve(Accounts.self).add(name) }
    }

    @Test func tokensDiffer() {
        #expect(Set((0..<100).map { _ in Secrets.token() }).count == 100)
    }

    @Test func hashesFollowTheStandard() {
        #expect(Secrets.sha256("abc") == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
    }
}
