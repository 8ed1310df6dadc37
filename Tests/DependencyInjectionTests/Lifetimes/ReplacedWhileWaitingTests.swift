import DependencyInjection
import Testing

/// Replacements in a parent while a request to its child waits for the child's queue.
@Suite("Replacements in a parent while a child waits", .mayHang, .ownThread)
struct ReplacedWhileWaitingTests {
    @Test("Rule 1: a child caches nothing of a registration replaced while it waited")
    func replacedWhileWaiting() {
        let parent = DIContainer { Scoped(Diesel(kind: "old")) }
        let child = parent.makeChild()
        let request = whileBuilding(in: child) {
            let request = BackgroundThread { child.resolve(Diesel.self).kind }
            child.untilThreadWaits()
            parent.register(Scoped(Diesel(kind: "new")))
            return request
        }
        #expect(request?.result() == "new")
    }

    @Test("Rule 1: a child releases a replaced instance at its next request for it")
    func replacedWhileOtherWaits() throws {
        let parent = DIContainer {
            Scoped(Diesel())
            Scoped(Ticket(number: 1))
        }
        let child = parent.makeChild()
        weak let old = try child.resolve.orThrow(Diesel.self)
        let request = whileBuilding(in: child) {
            let request = BackgroundThread { child.resolve(Ticket.self).number }
            child.untilThreadWaits()
            parent.register(Scoped(Diesel(kind: "new")))
            return request
        }
        #expect(request?.result() == 1)
        #expect(try child.resolve.orThrow(Diesel.self).kind == "new")
        #expect(old == nil)
    }
}
