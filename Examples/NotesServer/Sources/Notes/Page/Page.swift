import Secrets

/// The HTML page for browsers, which is one file.
package struct Page: Sendable {
    let html: [UInt8]
    /// The `Content-Security-Policy`, which only permits the page's own script and style.
    let policy: String

    package init() {
        html = PackageResources.page_html
        let text = String(decoding: html, as: UTF8.self)
        let hashes = ["script", "style"].map { Secrets.sha256(Self.content(of: $0, in: text)) }
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
