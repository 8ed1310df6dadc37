import CMicroHTTPD

// The functions that libmicrohttpd calls on its thread. The context of each is the server, which lives until the daemon
// has stopped. The context of a connection is its `Connection`, which the server retains until the daemon reports that
// it is closed.

let notifyCallback: MHD_NotifyConnectionCallback = { context, handle, connectionContext, event in
    guard let context, let handle, let connectionContext else { return }
    let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
    if event == .CONNECTION_NOTIFY_STARTED {
        connectionContext.pointee = Unmanaged.passUnretained(server.open(handle)).toOpaque()
    } else if let opened = connectionContext.pointee {
        server.forget(Unmanaged<Connection>.fromOpaque(opened).takeUnretainedValue())
    }
}

/// Called when the first line of a request has arrived, with the target as sent.
let beginCallback:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
        UnsafeMutableRawPointer? = { context, target, handle in
            guard let (server, connection) = find(context, handle), let target else { return nil }
            server.begin(connection, String(cString: target))
            return nil
        }

/// Called when a request's head has arrived, for each part of its body, at its end, and when the request is resumed.
let answerCallback: MHD_AccessHandlerCallback = { context, handle, _, method, _, bytes, count, requestContext in
    guard let (server, connection) = find(context, handle), let handle, let method, let count, let requestContext
    else { return .NO }
    if requestContext.pointee == nil {
        // Any value except NULL means that the head is known.
        requestContext.pointee = context
        server.receiveHead(connection, handle, method: String(cString: method))
        return .YES
    }
    if count.pointee > 0 {
        server.receive(connection, UnsafeRawBufferPointer(start: bytes, count: count.pointee))
        // Zero means that all bytes were consumed.
        count.pointee = 0
        return .YES
    }
    return server.answer(connection, handle)
}

let completeCallback: MHD_RequestCompletedCallback = { context, handle, _, _ in
    guard let (server, connection) = find(context, handle) else { return }
    server.complete(connection)
}

private func find(_ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?) -> (HTTPServer, Connection)? {
    guard let context, let handle, let opened = notes_context(handle) else { return nil }
    return (
        Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue(),
        Unmanaged<Connection>.fromOpaque(opened).takeUnretainedValue()
    )
}
