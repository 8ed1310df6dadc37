import DependencyInjection
import Testing

/// The services of the call sites.
typealias Service = Sendable

@Suite("Rule C5: A Swift 6 client")
struct TypedErrorTests {
    @Test("Rule 18: a typed error of a factory is the underlying error")
    func factories() async {
        let resolve = DIContainer {
            Shared { () throws(Failure) -> Int in throw Failure(code: 1) }
            New(name: "argument") { (_: Resolver, code: Int) throws(Failure) -> Int in throw Failure(code: code) }
            New(autowiring: { () throws(Failure) -> Int in throw Failure(code: 3) }, name: "autowired")
            Shared(async: { (_: Resolver) async throws(Failure) -> Int in throw Failure(code: 4) }, name: "async")
        }.resolve
        func code(_ request: () async throws -> Int) async -> Int? {
            do { return try await request() } catch {
                return ((error as? ResolutionError)?.reason.underlyingError as? Failure)?.code
            }
        }
        #expect(await code { try resolve.orThrow() } == 1)
        #expect(await code { try resolve.orThrow(Int.self, name: "argument", arguments: 2) } == 2)
        #expect(await code { try resolve.orThrow(Int.self, name: "autowired") } == 3)
        #expect(await code { try await resolve.async(Int.self, name: "async") } == 4)
    }
}
