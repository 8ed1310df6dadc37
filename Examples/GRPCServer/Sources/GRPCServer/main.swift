import DependencyInjection
import GRPCCore
import GRPCInProcessTransport

// A server and its client in one process. Another transport, such as that of grpc-swift-nio-transport, has the same
// interceptor and services.
let transport = InProcessTransport()
try await makeApp().run { app in
    try await serve(app, on: transport.server) { _ in
        try await withGRPCClient(transport: transport.client) { client in
            let counter = CounterClient(client)
            print("Add 5: \(try await counter.add(5))")
            try await counter.countDown(3) { print("Count down: \($0)") }
            do {
                try await counter.countDown(9) { print("Count down: \($0)") }
            } catch let error as RPCError { print(error.message) }
            print("Add 0: \(try await counter.add(0))")
        }
    }
}
