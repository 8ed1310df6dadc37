// swift-tools-version: 6.2
import PackageDescription

let dependencyInjection = Target.Dependency.product(name: "DependencyInjection", package: "DependencyInjection")
let dependencyInjectionTesting = Target.Dependency.product(
    name: "DependencyInjectionTesting", package: "DependencyInjection")
let benchmarkLibrary = Target.Dependency.product(name: "Benchmark", package: "benchmark")

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Named, because the directory may have any name.
        .package(name: "DependencyInjection", path: "../.."),
        // The traits would add libraries that intercept the allocator and the run time.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .target(name: "Workloads", dependencies: [dependencyInjection]),
        .executableTarget(name: "CountedLoops", dependencies: ["Workloads"]),
        .target(name: "Measurement", dependencies: ["Workloads", benchmarkLibrary]),
        .benchmark(name: "Requests"),
        .benchmark(name: "Growth", dependencies: [dependencyInjectionTesting]),
        .benchmark(name: "Memory"),
        .benchmark(name: "Threads"),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}

extension Target {
    /// Returns a target for `swift package benchmark`, which finds targets in the directory `Benchmarks`.
    static func benchmark(name: String, dependencies: [Target.Dependency] = []) -> Target {
        .executableTarget(
            name: name,
            dependencies: dependencies + ["Workloads", "Measurement", dependencyInjection, benchmarkLibrary],
            path: "Benchmarks/\(name)", plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
    }
}
