import DependencyInjection
import Testing

/// The services of the call sites.
typealias Service = Sendable

struct Refusal: Error, Equatable { let code: Int }

@Suite("Rule C5: A Swift 6 client")
struct TypedErrorTests {
    @Test("Rule 21: scopes rethrow the operation's own type of error")
    func scopes() async {
        let container = DIContainer()
        do throws(Refusal) {
            try DIContainer.withContainer(container) { () throws(Refusal) in throw Refusal(code: 1) }
        } catch { #expect(error.code == 1) }
        do throws(Refusal) {
            try DIContainer.withOverrides({}) { () throws(Refusal) in throw Refusal(code: 2) }
        } catch { #expect(error.code == 2) }
        do throws(Refusal) {
            try await DIContainer.withContainer(container) { () async throws(Refusal) in throw Refusal(code: 3) }
        } catch { #expect(error.code == 3) }
        do throws(Refusal) {
            try await DIContainer.withOverrides({}) { () async throws(Refusal) in throw Refusal(code: 4) }
        } catch { #expect(error.code == 4) }
    }

    @Test("Rule 18: a typed error of a factory is the underlying error")
    func factories() async {
        let resolve = DIContainer {
            Shared { () throws(Refusal) -> Int in throw Refusal(code: 1) }
            New(name: "argument") { (_: Resolver, code: Int) throws(Refusal) -> Int in throw Refusal(code: code) }
            New(autowiring: { () throws(Refusal) -> Int in throw Refusal(code: 3) }, name: "autowired")
            Shared(async: { (_: Resolver) async throws(Refusal) -> Int in throw Refusal(code: 4) }, name: "async")
        }.resolve
        func code(_ request: () async throws -> Int) async -> Int? {
            do { return try await request() } catch {
                return ((error as? ResolutionError)?.reason.underlyingError as? Refusal)?.code
            }
        }
        #expect(await code { try resolve.orThrow() } == 1)
        #expect(await code { try resolve.orThrow(Int.self, name: "argument", arguments: 2) } == 2)
        #expect(await code { try resolve.orThrow(Int.self, name: "autowired") } == 3)
        #expect(await code { try await resolve.async(Int.self, name: "async") } == 4)
    }
}
