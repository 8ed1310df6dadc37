import Foundation
import Testing

extension APITests {
    struct RouteTests {
        @Test(arguments: Wiring.allCases) func healthIsReported(wiring: Wiring) async throws {
            let response = try await Client.anonymous(wiring).send("GET", "/health")
            #expect(response.status == 200)
            #expect(try response.decoded(as: [String: String].self) == ["status": "ok"])
        }

        @Test(arguments: Wiring.allCases) func pageLoadsNoOtherResources(wiring: Wiring) async throws {
            let response = try await Client.anonymous(wiring).send("GET", "/")
            #expect(response.status == 200)
            #expect(response["Content-Type"]?.lowercased().hasPrefix("text/html") == true)
            #expect(response["X-Content-Type-Options"] == "nosniff")
            let policy = try #require(response["Content-Security-Policy"])
            #expect(policy.contains("default-src 'none'") || policy.contains("default-src 'self'"))
            #expect(!policy.contains("unsafe-inline") && !policy.contains("unsafe-eval") && !policy.contains("*"))
            #expect(response.text.firstMatch(of: /(src|href)\s*=\s*["']?(https?:)?\/\//) == nil)
            #expect(response.text.contains("<html lang="))
        }

        @Test(arguments: Wiring.allCases) func headHasNoBody(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let note = try await user.create(NoteInput("a"))
            for target in ["/", "/health", "/notes", "/notes?size=5", "/notes/\(note.id)", "/notes/0", "/nothing"] {
                let get = try await user.send("GET", target)
                let head = try await user.send("HEAD", target)
                #expect(head.status == get.status && (head.body.isEmpty || get.status != 200), "\(target)")
                for name in ["Content-Type", "ETag", "Cache-Control"] {
                    #expect(head[name] == get[name], "\(target) \(name)")
                }
                // The text of an error contains the ID of its request.
                if get.status == 200 { #expect(head["Content-Length"] == get["Content-Length"], "\(target)") }
            }
        }

        @Test(arguments: Wiring.allCases) func otherMethodsAreNotAllowed(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let note = try await user.create(NoteInput("a"))
            let item = "/notes/\(note.id)"
            let requests = [
                ("PUT", "/notes", ["GET", "POST"]), ("DELETE", "/notes", ["GET", "POST"]),
                ("BREW", "/notes", ["GET", "POST"]), ("POST", item, ["GET", "PUT", "DELETE"]),
                ("PATCH", item, ["GET", "PUT", "DELETE"]), ("get", item, ["GET", "PUT", "DELETE"]),
                ("POST", "/health", ["GET"]), ("DELETE", "/health", ["GET"]), ("POST", "/", ["GET"]),
                ("PUT", "/", ["GET"]),
            ]
            for (method, target, allowed) in requests {
                let response = try await user.send(method, target)
                try expectError(response, 405, "method_not_allowed", "\(method) \(target)")
                let methods = Set((response["Allow"] ?? "").components(separatedBy: ", "))
                #expect(methods.subtracting(["HEAD"]) == Set(allowed), "\(method) \(target)")
                #expect(methods.contains("HEAD"), "\(method) \(target)")
            }
            #expect(try await user.read(note.id) == note)
        }

        @Test(arguments: Wiring.allCases) func unknownPathsAreNotFound(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let note = try await user.create(NoteInput("a"))
            let id = note.id
            let targets = [
                "/nothing", "/note", "/notes2", "/Notes", "/health/x", "/index.html",
                "/notes/..%2f", "/notes/..%2f\(id)", "/notes/../health", "/notes/./\(id)",
                "/notes/1/2", "/notes/\(id)/html", "/notes/0x1", "/notes/0", "/notes/-\(id)",
                "/notes/+\(id)", "/notes/\(id).0", "/notes/\(id).json", "/notes/\(id)%00", "/notes/\(id)%20",
                "/notes/%20\(id)", "/notes/\(id);x", "/notes/\(id)%27", "/notes/99999999999999999999",
                "/notes/18446744073709551617", "/notes/9223372036854775807", "/notes/abc", "/notes/%D9%A1",
                "/../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%5c..%5cetc%5cpasswd", "/notes.sqlite",
                "/\(String(repeating: "a", count: 3_000))", "/\(String(repeating: "../", count: 500))etc/passwd",
            ]
            for target in targets {
                try expectError(try await user.send("GET", target), 404, "not_found", target)
            }
        }

        @Test(arguments: Wiring.allCases) func invalidPathsAreRefused(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            for target in ["/%ff", "/notes/%c3%28", "/%ed%a0%80"] {
                let response = try await user.send("GET", target)
                switch response.status {
                case 400: try expectError(response, 400, "invalid_request", target)
                default: try expectError(response, 404, "not_found", target)
                }
            }
        }

        @Test(arguments: Wiring.allCases) func errorsRevealNoInternals(wiring: Wiring) async throws {
            let user = try await Client.user(wiring)
            let targets = [
                "/notes?page=x", "/notes?search=%22", "/notes/x'", "/notes?tag='", "/nothing", "/notes?size=0",
            ]
            for target in targets {
                let text = try await user.send("GET", target).text
                for word in ["sqlite", "SELECT", "MATCH", ".swift", "/home", "/tmp", "DependencyInjection"] {
                    #expect(!text.contains(word), "\(target): \(text)")
                }
            }
        }
    }
}
