import Testing

/// The parent of all tests that run in a process of their own, because they stop the program or change something global.
///
/// They run one after the other. Dozens of processes at once would take the time of all other tests.
@Suite("Tests in processes of their own", .serialized, .mayHang)
enum ExitTests {}
