import Testing

/// The parent of all tests that start processes. They run one after the other.
@Suite("Tests in processes of their own", .serialized, .timeLimit(.minutes(10)))
enum ExitTests {}
