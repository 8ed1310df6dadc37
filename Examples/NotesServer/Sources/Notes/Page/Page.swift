import Crypto
import DependencyInjectionHummingbird
import Foundation
import Hummingbird

/// The HTML page for browsers, which is one file.
struct Page: Sendable {
    let html: ByteBuffer
    /// The `Content-Security-Policy`, which only permits the page's own script and style.
    let policy: String

    init() {
        html = ByteBuffer(bytes: PackageResources.page_html)
        let text = String(buffer: html)
        let own = text.matches(of: #/<(style|script)>(.*?)</\1>/#.dotMatchesNewlines())
            .map { "'sha256-\(Data(SHA256.hash(data: Data($0.2.utf8))).base64EncodedString())'" }.joined(separator: " ")
        policy = """
            default-src 'none'; script-src \(own); style-src \(own); connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
            """
    }
}

struct ShowPage: RequestHandler {
    let page: Page

    func respond(to request: Request, context: NotesContext) async throws -> EditedResponse<ByteBuffer> {
        EditedResponse(
            headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: page.policy],
            response: page.html)
    }
}
