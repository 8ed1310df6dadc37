import DependencyInjection

/// The registrations for every program that uses this module: the app, its extensions and its previews. It isn't
/// isolated, because it is registered on the thread that first uses the default container.
nonisolated enum CoreServices {
    static let module = Module("Core services") {
        Shared(ConsoleLogger() as Logger)
        Shared(LocalParcelService() as ParcelService)
        Shared(async: { resolve in try await resolve(ParcelService.self).configuration() })
    }
}

// An extension has no app delegate that could add these registrations.
extension DIContainer: @retroactive DependencyRegistering {
    public static func registerDependencies() {
        register(CoreServices.module)
    }
}
