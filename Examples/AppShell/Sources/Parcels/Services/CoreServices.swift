import DependencyInjection

/// What every program needs that uses this module: the app, its extensions, its previews.
nonisolated enum CoreServices {
    static let module = Module("Core services") {
        Shared(ConsoleLogger() as Logger)
        Shared(LocalParcelService() as ParcelService)
        Shared(async: { resolve in try await resolve(ParcelService.self).configuration() })
    }
}

// An extension has no app delegate that could register these. So they are registered by themselves, before anything else.
extension DIContainer: @retroactive DependencyRegistering {
    public static func registerDependencies() {
        register(CoreServices.module)
    }
}
