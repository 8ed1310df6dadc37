import Testing

/// Tests of the built program as a process, over real sockets and with its database in a real file. Each test covers
/// both wirings.
@Suite(.sharedServers, .fewAtOnce, .timeLimit(.minutes(3)))
struct SocketTests {}
