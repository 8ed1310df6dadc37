import Testing

/// Tests of the built program as a process, over real sockets, one after the other.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ProcessTests {
    /// The head of a request that creates a note.
    static func head(_ client: Client, _ fields: String) -> String {
        "POST /notes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(client.token ?? "")\r\n"
            + "Content-Type: application/json\r\n\(fields)\r\n"
    }
}
