// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "DependencyInjection",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "DependencyInjection", targets: ["DependencyInjection"]),
        .library(name: "DependencyInjectionDiagnostics", targets: ["DependencyInjectionDiagnostics"]),
        .library(name: "DependencyInjectionTesting", targets: ["DependencyInjectionTesting"]),
    ],
    targets: [
        .target(name: "CDependencyInjection"),
        .target(name: "DependencyInjection", dependencies: ["CDependencyInjection"]),
        .target(name: "DependencyInjectionDiagnostics", dependencies: ["DependencyInjection"]),
        .target(
            name: "DependencyInjectionTesting", dependencies: ["DependencyInjection", "DependencyInjectionDiagnostics"]),
        .testTarget(
            name: "DependencyInjectionTests",
            dependencies: ["DependencyInjection", "DependencyInjectionDiagnostics", "AutomaticRegistration"]),
        .testTarget(
            name: "DependencyInjectionTestingTests",
            dependencies: [
                "DependencyInjectionTesting", "DependencyInjection", "InjectionFixtures", "EnumFixtures",
                "ProtocolFixtures",
            ]),
        .target(
            name: "InjectionFixtures", dependencies: ["DependencyInjection"], path: "Tests/Fixtures/InjectionFixtures"),
        .target(name: "EnumFixtures", path: "Tests/Fixtures/EnumFixtures"),
        .target(name: "ProtocolFixtures", path: "Tests/Fixtures/ProtocolFixtures"),
        .testTarget(
            name: "DependencyInjectionTestingXCTests",
            dependencies: ["DependencyInjectionTesting", "DependencyInjection"]),
        .executableTarget(
            name: "QuickStart", dependencies: ["DependencyInjection", "DependencyInjectionDiagnostics"],
            path: "Examples/QuickStart",
            resources: [.copy("configuration.json")]),
        .testTarget(
            name: "QuickStartTests", dependencies: ["QuickStart", "DependencyInjectionTesting", "DependencyInjection"]),
    ]
)

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ]
}

// Clients in the modes that applications are written in, which these features would change.
package.targets += [
    .testTarget(
        name: "Swift5ClientTests",
        dependencies: ["DependencyInjection", "DependencyInjectionDiagnostics", "DependencyInjectionTesting"],
        swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
        name: "Swift6ClientTests", dependencies: ["DependencyInjection", "DependencyInjectionDiagnostics"]),
    .testTarget(
        name: "MainActorClientTests",
        dependencies: [
            "DependencyInjection", "DependencyInjectionDiagnostics", "DependencyInjectionTesting",
            "AutomaticRegistration",
        ],
        swiftSettings: [.defaultIsolation(MainActor.self)]),
    .target(
        name: "AutomaticRegistration", dependencies: ["DependencyInjection"],
        path: "Tests/Fixtures/AutomaticRegistration",
        swiftSettings: [.defaultIsolation(MainActor.self)]),
]
