import DependencyInjection
import Foundation
import Testing

#if canImport(XCTest)
    import XCTest
#endif

/// Records what goes wrong in the container of a test as an issue of Swift Testing or a failure of XCTest.
///
/// Unchecked because of `recorded`, which is used under the lock only. (`Mutex` would do, but on Linux the thread
/// sanitizer, under which tests run, does not know it.)
final class IssueRecorder: @unchecked Sendable {
    private struct Place: Hashable {
        let request: Key
        let file: String
        let line: UInt
    }

    /// Whether XCTest may run the test. A detached task does not know its test either.
    private let mayBeXCTest = Test.current == nil
    /// What was recorded, since one request may come many times.
    private var recorded: Set<Place> = []
    private let lock = NSLock()

    /// Records a request that reached a registration from outside of the test.
    func record(_ request: ObservedRequest, path: [Registration]) {
        let (key, registration, site) = (request.label, request.registration, request.site)
        let place = Place(request: key.key, file: site.file.description, line: site.line)
        guard lock.withLock({ recorded.insert(place).inserted }) else { return }
        var text = "The test does not override \(key), and uses the real one."
        text += "\n  registered at \(registration.file):\(registration.line)"
        text += "\n  requested at \(site.file):\(site.line)"
        if !path.isEmpty { text += "\n  path:\(path.lines(Namesakes([key.type])))\n    → \(key)" }
        let fix = String.alternatives(
            "add a fake to the overrides of the test: `\(registration.example(of: registration.label))`",
            "declare that the test uses the real one: `.strict(testing: \(TypeName.metatype(registration.type)))`")
        text += "\n  fix: \(fix)"
        record(text, at: site)
    }

    /// Records an error that is about to stop the program, so that the output tells which test it belongs to.
    func record(_ error: ResolutionError, at site: CallSite) {
        record("The program stops here, because a plain request failed.\n\(error)", at: site)
    }

    private func record(_ text: String, at site: CallSite) {
        let (file, line) = (site.file, site.line)
        #if canImport(XCTest)
            // What no test of this library runs is lost.
            if mayBeXCTest { XCTFail(text, file: file, line: line) }
        #endif
        Issue.record(Comment(rawValue: text), sourceLocation: SourceLocation(file.description, line))
    }
}

extension SourceLocation {
    /// The place that a registration or a request names.
    init(_ file: String, _ line: UInt) {
        // A location needs a file that begins with a module.
        let id = file.contains("/") ? file : "Unknown/" + file
        self.init(fileID: id, filePath: file, line: max(Int(line), 1), column: 1)
    }
}
