import Foundation
import Testing

@testable import DependencyInjection

extension ExitTests {
    @Test("A thread that ends during a read blocks no writer")
    static func endedDuringRead() async {
        // If the read didn't end, a writer of this process would wait forever.
        await #expect(processExitsWith: .success) {
            let (reading, isWriting) = (Latch(), Latch())
            Thread.detachNewThread {
                ThreadRecord.current.beginReading()
                reading.wait()
            }
            await reading.isReached()
            let writer = BackgroundThread {
                isWriting.open()
                ThreadRecord.waitForReaders()
                return true
            }
            isWriting.wait()
            reading.open()
            precondition(writer.result() == true)
        }
    }

    @Test("A forked process doesn't wait for threads of its parent process")
    static func forkedDuringRead() async {
        await #expect(processExitsWith: .success) {
            // `fork` is called by name, because Swift doesn't import it on Apple platforms.
            let fork = unsafeBitCast(dlsym(dlopen(nil, RTLD_NOW), "fork"), to: (@convention(c) () -> pid_t).self)
            let container = DIContainer { Shared(Diesel(kind: "old")) }
            _ = container.resolve(Diesel.self)
            let reading = Latch()
            Thread.detachNewThread { ThreadRecord.reading { reading.wait() } }
            await reading.isReached()
            let child = fork()
            if child == 0 {
                alarm(UInt32(longestWait))
                container.register(Shared(Diesel(kind: "new")))
                let isReplaced = container.resolve(Diesel.self).kind == "new"
                container.reset()
                _exit(isReplaced ? 0 : 1)
            }
            var status: CInt = -1
            precondition(child > 0 && waitpid(child, &status, 0) == child)
            reading.open()
            precondition(status == 0)
        }
    }

    @Test("A thread takes over the record of a thread that has ended")
    static func takenOver() async {
        await #expect(processExitsWith: .success) {
            var identities: Set<UInt> = []
            for _ in 0..<100 {
                let identity = BackgroundThread {
                    precondition(ThreadRecord.current.isIdle && ThreadRecord.current.heldQueues == 0)
                    return ThreadRecord.current.identity
                }.result()
                identities.insert(identity ?? 0)
            }
            // A new thread may begin before the record of the previous one is free.
            precondition(!identities.contains(0) && identities.count < 20)
        }
    }
}
