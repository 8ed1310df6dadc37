import DependencyInjection
import GRPCCore

/// The methods of the service, which are written by hand in place of generated code.
enum Counter {
    static let service = ServiceDescriptor(fullyQualifiedService: "example.Counter")
    static let add = MethodDescriptor(service: service, method: "Add")
    static let countDown = MethodDescriptor(service: service, method: "CountDown")
}

/// A service whose methods resolve their dependencies from the container of the RPC.
struct CounterService: RegistrableRPCService {
    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        let coding = NumberCoding()
        router.registerHandler(forMethod: Counter.add, deserializer: coding, serializer: coding) { request, _ in
            let number = try await ServerRequest(stream: request).message
            let unit = try DIContainer.resolve.orThrow(UnitOfWork.self)
            return StreamingServerResponse(single: ServerResponse(message: try await unit.add(number)))
        }
        router.registerHandler(forMethod: Counter.countDown, deserializer: coding, serializer: coding) {
            request, context in
            let count = try await ServerRequest(stream: request).message
            return StreamingServerResponse { writer in
                // The container of the RPC is current and open here, after the interceptor has returned.
                let unit = try DIContainer.resolve.orThrow(UnitOfWork.self)
                for _ in 0..<count {
                    if context.cancellation.isCancelled { throw RPCError(code: .cancelled, message: "Canceled.") }
                    try await writer.write(try await unit.add(-1))
                }
                return [:]
            }
        }
    }
}

/// Numbers as text. The bytes of the in-process transport are arrays.
struct NumberCoding: MessageSerializer, MessageDeserializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: Int) -> Bytes { Bytes("\(message)".utf8) }

    func deserialize<Bytes: GRPCContiguousBytes>(_ serializedMessageBytes: Bytes) throws -> Int {
        guard let bytes = serializedMessageBytes as? [UInt8], let number = Int(String(decoding: bytes, as: UTF8.self))
        else { throw RPCError(code: .invalidArgument, message: "The message is no number.") }
        return number
    }
}
