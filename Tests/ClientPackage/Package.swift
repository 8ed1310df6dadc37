// swift-tools-version: 6.2
import PackageDescription

// A client in a package of its own, so that its switches must also handle cases that the library may add.
let package = Package(
    name: "ClientPackage",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "DependencyInjection", path: "../..")],
    targets: [
        .executableTarget(
            name: "Client",
            dependencies: [
                .product(name: "DependencyInjection", package: "DependencyInjection"),
                .product(name: "DependencyInjectionDiagnostics", package: "DependencyInjection"),
            ]),
        // Makes many asynchronous requests at the same time, for the step `async-requests`.
        .executableTarget(
            name: "AsyncRequests",
            dependencies: [.product(name: "DependencyInjection", package: "DependencyInjection")]),
        // Without whole-module optimization, where the optimizer has crashed.
        .executableTarget(
            name: "AsyncClient",
            dependencies: [.product(name: "DependencyInjection", package: "DependencyInjection")],
            swiftSettings: [.unsafeFlags(["-no-whole-module-optimization"], .when(configuration: .release))]),
    ]
)
