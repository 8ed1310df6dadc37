#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif
public import DependencyInjection

/// Validation for a tool that a build-tool plugin runs, so that a faulty registration stops the build.
///
/// The article *Diagnostics* shows the plugin and the manifest. This is the whole tool:
///
/// ```swift
/// import DependencyInjection
/// import DependencyInjectionDiagnostics
///
/// await WiringCheck.run(app)
/// ```
/// Each finding is printed to standard output in the form of a compiler, `path:line:1: error: …` or
/// `path:line:1: warning: …`. The path of dependencies and the fix follow on further lines. A finding that several
/// containers have is printed once. A container without registrations is an error. Warnings about asynchronous
/// dependencies that aren't prepared aren't printed, because the tool assumes that the program calls
/// ``/DependencyInjection/DIContainer/prepare(_:file:line:)`` at launch.
///
/// The arguments of the tool come from the plugin:
///
/// - `MODULE=PATH` is a source file of a module. Findings in it are printed with this path. All others are printed with
///   `Module/File.swift`, as are all findings of a tool without arguments.
/// - `--stamp PATH` is a file to write if there is no error. It contains a Swift comment, because a plugin declares it
///   as a generated source.
public enum WiringCheck {
    /// Validates the declarations of all registrations, prints the findings, and ends the program.
    ///
    /// ```swift
    /// await WiringCheck.run(
    ///     app, app.makeChild { Shared(UserSession(user: "ada") as Session) }, allowing: [.replaced])
    /// ```
    /// Builds nothing: see ``/DependencyInjection/DIContainer/validate(allowing:)``. The exit status is 1 if there is an
    /// error, and 0 otherwise. Call it in the tool's `main.swift`.
    /// - Parameters:
    ///   - containers: The containers to validate, such as an app and a child with the registrations of a request.
    ///     Without any, ``/DependencyInjection/DIContainer/shared`` is validated.
    ///   - exceptions: The intended findings, which aren't printed.
    public static func run(_ containers: DIContainer..., allowing exceptions: [AllowedFinding] = []) async -> Never {
        var report = WiringReport(arguments: CommandLine.arguments.dropFirst())
        report.validate(containers, allowing: exceptions)
        report.end()
    }

    /// Validates the declarations, builds every registration once, prints the findings, and ends the program.
    ///
    /// ```swift
    /// await WiringCheck.run(app, .building { $0.type == DetailViewModel.self ? [42] : nil })
    /// ```
    /// The factories run during the build, in a copy of the container: see
    /// ``/DependencyInjection/DIContainer/validate(_:allowing:)``. The exit status is 1 if there is an error, and 0
    /// otherwise. Call it in the tool's `main.swift`.
    /// - Parameters:
    ///   - container: The container to validate.
    ///   - mode: The options for building, such as `.building`.
    ///   - exceptions: The intended findings, which aren't printed.
    public static func run(
        _ container: DIContainer, _ mode: ValidationMode, allowing exceptions: [AllowedFinding] = []
    ) async -> Never {
        var report = WiringReport(arguments: CommandLine.arguments.dropFirst())
        await report.validate(container, mode, allowing: exceptions)
        report.end()
    }
}

/// The findings of a wiring check as the lines of a compiler.
package struct WiringReport {
    /// A program with asynchronous factories prepares them at launch, which no declaration shows.
    private static let assumed: [AllowedFinding] = [.unpreparedDependency]
    /// The printed texts, without repetition.
    package private(set) var diagnostics: [String] = []
    /// Whether one of the texts is an error.
    package private(set) var hasErrors = false
    /// The file to write if there is no error.
    private var stamp: String?
    /// The path of each known source, by its `Module/File.swift`.
    private var paths: [String: String] = [:]

    /// Creates an empty report from the arguments of the tool. An unknown argument is an error.
    package init(arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            let source = argument.split(separator: "=", maxSplits: 1)
            if argument == "--stamp", let path = rest.popFirst() {
                stamp = path
            } else if source.count == 2, let file = source[1].split(separator: "/").last, !argument.hasPrefix("-") {
                paths["\(source[0])/\(file)"] = String(source[1])
            } else {
                add("Unknown argument \(argument.debugDescription).\n  usage: [--stamp PATH] [MODULE=PATH]…")
            }
        }
    }

    /// Validates the declarations of containers, or of the default container if there are none.
    package mutating func validate(_ containers: [DIContainer], allowing exceptions: [AllowedFinding] = []) {
        for container in containers.isEmpty ? [.shared] : containers {
            do { add(try container.validate(allowing: Self.assumed + exceptions), of: container) } catch {
                add(error.findings, of: container)
            }
        }
    }

    /// Validates a container by building.
    package mutating func validate(
        _ container: DIContainer, _ mode: ValidationMode, allowing exceptions: [AllowedFinding] = []
    ) async {
        do { add(try await container.validate(mode, allowing: Self.assumed + exceptions), of: container) } catch {
            add(error.findings, of: container)
        }
    }

    private mutating func add(_ findings: [ValidationFinding], of container: DIContainer) {
        // Otherwise a check that precedes the registration would always succeed.
        if container.graph.nodes.isEmpty {
            add("The container has no registrations.\n  fix: register before the wiring check")
        }
        for finding in findings {
            let file = paths[finding.file] ?? finding.file
            add(finding.text(showsPlace: false), isError: finding.isError, at: "\(file):\(finding.line):1: ")
        }
    }

    private mutating func add(_ text: String, isError: Bool = true, at place: String = "") {
        let diagnostic = "\(place)\(isError ? "error" : "warning"): \(text)"
        if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
        hasErrors = hasErrors || isError
    }

    /// Writes the stamp if there is no error, prints the texts, and ends the program.
    package consuming func end() -> Never {
        if let stamp, !hasErrors, !wroteStamp(stamp) {
            add("The stamp can't be written: \(String(cString: strerror(errno))).", at: "\(stamp): ")
        }
        for diagnostic in diagnostics { print(diagnostic) }
        exit(hasErrors ? 1 : 0)
    }

    private func wroteStamp(_ path: String) -> Bool {
        guard let file = fopen(path, "w") else { return false }
        let isWritten = fputs("// The wiring has no error.\n", file) >= 0
        // The text reaches the file when the file is closed.
        return fclose(file) == 0 && isWritten
    }
}
