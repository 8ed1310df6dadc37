import Foundation
import Testing

@testable import DependencyInjection

@Suite("The record of a thread", .mayHang)
struct ThreadRecordTests {
    @Test("A thread that ends during a read blocks no writer")
    func endedDuringRead() async {
        // If the read didn't end, a writer of this process would wait forever.
        await #expect(processExitsWith: .success) {
            let (isReading, mayEnd, isWriting) = (Latch(), Latch(), Latch())
            Thread.detachNewThread {
                ThreadRecord.current.beginReading()
                isReading.open()
                mayEnd.wait()
            }
            isReading.wait()
            let writer = BackgroundThread {
                isWriting.open()
                ThreadRecord.waitForReaders()
                return true
            }
            isWriting.wait()
            // By now, the writer usually holds the lock of the list.
            usleep(50_000)
            mayEnd.open()
            alarm(20)
            precondition(writer.result() == true)
        }
    }

    @Test("A forked process doesn't wait for threads of its parent process")
    func forkedDuringRead() async {
        await #expect(processExitsWith: .success) {
            // `fork` is called by name, because Swift doesn't import it on Apple platforms.
            let fork = unsafeBitCast(dlsym(dlopen(nil, RTLD_NOW), "fork"), to: (@convention(c) () -> pid_t).self)
            let container = DIContainer { Shared(Diesel(kind: "old")) }
            _ = container.resolve(Diesel.self)
            let (isReading, mayEnd, isWriting) = (Latch(), Latch(), Latch())
            Thread.detachNewThread {
                ThreadRecord.reading {
                    isReading.open()
                    mayEnd.wait()
                }
            }
            isReading.wait()
            Thread.detachNewThread {
                isWriting.open()
                // The writer holds the lock of the list until the read ends.
                ThreadRecord.waitForReaders()
            }
            isWriting.wait()
            usleep(50_000)
            let child = fork()
            if child == 0 {
                alarm(20)
                container.register(Shared(Diesel(kind: "new")))
                let isReplaced = container.resolve(Diesel.self).kind == "new"
                container.reset()
                _exit(isReplaced ? 0 : 1)
            }
            var status: CInt = -1
            precondition(child > 0 && waitpid(child, &status, 0) == child)
            mayEnd.open()
            precondition(status == 0)
        }
    }

    // MARK: Objects that a thread retains inside queues

    @Test("Objects retained inside queues are released in reverse outside all queues")
    func retainedInsideQueues() {
        final class Named: Sendable {
            private let name: String
            private let released: Locked<[String]>

            init(_ name: String, _ released: Locked<[String]>) {
                self.name = name
                self.released = released
            }

            deinit { released.withLock { $0.append(name) } }
        }
        let released = Locked<[String]>([])
        func retain(_ name: String) {
            let object = Named(name, released)
            withExtendedLifetime(object) { ThreadRecord.current.retainInsideQueues(UnretainedReference(object)) }
        }
        let outer = ReentrantSerialQueue()
        let inner = ReentrantSerialQueue()
        retain("outside")
        #expect(released.withLock { $0 } == ["outside"])
        outer.sync {
            retain("first")
            inner.sync { retain("second") }
            #expect(released.withLock { $0 } == ["outside"])
        }
        #expect(released.withLock { $0 } == ["outside", "second", "first"])
    }

    @Test("A thread inside a queue retains the objects that it finds")
    func foundInsideQueue() {
        let released = Counter()
        ReentrantSerialQueue().sync {
            do {
                let tracked = Tracked(released)
                withExtendedLifetime(tracked) { _ = UnretainedReference(tracked).object }
            }
            #expect(released.count == 0)
        }
        #expect(released.count == 1)
    }

    @Test("Objects retained during a release are released afterwards")
    func retainedByRelease() {
        final class Entering: Sendable {
            private let released: Counter
            private let next: Entering?

            init(_ released: Counter, next: Entering? = nil) {
                self.released = released
                self.next = next
            }

            deinit {
                released.increment()
                ReentrantSerialQueue().sync {
                    if let next {
                        withExtendedLifetime(next) {
                            ThreadRecord.current.retainInsideQueues(UnretainedReference(next))
                        }
                    }
                }
            }
        }
        let released = Counter()
        ReentrantSerialQueue().sync {
            let object = Entering(released, next: Entering(released, next: Entering(released)))
            withExtendedLifetime(object) { ThreadRecord.current.retainInsideQueues(UnretainedReference(object)) }
        }
        #expect(released.count == 3)
    }

    @Test("Retaining an object repeatedly doesn't increase memory")
    func retainedAgain() {
        let released = Counter()
        var retained = RetainedObjects()
        do {
            let objects = (0..<600).map { _ in Tracked(released) }
            for object in objects { retained.add(.passUnretained(object)) }
            #expect(retained.count == 600)
            for _ in 0..<100 { for object in objects { retained.add(.passUnretained(object)) } }
        }
        #expect(retained.count <= 1_200)
        #expect(released.count == 0)
        while let object = retained.removeLast() { object.release() }
        #expect(retained.count == 0 && released.count == 600)
    }
}
