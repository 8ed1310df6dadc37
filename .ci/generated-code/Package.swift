// swift-tools-version: 6.2
import Foundation
import PackageDescription

// The path of the library. `.ci/run` also builds this package with a broken copy.
let library = ProcessInfo.processInfo.environment["LIBRARY"] ?? "../.."

let package = Package(
    name: "Kinds",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: "DependencyInjection", path: library)],
    targets: [
        .executableTarget(
            name: "Kinds", dependencies: [.product(name: "DependencyInjection", package: "DependencyInjection")])
    ]
)
