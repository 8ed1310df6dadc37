// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "NotesServer",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Named, because the directory may have any name.
        .package(name: "DependencyInjection", path: "../..")
    ],
    targets: [
        .systemLibrary(
            name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "CCMark", pkgConfig: "libcmark", providers: [.apt(["libcmark-dev"]), .brew(["cmark"])]),
        .systemLibrary(
            name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),

        // A Swift wrapper for each of these libraries. They contain all unsafe code.
        .target(name: "HTTPServer", dependencies: ["CMicroHTTPD"]),
        .target(name: "SQLite", dependencies: ["CSQLite"]),
        .target(name: "Markdown", dependencies: ["CCMark"]),
        .target(name: "Secrets", dependencies: ["CSodium"]),

        .target(
            name: "Notes",
            dependencies: [
                "HTTPServer", "SQLite", "Markdown", "Secrets",
                .product(name: "DependencyInjection", package: "DependencyInjection"),
            ],
            resources: [.embedInCode("Page/page.html")]),
        // All registrations, in a module that the program and the tool below link.
        .target(
            name: "NotesWiring",
            dependencies: [
                "Notes", "HTTPServer", "SQLite",
                .product(name: "DependencyInjection", package: "DependencyInjection"),
                .product(name: "DependencyInjectionDiagnostics", package: "DependencyInjection"),
            ]),
        .executableTarget(
            name: "NotesServer",
            dependencies: [
                "Notes", "NotesWiring", "HTTPServer",
                .product(name: "DependencyInjection", package: "DependencyInjection"),
                .product(name: "DependencyInjectionDiagnostics", package: "DependencyInjection"),
            ],
            plugins: ["WiringPlugin"]),
        // The tool and the plugin that runs it, before the program above is compiled.
        .executableTarget(
            name: "CheckWiring",
            dependencies: [
                "NotesWiring", .product(name: "DependencyInjectionDiagnostics", package: "DependencyInjection"),
            ]),
        .plugin(name: "WiringPlugin", capability: .buildTool(), dependencies: ["CheckWiring"]),
        .executableTarget(name: "NotesBenchmark", dependencies: ["Notes", "NotesWiring", "HTTPServer"]),
        .testTarget(
            name: "NotesTests",
            dependencies: [
                "Notes", "NotesWiring", "HTTPServer", "SQLite", "Markdown", "Secrets",
                .product(name: "DependencyInjection", package: "DependencyInjection"),
                .product(name: "DependencyInjectionDiagnostics", package: "DependencyInjection"),
                .product(name: "DependencyInjectionTesting", package: "DependencyInjection"),
            ]),
        // These tests start the program as a process, without importing its modules.
        .testTarget(name: "NotesServerSocketTests", dependencies: ["NotesServer"]),
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
