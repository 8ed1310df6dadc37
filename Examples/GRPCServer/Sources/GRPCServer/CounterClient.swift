import GRPCCore
import GRPCInProcessTransport

/// A client of the service, which is written by hand in place of generated code.
struct CounterClient: Sendable {
    let client: GRPCClient<InProcessTransport.Client>
    var options = CallOptions.defaults

    /// Calls a method, and passes each number of its response to the operation.
    func call(
        _ method: MethodDescriptor, _ number: Int, _ operation: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        try await client.serverStreaming(
            request: ClientRequest(message: number, metadata: ["user": "ada"]), descriptor: method,
            serializer: NumberCoding(), deserializer: NumberCoding(), options: options
        ) { response in
            for try await number in response.messages { try await operation(number) }
        }
    }
}
