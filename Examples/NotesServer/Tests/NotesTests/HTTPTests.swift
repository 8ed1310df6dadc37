import Testing

@testable import HTTPServer

struct HTTPTests {
    @Test(arguments: [
        ("/", []), ("/notes", ["notes"]), ("/notes/", ["notes", ""]), ("/notes/1?x=/2", ["notes", "1"]),
        ("/notes/..%2f", ["notes", "../"]), ("/notes%2F1", ["notes/1"]), ("//", ["", ""]), ("/%C3%BC+", ["ü+"]),
    ])
    func pathsAreDividedBeforeTheyAreDecoded(_ target: String, _ components: [String]) {
        #expect(HTTPTarget(target).components == components)
    }

    @Test(arguments: ["", "*", "http://host/", "/%", "/%4", "/%gg", "/%ff", "/ü"])
    func invalidPathHasNoComponents(_ target: String) {
        #expect(HTTPTarget(target).components == nil)
    }

    @Test func encodedSeparatorsBelongToValues() throws {
        let query = try #require(HTTPTarget("/notes?search=a%26b+c%2B&tag=&page&search=%00").query)
        #expect(query.map(\.name) == ["search", "tag", "page", "search"])
        #expect(query.map(\.value) == ["a&b c+", "", "", "\0"])
        #expect(HTTPTarget("/notes").query?.isEmpty == true)
        #expect(HTTPTarget("/notes?").query?.isEmpty == true)
    }

    @Test(arguments: ["search=%", "search=%f", "search=%ff", "%zz=1", "search=ü"])
    func invalidQueryIsNil(_ query: String) {
        #expect(HTTPTarget("/notes?\(query)").query == nil)
    }

    @Test func fieldNamesIgnoreCase() {
        var headers: HTTPHeaders = ["Content-Type": "a", "x-y": "b", "content-type": "c"]
        #expect(headers["CONTENT-TYPE"] == "a")
        #expect(headers["X-Y"] == "b")
        // These differ in the bit that distinguishes upper case from lower case, and are not letters.
        headers["[field"] = "d"
        #expect(headers["{field"] == nil)
        headers["Content-type"] = "e"
        #expect(headers.fields.map(\.value) == ["b", "d", "e"])
        headers["x-Y"] = nil
        #expect(headers["X-Y"] == nil)
    }

    @Test func entityTagsAreParsed() {
        #expect(EntityTags("*") == .any)
        #expect(EntityTags(#""1""#) == .listed([EntityTag(text: "1", isWeak: false)]))
        #expect(
            EntityTags(#" "1" , W/"a,b""#)
                == .listed([EntityTag(text: "1", isWeak: false), EntityTag(text: "a,b", isWeak: true)]))
        for wrong in ["", "1", "\"1", "1\"", "\"1\" \"2\"", "*, \"1\"", "w/\"1\"", "W/", ","] {
            #expect(EntityTags(wrong) == nil, "\(wrong)")
        }
    }

    @Test func weakTagMatchesButAllowsNoChange() throws {
        let weak = try #require(EntityTags(#"W/"1""#))
        #expect(weak.include("1"))
        #expect(!weak.allowChange(of: "1"))
        let strong = try #require(EntityTags(#""0", "1""#))
        #expect(strong.include("1") && strong.allowChange(of: "1"))
        #expect(!strong.include("2") && !strong.allowChange(of: "2"))
        #expect(EntityTags.any.include("2") && EntityTags.any.allowChange(of: "2"))
    }

    @Test func lastResponseClosesTheConnection() {
        let response = HTTPResponse(413, headers: ["A": "b"], body: Array("ü".utf8))
        #expect(
            String(decoding: response.lastBytes, as: UTF8.self)
                == "HTTP/1.1 413 \r\nA: b\r\nContent-Length: 2\r\nConnection: close\r\n\r\nü")
    }
}
