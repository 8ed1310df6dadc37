import DependencyInjection

/// What every program needs that uses this module: the app, its extensions, its previews. It belongs to no actor, since it is
/// registered on whichever thread first uses the default container.
nonisolated enum CoreServices {
    static let module = Module("Core services") {
        Shared(ConsoleLogger() as Logger)
        Shared(LocalParcelService() as ParcelService)
        Shared(async: { resolve in try await resolve(ParcelService.self).configuration() })
    }
}

// An extension has no app delegate that could register these.
extension DIContainer: @retroactive DependencyRegistering {
    public static func registerDependencies() {
        register(CoreServices.module)
    }
}
