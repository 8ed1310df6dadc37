import DependencyInjection
import Foundation
import Testing

/// Replacements in a parent while a request to its child waits for the child's queue.
@Suite("Replacements in a parent while a child waits", .mayHang)
struct ReplacedWhileWaitingTests {
    @Test("Rule 1: a child caches nothing of a registration replaced while it waited")
    func replacedWhileWaiting() {
        let parent = DIContainer { Scoped(Diesel(kind: "old")) }
        let child = parent.makeChild()
        let waiting = Locked<BackgroundThread<String>?>(nil)
        _ = whileBuilding(in: child) {
            waiting.withLock { $0 = BackgroundThread { child.resolve(Diesel.self).kind } }
            // By now, the request has usually found the registration. Otherwise the test proves less.
            Thread.sleep(forTimeInterval: 0.1)
            parent.register(Scoped(Diesel(kind: "new")))
        }
        #expect(waiting.withLock { $0 }?.result() == "new")
    }

    @Test("Rule 1: a child releases a replaced instance at its next request for it")
    func replacedWhileOtherWaits() throws {
        let parent = DIContainer {
            Scoped(Diesel())
            Scoped(Ticket(number: 1))
        }
        let child = parent.makeChild()
        weak let old = try child.resolve.orThrow(Diesel.self)
        let waiting = Locked<BackgroundThread<Int>?>(nil)
        _ = whileBuilding(in: child) {
            waiting.withLock { $0 = BackgroundThread { child.resolve(Ticket.self).number } }
            // By now, the request usually waits. Otherwise the test proves less.
            Thread.sleep(forTimeInterval: 0.1)
            parent.register(Scoped(Diesel(kind: "new")))
        }
        #expect(waiting.withLock { $0 }?.result() == 1)
        #expect(try child.resolve.orThrow(Diesel.self).kind == "new")
        #expect(old == nil)
    }
}
