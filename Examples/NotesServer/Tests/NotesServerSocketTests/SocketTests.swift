import Testing

/// The built program as a process, asked over real sockets, with its database in a real file. Each test says what the
/// program does, for both wirings.
@Suite(.sharedServers, .fewAtOnce, .timeLimit(.minutes(3)))
struct SocketTests {}
