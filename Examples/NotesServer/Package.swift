// swift-tools-version: 6.2
import PackageDescription

extension Target.Dependency {
    static let injection: Self = .product(name: "DependencyInjection", package: "DependencyInjection")
    static let diagnostics: Self = .product(name: "DependencyInjectionDiagnostics", package: "DependencyInjection")
    static let injectionTesting: Self = .product(name: "DependencyInjectionTesting", package: "DependencyInjection")
    static let hummingbird: Self = .product(name: "Hummingbird", package: "hummingbird")
    static let hummingbirdTesting: Self = .product(name: "HummingbirdTesting", package: "hummingbird")
    static let grdb: Self = .product(name: "GRDB", package: "GRDB.swift")
    static let lifecycle: Self = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    static let logging: Self = .product(name: "Logging", package: "swift-log")
    static let inMemoryLogging: Self = .product(name: "InMemoryLogging", package: "swift-log")
    static let configuration: Self = .product(name: "Configuration", package: "swift-configuration")
    static let nio: Self = .product(name: "NIOCore", package: "swift-nio")
    static let sockets: Self = .product(name: "NIOPosix", package: "swift-nio")
    static let httpTypes: Self = .product(name: "HTTPTypes", package: "swift-http-types")
}

// The plugin's tool needs all packages a second time. `CHECKS_WIRING=false swift build` does without the check.
let checksWiring = Context.environment["CHECKS_WIRING"] != "false"

let package = Package(
    name: "NotesServer",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Named, because the directory may have any name.
        .package(name: "DependencyInjection", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(
            url: "https://github.com/apple/swift-configuration.git", from: "1.4.0", traits: [.defaults, "Reloading"]),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        // Types of these packages are parts of those above.
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-system.git", from: "1.8.1"),
    ],
    targets: [
        .systemLibrary(
            name: "CCMark", pkgConfig: "libcmark", providers: [.apt(["libcmark-dev"]), .brew(["cmark"])]),
        // A Swift wrapper for that library. It contains all unsafe code.
        .target(name: "Markdown", dependencies: ["CCMark"]),
        // A folder to copy into a server of your own.
        .target(name: "DependencyInjectionHummingbird", dependencies: [.injection, .hummingbird, .logging]),
        // The service with all registrations, in a module that the program and the tool below link.
        .target(
            name: "Notes",
            dependencies: [
                "DependencyInjectionHummingbird", "Markdown", .injection, .diagnostics, .hummingbird,
                .product(name: "HummingbirdCore", package: "hummingbird"), .grdb, .configuration, .lifecycle, .logging,
                .product(name: "Crypto", package: "swift-crypto"), .nio,
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"), .httpTypes,
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            resources: [.embedInCode("Page/page.html")]),
        .executableTarget(
            name: "NotesServer",
            dependencies: [
                "Notes", .injection, .diagnostics, .hummingbird, .lifecycle, .logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            plugins: checksWiring ? ["WiringPlugin"] : []),
        // The tool and the plugin that runs it, before the program above is compiled.
        .executableTarget(name: "CheckWiring", dependencies: ["Notes", .diagnostics, .logging]),
        .plugin(name: "WiringPlugin", capability: .buildTool(), dependencies: ["CheckWiring"]),
        .testTarget(
            name: "DependencyInjectionHummingbirdTests",
            dependencies: [
                "DependencyInjectionHummingbird", .injection, .hummingbird, .hummingbirdTesting, .lifecycle, .logging,
                .inMemoryLogging, .nio, .httpTypes,
            ]),
        // Some of these tests start the program as a process.
        .testTarget(
            name: "NotesTests",
            dependencies: [
                "Notes", "NotesServer", .injection, .diagnostics, .injectionTesting, .hummingbird, .hummingbirdTesting,
                .grdb, .configuration, .lifecycle, .logging, .inMemoryLogging, .nio, .sockets, .httpTypes,
            ]),
    ]
)

for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
