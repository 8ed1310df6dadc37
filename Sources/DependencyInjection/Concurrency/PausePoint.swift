/// A place between two steps of an algorithm without a lock, where another thread may interfere.
///
/// `.ci/run stress` runs tests that are compiled with the flag `INJECTED_PAUSES`. Their threads pause at these places,
/// so that rare orders of steps become frequent. Without the flag, passing a place costs nothing.
enum PausePoint {
    /// A read has been announced, or an announced read ends.
    case readAnnounced, readEnding
    /// A reader has found a slot and hasn't copied anything.
    case slotFound
    /// The object of a slot is written, and its word isn't.
    case objectWritten
    /// A writer has unlinked objects and hasn't looked at the readers.
    case unlinked
    /// A thread is counted at a queue and not inside, or not inside any more and still counted.
    case queueCounted, queueLeaving
    /// A queue is free and the waiting thread hasn't been woken.
    case queueFreed
    /// A thread has found a queue taken and hasn't announced that it waits.
    case queueFound

    #if INJECTED_PAUSES
        /// Called with each place that a thread passes. Sound: it is set before the threads of a test begin.
        nonisolated(unsafe) static var handler: @Sendable (PausePoint) -> Void = { _ in }

        func pass() { Self.handler(self) }
    #else
        @inline(__always) func pass() {}
    #endif
}

#if INJECTED_PAUSES
    extension PausePoint: CaseIterable {}
#endif
