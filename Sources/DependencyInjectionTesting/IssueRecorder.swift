import DependencyInjection
import Foundation
import Testing

#if canImport(XCTest)
    import XCTest
#endif

/// Records faults of a test's container as issues of Swift Testing or failures of XCTest.
///
/// Unchecked because of `recorded`, which is only used under the lock. The lock isn't a `Mutex`, because the thread
/// sanitizer, under which the tests run, doesn't recognize one on Linux.
final class IssueRecorder: @unchecked Sendable {
    private struct Place: Hashable {
        let request: Key
        /// Several contributions have the same type and name.
        let registration: ObjectIdentifier
        let file: String
        let line: UInt
    }

    /// Whether the test may belong to XCTest. A detached task has no current test either.
    private let mayBeXCTest = Test.current == nil
    /// The recorded requests, because one request may occur many times.
    private var recorded: Set<Place> = []
    private let lock = NSLock()

    /// Records a request that resolved to a registration outside of the test.
    func record(
        _ request: DependencyID, at site: CallSite, resolvedBy registration: Registration, path: [Registration]
    ) {
        let place = Place(
            request: request.key, registration: ObjectIdentifier(registration), file: site.file.description,
            line: site.line)
        guard lock.withLock({ recorded.insert(place).inserted }) else { return }
        var text = "The test does not override \(request), so the request resolved the real registration."
        text += "\n  registered at \(registration.file):\(registration.line)"
        text += "\n  requested at \(site.file):\(site.line)"
        if !path.isEmpty {
            text += "\n  path:\(path.lines(TypeNameFormatter(disambiguating: [request.type])))\n    → \(request)"
        }
        let type = TypeName.short(registration.type)
        let fixes = [
            registration.isContribution
                ? "override the collection with a registration of `[\(type)]`"
                : "register a fake of \(registration.id) in the overrides of the test",
            "declare that the test uses the real registration: `.strict(testing: \(TypeName.metatype(registration.type)))`",
        ]
        text += "\n  fix: \(fixes.alternatives)"
        record(text, at: site)
    }

    /// Records an error that is about to stop the program, so that the output names the test.
    func record(_ error: ResolutionError, at site: CallSite) {
        record("The program stops here, because a plain request failed.\n\(error)", at: site)
    }

    /// Records the error of closing the test's container, at the first handler that failed.
    func record(_ error: any Error) {
        let site = (error as? CloseError)?.failures.first?.site ?? CallSite(file: #fileID, line: #line)
        fail("\(error)", at: site)
        Issue.record(error, sourceLocation: SourceLocation(site.file.description, site.line))
    }

    private func record(_ text: String, at site: CallSite) {
        fail(text, at: site)
        Issue.record(
            Comment(rawValue: text), sourceLocation: SourceLocation(site.file.description, site.line))
    }

    /// Records a failure of XCTest. An issue recorded outside of the tests of both libraries is lost.
    private func fail(_ text: String, at site: CallSite) {
        #if canImport(XCTest)
            if mayBeXCTest { XCTFail(text, file: site.file, line: site.line) }
        #endif
    }
}

extension SourceLocation {
    /// Creates the source location of a registration or a request.
    init(_ file: String, _ line: UInt) {
        // A source location requires a file ID that starts with a module.
        let id = file.contains("/") ? file : "Unknown/" + file
        self.init(fileID: id, filePath: file, line: max(Int(line), 1), column: 1)
    }
}
