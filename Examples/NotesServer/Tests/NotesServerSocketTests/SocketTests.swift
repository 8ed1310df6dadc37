import Testing

/// Tests of the built program as a process, over real sockets, with its database in a real file. Each describes the
/// program's behavior for both wirings.
@Suite(.sharedServers, .fewAtOnce, .timeLimit(.minutes(3)))
struct SocketTests {}
