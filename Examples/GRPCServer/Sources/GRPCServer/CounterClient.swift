import GRPCCore

/// A client of the service, which is written by hand in place of generated code.
struct CounterClient<Transport: ClientTransport>: Sendable {
    let client: GRPCClient<Transport>
    private let coding = JSONCoding<Number>()

    init(_ client: GRPCClient<Transport>) { self.client = client }

    func add(_ number: Int) async throws -> Int {
        try await client.unary(
            request: ClientRequest(message: Number(value: number), metadata: ["user": "ada"]), descriptor: Counter.add,
            serializer: coding, deserializer: coding, options: .defaults
        ) { try $0.message.value }
    }

    /// Counts down, and passes each number to the operation.
    func countDown(_ count: Int, _ operation: @escaping @Sendable (Int) async throws -> Void) async throws {
        try await client.serverStreaming(
            request: ClientRequest(message: Number(value: count), metadata: ["user": "ada"]),
            descriptor: Counter.countDown, serializer: coding, deserializer: coding, options: .defaults
        ) { response in
            for try await number in response.messages { try await operation(number.value) }
        }
    }
}
