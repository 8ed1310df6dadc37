// As much of swift-service-lifecycle 2 as the snippets of the documentation use, with its signatures. See `steps/snippets`.

public protocol Service: Sendable {
    func run() async throws
}

/// A type of swift-log.
public struct Logger: Sendable {
    public init(label: String) {}
}

public struct UnixSignal: Hashable, Sendable {
    public static let sigterm = Self()
}

public actor ServiceGroup: Sendable {
    public init(
        services: [any Service], gracefulShutdownSignals: [UnixSignal] = [], cancellationSignals: [UnixSignal] = [],
        logger: Logger
    ) {}

    public func run(file: String = #file, line: Int = #line) async throws {}
}

public func gracefulShutdown() async throws {}
