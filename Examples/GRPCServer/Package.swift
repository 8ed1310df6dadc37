// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "GRPCServer",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Named, because the directory may have any name.
        .package(name: "DependencyInjection", path: "../.."),
        .package(url: "https://github.com/grpc/grpc-swift-2.git", from: "2.4.3"),
    ],
    targets: [
        // A folder to copy into a server of your own.
        .target(
            name: "DependencyInjectionGRPC",
            dependencies: [
                .product(name: "DependencyInjection", package: "DependencyInjection"),
                .product(name: "GRPCCore", package: "grpc-swift-2"),
            ]),
        .executableTarget(
            name: "GRPCServer",
            dependencies: [
                "DependencyInjectionGRPC", .product(name: "DependencyInjection", package: "DependencyInjection"),
                .product(name: "GRPCCore", package: "grpc-swift-2"),
                .product(name: "GRPCInProcessTransport", package: "grpc-swift-2"),
            ]),
        .testTarget(
            name: "GRPCServerTests",
            dependencies: [
                "GRPCServer", .product(name: "DependencyInjection", package: "DependencyInjection"),
                .product(name: "GRPCCore", package: "grpc-swift-2"),
            ]),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
