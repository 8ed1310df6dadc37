// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "AppShell",
    platforms: [.iOS(.v18)],
    products: [.library(name: "Parcels", targets: ["Parcels"])],
    dependencies: [
        // Named, because the directory may have any name.
        .package(name: "DependencyInjection", path: "../..")
    ],
    targets: [
        .target(
            name: "Parcels",
            dependencies: [.product(name: "DependencyInjection", package: "DependencyInjection")]),
        .testTarget(
            name: "ParcelsTests",
            dependencies: [
                "Parcels",
                .product(name: "DependencyInjection", package: "DependencyInjection"),
                .product(name: "DependencyInjectionTesting", package: "DependencyInjection"),
            ]),
    ]
)

// The settings of a new Xcode 26 app project, plus Swift 6 mode, which these tools imply.
for target in package.targets {
    target.swiftSettings = [
        .defaultIsolation(MainActor.self),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// Linux has neither framework, so modules of the same names replace them there. On a Mac these targets don't exist, and
// the same imports refer to Apple's frameworks.
#if os(Linux)
    for target in package.targets {
        target.dependencies += ["UIKit", "SwiftUI"]
    }
    package.targets += [
        .target(name: "UIKit", path: "StandIns/UIKit"),
        .target(name: "SwiftUI", dependencies: ["UIKit"], path: "StandIns/SwiftUI"),
        .executableTarget(
            name: "OpenLinks", dependencies: ["Parcels", "UIKit"], swiftSettings: [.defaultIsolation(MainActor.self)]),
        // These tests start the program as a process, without importing its module.
        .testTarget(name: "OpenLinksTests", dependencies: ["OpenLinks"]),
    ]
#endif
