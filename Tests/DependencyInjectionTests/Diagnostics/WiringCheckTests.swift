import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation
import Testing

/// A container in which one registration lacks an engine, and the line of that registration.
private let faulty = DIContainer {
    Shared(autowiring: Dependent<Car>.init)
    Shared(autowiring: Car.init)
}
private let faultyLine: UInt = #line - 2
/// A container with a warning, and the line of the faulty registration.
private let dubious = DIContainer { Shared { _ in Ticket?.none } }
private let dubiousLine: UInt = #line - 1

extension WiringReport {
    fileprivate init(of containers: [DIContainer], arguments: [String] = []) {
        self.init(arguments: arguments)
        validate(containers)
    }
}

@Suite("The wiring check")
struct WiringCheckTests {
    // MARK: Format

    @Test("an error has the form of a compiler, followed by its path and fix")
    func error() throws {
        let report = WiringReport(of: [faulty])
        let line = faultyLine
        #expect(
            report.diagnostics == [
                """
                \(#fileID):\(line):1: error: Nothing is registered for any Engine, which Car needs.
                  path:
                    Dependent<Car>  (registered at \(#fileID):\(line - 1))
                    Car  (registered at \(#fileID):\(line))
                    → any Engine
                  fix: register any Engine
                   or: make the parameter an Optional
                """
            ])
        #expect(report.hasErrors)
    }

    @Test("a warning is printed as a warning and does not fail")
    func warning() throws {
        let report = WiringReport(of: [dubious])
        let text = try #require(report.diagnostics.first)
        #expect(text.hasPrefix("\(#fileID):\(dubiousLine):1: warning: Optional<Ticket> is an Optional"))
        #expect(
            text.contains("\n  fix: unwrap Optional<Ticket> before it is registered") && !text.contains("registered at")
        )
        #expect(report.diagnostics.count == 1 && !report.hasErrors)
    }

    @Test("a closure is run with `.building` only, and its failure is an error there")
    func building() async throws {
        let line: UInt = #line + 2
        let container = DIContainer {
            New { (resolve, _: Int) in Car(engine: try resolve.orThrow()) }
            Shared { _ in Ticket?.none }
        }
        #expect(!WiringReport(of: [container]).hasErrors)
        var report = WiringReport(arguments: [])
        await report.validate(container, .building { _ in [1] }, allowing: [.optionalRegistration])
        let text = try #require(report.diagnostics.first)
        let expected = "\(#fileID):\(line):1: error: Nothing is registered for any Engine.\n  requested at \(#fileID)"
        #expect(text.hasPrefix(expected))
        #expect(report.diagnostics.count == 1 && report.hasErrors)
    }

    @Test("the tool assumes that the program prepares asynchronous dependencies")
    func prepared() async throws {
        let container = DIContainer {
            Shared(async: { _ in Diesel(kind: "new") as any Engine })
            Shared(autowiring: Car.init)
            Shared(autowiring: Dependent<Car>.init)
        }
        #expect(try container.validate().map(\.kind) == [.unpreparedDependency])
        var report = WiringReport(of: [container])
        await report.validate(container, .building)
        #expect(report.diagnostics.isEmpty && !report.hasErrors)
    }

    @Test("a finding of a container and of its child is printed once")
    func child() {
        #expect(WiringReport(of: [faulty, faulty.makeChild()]).diagnostics.count == 1)
    }

    @Test("a container without registrations is an error, but not its child with some")
    func empty() {
        let empty = DIContainer()
        let text = "error: The container has no registrations.\n  fix: register before the wiring check"
        #expect(WiringReport(of: [empty]).diagnostics == [text] && WiringReport(of: [empty]).hasErrors)
        #expect(WiringReport(of: [empty.makeChild { Shared(1) }]).diagnostics.isEmpty)
    }

    // MARK: Arguments

    @Test("a source of the same module and name is printed with its path")
    func paths() {
        let parts = #fileID.split(separator: "/")
        let path = "/My Projects/a=b/\(parts[1])"
        let sources = ["\(parts[0])=\(path)", "Other=/Other/\(parts[1])"]
        let ofModule = WiringReport(of: [dubious], arguments: sources).diagnostics.first
        #expect(ofModule?.hasPrefix("\(path):\(dubiousLine):1: warning") == true)
        let others = ["\(parts[0])=/Wiring.swift", "Other=\(path)"]
        let ofOther = WiringReport(of: [dubious], arguments: others).diagnostics.first
        #expect(ofOther?.hasPrefix("\(#fileID):\(dubiousLine):1: warning") == true)
    }

    @Test("an unknown argument is an error", arguments: ["--stamps", "App.swift", "--a=b", "A=", "=", "", "--stamp"])
    func unknown(argument: String) {
        let report = WiringReport(of: [dubious], arguments: [argument])
        let text = "error: Unknown argument \(argument.debugDescription).\n  usage: [--stamp PATH] [MODULE=PATH]…"
        #expect(report.diagnostics.first == text && report.hasErrors)
        // The findings are printed all the same.
        #expect(report.diagnostics.count == 2)
    }

    // MARK: The end of the tool

    @Test("allowed findings are not reported")
    func allowed() {
        var report = WiringReport(arguments: [])
        report.validate([dubious, faulty], allowing: [.error(.notRegistered), .optionalRegistration])
        #expect(report.diagnostics.isEmpty && !report.hasErrors)
    }
}

extension ExitTests {
    /// A path with a space, for the process of one exit test.
    private static let stamp = "\(NSTemporaryDirectory())/wiring check \(ProcessInfo.processInfo.processIdentifier)"

    @Test("The wiring check: errors end the tool with status 1 after all findings were printed")
    static func wiringErrors() async {
        let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardOutputContent]) {
            WiringReport(of: [dubious, faulty]).end()
        }
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        #expect(output.contains(":1: warning: Optional<Ticket>") && output.contains(":1: error: Nothing is registered"))
    }

    @Test("The wiring check: without a container, the default container is checked")
    static func wiringOfDefaultContainer() async {
        await #expect(processExitsWith: .exitCode(0)) {
            DIContainer.shared = DIContainer { Shared(1) }
            WiringReport(of: []).end()
        }
        await #expect(processExitsWith: .exitCode(1)) {
            DIContainer.shared = faulty
            WiringReport(of: []).end()
        }
    }

    @Test("The wiring check: the stamp is a Swift comment, written in spite of warnings")
    static func wiringStamp() async {
        await #expect(processExitsWith: .exitCode(0)) {
            try Data("longer than the text of the stamp is, and no Swift".utf8).write(
                to: URL(filePath: Self.stamp))
            atexit {
                let isWritten =
                    try? String(contentsOfFile: Self.stamp, encoding: .utf8)
                    == "// The wiring has no error.\n"
                try? FileManager.default.removeItem(atPath: Self.stamp)
                if isWritten != true { _exit(2) }
            }
            WiringReport(of: [dubious], arguments: ["--stamp", Self.stamp]).end()
        }
    }

    @Test("The wiring check: the stamp is not written if there is an error")
    static func noWiringStamp() async {
        await #expect(processExitsWith: .exitCode(1)) {
            atexit { if FileManager.default.fileExists(atPath: Self.stamp) { _exit(2) } }
            WiringReport(of: [faulty], arguments: ["--stamp", Self.stamp]).end()
        }
    }

    @Test("The wiring check: a stamp that cannot be written is an error")
    static func unwritableWiringStamp() async {
        let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardOutputContent]) {
            WiringReport(of: [dubious], arguments: ["--stamp", "/missing folder/stamp"]).end()
        }
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        #expect(output.contains("/missing folder/stamp: error: The stamp can't be written: No such file or directory."))
        #expect(output.contains("warning: Optional<Ticket>"))
    }
}
