import CCMark

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Renders Markdown by cmark.
public enum Markdown {
    /// Returns HTML without raw HTML from the text and without links that run scripts.
    public static func html(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            // Without `CMARK_OPT_UNSAFE`, cmark leaves out what could run in a page.
            guard let html = cmark_markdown_to_html(bytes.baseAddress, bytes.count, CMARK_OPT_DEFAULT) else {
                return ""
            }
            // The text belongs to the caller, and is copied here.
            defer { free(html) }
            return String(cString: html)
        }
    }
}
