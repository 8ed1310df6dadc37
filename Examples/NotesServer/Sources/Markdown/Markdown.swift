import CCMark

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A renderer for Markdown that uses cmark.
public enum Markdown {
    /// Returns HTML, without raw HTML from the text and without links that run scripts.
    public static func html(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            // Without `CMARK_OPT_UNSAFE`, cmark omits content that could run scripts in a page.
            guard let html = cmark_markdown_to_html(bytes.baseAddress, bytes.count, CMARK_OPT_DEFAULT) else {
                return ""
            }
            // The caller owns the returned memory, which is copied here.
            defer { free(html) }
            return String(cString: html)
        }
    }
}
