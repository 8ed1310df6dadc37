import DependencyInjection
import Foundation
import GRPCCore

/// The methods of the service, which are written by hand in place of generated code.
enum Counter {
    static let service = ServiceDescriptor(fullyQualifiedService: "example.Counter")
    static let add = MethodDescriptor(service: service, method: "Add")
    static let countDown = MethodDescriptor(service: service, method: "CountDown")
}

struct Number: Codable, Sendable, Equatable {
    var value: Int
}

/// A service whose methods resolve their dependencies from the container of the RPC.
struct CounterService: RegistrableRPCService {
    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        let coding = JSONCoding<Number>()
        router.registerHandler(forMethod: Counter.add, deserializer: coding, serializer: coding) { request, _ in
            let request = try await ServerRequest(stream: request)
            let unit = try DIContainer.resolve.orThrow(UnitOfWork.self)
            return StreamingServerResponse(
                single: ServerResponse(message: Number(value: try await unit.add(request.message.value))))
        }
        router.registerHandler(forMethod: Counter.countDown, deserializer: coding, serializer: coding) { request, _ in
            let request = try await ServerRequest(stream: request)
            return StreamingServerResponse { writer in
                // The container of the RPC is current and open here, after the interceptor has returned.
                let unit = try DIContainer.resolve.orThrow(UnitOfWork.self)
                for _ in 0..<request.message.value {
                    try await writer.write(Number(value: try await unit.add(-1)))
                }
                return [:]
            }
        }
    }
}

/// Messages as JSON. The bytes of the in-process transport are arrays.
struct JSONCoding<Message: Codable & Sendable>: MessageSerializer, MessageDeserializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: Message) throws -> Bytes {
        Bytes(try JSONEncoder().encode(message))
    }

    func deserialize<Bytes: GRPCContiguousBytes>(_ serializedMessageBytes: Bytes) throws -> Message {
        guard let bytes = serializedMessageBytes as? [UInt8] else {
            throw RPCError(code: .internalError, message: "The transport has other bytes than arrays.")
        }
        return try JSONDecoder().decode(Message.self, from: Data(bytes))
    }
}
