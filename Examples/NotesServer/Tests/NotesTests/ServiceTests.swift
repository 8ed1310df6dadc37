import Foundation
import HTTPServer
import Testing

@testable import Notes

/// The service as seen by clients, with every wiring.
@Suite struct ServiceTests {
    @Test(arguments: Client.Way.allCases) func createsReadsUpdatesAndDeletesANote(_ way: Client.Way) async throws {
        try await Client.with(way) { client in
            let draft =
                #"{"title": " Plan ", "body": "**Go** <b>on</b> [x](javascript:alert(1))", "tags": ["b", "a", "b"]}"#
            let created = await client.send("POST", "/notes", draft)
            #expect(created.status == 201)
            #expect(created.headers["Location"] == "/notes/1")
            #expect(created.headers["ETag"] == "\"1\"")
            #expect(created.headers["Content-Type"] == "application/json")
            #expect(created.headers["Cache-Control"] == "no-store")
            #expect(created.json["title"] as? String == "Plan")
            #expect(created.json["tags"] as? [String] == ["a", "b"])
            let html = try #require(created.json["html"] as? String)
            #expect(html.contains("<strong>Go</strong>") && !html.contains("<b>") && !html.contains("javascript"))
            let createdAt = try #require(created.json["createdAt"] as? String)
            #expect(createdAt.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)

            let read = await client.send("GET", "/notes/1")
            #expect(read.status == 200 && read.body == created.body)
            #expect(await client.send("GET", "/notes/1", headers: ["If-None-Match": "\"1\""]).status == 304)
            #expect(await client.send("GET", "/notes/1", headers: ["If-None-Match": "\"2\""]).status == 200)
            #expect(await client.send("HEAD", "/notes/1").status == 200)

            let replacement = #"{"title": "Other"}"#
            #expect(await client.send("PUT", "/notes/1", replacement).code == "precondition_required")
            #expect(
                await client.send("PUT", "/notes/1", replacement, headers: ["If-Match": "1"]).code == "invalid_request")
            #expect(
                await client.send("PUT", "/notes/1", replacement, headers: ["If-Match": "\"9\""]).code
                    == "precondition_failed")
            let replaced = await client.send("PUT", "/notes/1", replacement, headers: ["If-Match": "\"1\""])
            #expect(replaced.status == 200 && replaced.headers["ETag"] == "\"2\"")
            #expect(replaced.json["body"] as? String == "" && replaced.json["tags"] as? [String] == [])
            #expect(
                await client.send("PUT", "/notes/1", replacement, headers: ["If-Match": "*"]).headers["ETag"] == "\"3\""
            )

            #expect(await client.send("DELETE", "/notes/1", headers: ["If-Match": "\"2\""]).status == 412)
            let deleted = await client.send("DELETE", "/notes/1")
            #expect(deleted.status == 204 && deleted.body.isEmpty && deleted.headers["Content-Type"] == nil)
            #expect(await client.send("GET", "/notes/1").code == "not_found")
        }
    }

    @Test(arguments: Client.Way.allCases) func aListHasPages(_ way: Client.Way) async throws {
        try await Client.with(way, configuration: #"{"pageSize": 2, "maximumPageSize": 3}"#) { client in
            for number in 1...5 { _ = await client.send("POST", "/notes", #"{"title": "Note \#(number)"}"#) }
            let list = await client.send("GET", "/notes")
            #expect(list.json["total"] as? Int == 5)
            #expect(list.json["size"] as? Int == 2)
            let notes = try #require(list.json["notes"] as? [[String: Any]])
            #expect(notes.map { $0["title"] as? String } == ["Note 5", "Note 4"])
            let last = await client.send("GET", "/notes?page=2&size=3&search=note")
            #expect((last.json["notes"] as? [Any])?.count == 2)
            for wrong in [
                "page=0", "page=-1", "page=x", "page=", "page=1&page=1", "size=0", "size=4", "size=%2b1", "other=1",
                "search=%ff", "page=9999999999999999999",
            ] {
                let response = await client.send("GET", "/notes?\(wrong)")
                #expect(response.status == 400 && response.code == "invalid_request", "\(wrong)")
            }
        }
    }

    @Test(arguments: Client.Way.allCases) func requestsWithoutATokenAreRefused(_ way: Client.Way) async throws {
        try await Client.with(way) { client in
            _ = await client.send("POST", "/notes", #"{"title": "secret"}"#)
            for (method, path) in [("GET", "/notes"), ("GET", "/notes/1"), ("PATCH", "/notes"), ("GET", "/notes/x/y")] {
                let response = await client.send(method, path, user: nil)
                #expect(response.status == 401 && response.headers["WWW-Authenticate"] == "Bearer", "\(method) \(path)")
            }
            for wrong in ["Bearer", "Bearer x", "Basic abc", "Bearer x y", ""] {
                #expect(
                    await client.send("GET", "/notes", user: nil, headers: ["Authorization": wrong]).code
                        == "unauthorized")
            }
            #expect(await client.send("GET", "/notes/1", user: "eve").status == 404)
            #expect(await client.send("DELETE", "/notes/1", user: "eve").status == 404)
            #expect(await client.send("GET", "/health", user: nil).text == #"{"status":"ok"}"#)
        }
    }

    @Test(arguments: Client.Way.allCases) func invalidNotesAreRefused(_ way: Client.Way) async throws {
        try await Client.with(way) { client in
            let long = String(repeating: "x", count: 201)
            let tags = (1...21).map { "\"\($0)\"" }.joined(separator: ",")
            for (body, code) in [
                ("", "invalid_json"), ("{", "invalid_json"), ("[]", "invalid_note"), ("{}", "invalid_note"),
                (#"{"title": 1}"#, "invalid_note"), (#"{"title": null}"#, "invalid_note"),
                (#"{"title": "  "}"#, "invalid_note"), (#"{"title": "\#(long)"}"#, "invalid_note"),
                (#"{"title": "x", "tags": [""]}"#, "invalid_note"), (#"{"title": "x", "tags": "y"}"#, "invalid_note"),
                (#"{"title": "x", "tags": [\#(tags)]}"#, "invalid_note"),
                (#"{"title": "x", "tags": ["\#(long)"]}"#, "invalid_note"),
                (String(repeating: "[", count: 60_000), "invalid_json"),
            ] {
                #expect(await client.send("POST", "/notes", body).code == code, "\(body.prefix(60))")
            }
            let request = await client.send("POST", "/notes", "{}", headers: ["Content-Type": "text/plain"])
            #expect(request.status == 415)
            let typed = ["Content-Type": "Application/JSON; charset=utf-8"] as HTTPHeaders
            #expect(await client.send("POST", "/notes", #"{"title": "x"}"#, headers: typed).status == 201)
            #expect(await client.send("GET", "/notes").json["total"] as? Int == 1)
        }
    }

    @Test(arguments: Client.Way.allCases) func unknownPathsAndMethodsAreRefused(_ way: Client.Way) async throws {
        try await Client.with(way) { client in
            _ = await client.send("POST", "/notes", #"{"title": "one"}"#)
            #expect(await client.send("GET", "/notes/1").status == 200)
            for path in [
                "/x", "/notes/", "/notes/0", "/notes/-1", "/notes/01", "/notes/0x1", "/notes/..%2f", "/notes/1/2",
            ] {
                #expect(await client.send("GET", path).status == 404, "\(path)")
            }
            let response = await client.send("POST", "/notes/1", "{}")
            #expect(response.status == 405 && response.headers["Allow"] == "HEAD, GET, PUT, DELETE")
            #expect(await client.send("POST", "/health", "{}").code == "method_not_allowed")
        }
    }

    @Test(arguments: Client.Way.allCases) func everyRequestHasAnIDAndALogLine(_ way: Client.Way) async throws {
        try await Client.with(way) { client in
            let named = await client.send("GET", "/x y?secret=1", headers: ["X-Request-ID": "client-1_A"])
            #expect(named.headers["X-Request-ID"] == "client-1_A")
            #expect(named.json["requestID"] as? String == "client-1_A")
            let line = try #require(client.log.lines.last)
            #expect(line.hasPrefix("request id=client-1_A method=GET path=/x y status=404 duration_ms="))
            #expect(line.hasSuffix(" user=-"))
            for wrong in ["", "a b", String(repeating: "x", count: 65), "ü", "a\nb"] {
                let response = await client.send("GET", "/health", headers: ["X-Request-ID": wrong])
                let id = try #require(response.headers["X-Request-ID"])
                #expect(id != wrong && id.wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) != nil)
            }
            _ = await client.send("GET", "/notes")
            #expect(client.log.lines.last?.hasSuffix(" user=ada") == true)
        }
    }

    @Test func logValuesAreEscaped() {
        #expect(StandardErrorLog.quotedIfNeeded("/notes") == "/notes")
        #expect(StandardErrorLog.quotedIfNeeded("a b\n\"") == #""a b\n\"""#)
        #expect(StandardErrorLog.quotedIfNeeded("") == "\"\"")
    }

    @Test(arguments: Client.Way.allCases) func pageAllowsOnlyItsOwnScript(_ way: Client.Way) async throws {
        try await Client.with(way) { client in
            let page = await client.send("GET", "/", user: nil)
            #expect(page.status == 200 && page.headers["Content-Type"] == "text/html; charset=utf-8")
            #expect(page.headers["X-Content-Type-Options"] == "nosniff")
            let policy = try #require(page.headers["Content-Security-Policy"])
            #expect(policy.hasPrefix("default-src 'none'; script-src 'sha256-") && !policy.contains("unsafe"))
            for id in [
                "token", "sign-in", "status", "search", "notes", "title", "body", "tags", "save", "next", "previous",
            ] {
                #expect(page.text.contains("id=\"\(id)\""), "\(id)")
            }
        }
    }

    @Test(arguments: Client.Way.allCases) func internalErrorsAreNotSent(_ way: Client.Way) async throws {
        try await Client.with(way) { client in
            _ = await client.send("POST", "/notes", #"{"title": "x"}"#)
            let app = client.wiring
            let broken = HTTPRequest("GET", "/notes/1")
            // A request without an identity cannot get here, and is an error if it does.
            await #expect(throws: (any Error).self) {
                try await app.answer(.showNote(1), broken, RequestID(broken), nil)
            }
        }
        struct Secret: Error {}
        #expect(APIError(Secret()) == .internal)
        #expect(!HTTPResponse(APIError(Secret()), id: RequestID(HTTPRequest("GET", "/"))).text.contains("Secret"))
    }
}
