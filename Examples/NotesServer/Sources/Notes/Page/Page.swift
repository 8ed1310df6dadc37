import Crypto
import Foundation
import Hummingbird

/// The HTML page for browsers, which is one file.
struct Page: Sendable {
    let html: ByteBuffer
    /// The `Content-Security-Policy`, which only permits the page's own script and style.
    let policy: String

    init() {
        html = ByteBuffer(bytes: PackageResources.page_html)
        let text = String(decoding: PackageResources.page_html, as: UTF8.self)
        let hashes = ["script", "style"].map { element in
            Data(SHA256.hash(data: Data(Self.content(of: element, in: text).utf8))).base64EncodedString()
        }
        policy = """
            default-src 'none'; script-src 'sha256-\(hashes[0])'; style-src 'sha256-\(hashes[1])'; \
            connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
            """
    }

    private static func content(of element: String, in text: String) -> Substring {
        guard let start = text.firstRange(of: "<\(element)>"), let end = text.firstRange(of: "</\(element)>")
        else { preconditionFailure("the page has no \(element)") }
        return text[start.upperBound..<end.lowerBound]
    }
}
