import Foundation
import Testing

extension SocketTests {
    struct ManyRequestsTests {
        /// A connection's model of its own notes, which no other client changes.
        private struct Model {
            let tag: String
            var notes: [Note] = []

            mutating func remove(_ id: Int) { notes.removeAll { $0.id == id } }

            /// The notes, of which the most recently changed one comes first.
            mutating func put(_ note: Note) {
                remove(note.id)
                notes.insert(note, at: 0)
            }
        }

        @Test(arguments: Wiring.allCases) func everyResponseIsCorrect(wiring: Wiring) async throws {
            let server = try SharedServers.server(wiring)
            var users: [Client] = []
            for _ in 1...4 { users.append(try await Client.user(of: server)) }
            let counts = try await concurrently(16) { [users] number in
                try await run(users[number % users.count], other: users[(number + 1) % users.count], number)
            }
            #expect(counts.reduce(0, +) >= 1_000)
            for (index, user) in users.enumerated() {
                let connections = counts.indices.filter { $0 % users.count == index }
                #expect(try await user.list("?size=1").total == connections.count * Self.notesLeft)
            }
        }

        private static let notesLeft = 6

        /// Sends at least 63 requests on one connection, checks each response, and returns the number of requests.
        private func run(_ user: Client, other: Client, _ number: Int) async throws -> Int {
            let connection = try Connection(to: user.server.port)
            var model = Model(tag: "connection\(number)")
            var count = 0

            func request(
                _ client: Client, _ method: String, _ target: String, _ note: NoteInput? = nil, version: Int? = nil
            ) async throws -> Response {
                var headers: [(name: String, value: String)] = [("X-Request-ID", "\(number)-\(count)")]
                if note != nil { headers.append(("Content-Type", "application/json")) }
                if let version { headers.append(("If-Match", "\"\(version)\"")) }
                try await connection.send(client.request(method, target, headers: headers, body: try note?.json).bytes)
                let response = try await connection.receive(to: method)
                #expect(response["X-Request-ID"] == "\(number)-\(count)", "This is the response to another request.")
                expectSound(response, to: method, target)
                count += 1
                return response
            }

            for round in 1...9 {
                let input = NoteInput("note \(round)", body: "text of \(number)", tags: [model.tag])
                let created = try await request(user, "POST", "/notes", input)
                #expect(created.status == 201)
                let note = try created.decoded(as: Note.self)
                #expect(note.title == input.title && note.body == input.body && note.tags == input.tags)
                model.put(note)

                #expect(try await request(user, "GET", "/notes/\(note.id)").decoded(as: Note.self) == note)
                try expectError(try await request(other, "GET", "/notes/\(note.id)"), 404, "not_found")

                let change = NoteInput("changed \(round)", body: "word\(round)", tags: [model.tag])
                let changed = try await request(user, "PUT", "/notes/\(note.id)", change, version: 1)
                #expect(changed.status == 200)
                model.put(try changed.decoded(as: Note.self))
                let late = try await request(user, "PUT", "/notes/\(note.id)", change, version: 1)
                try expectError(late, 412, "precondition_failed")

                let list = try await request(user, "GET", "/notes?tag=\(model.tag)").decoded(as: NoteList.self)
                #expect(list == NoteList(notes: model.notes, page: 1, size: 20, total: model.notes.count))
                let found = try await request(user, "GET", "/notes?tag=\(model.tag)&search=word\(round)")
                #expect(try found.decoded(as: NoteList.self).notes == [model.notes[0]])

                if round.isMultiple(of: 3) {
                    #expect(try await request(user, "DELETE", "/notes/\(note.id)", version: 2).status == 204)
                    model.remove(note.id)
                    try expectError(try await request(user, "GET", "/notes/\(note.id)"), 404, "not_found")
                }
            }
            #expect(model.notes.count == Self.notesLeft)
            return count
        }
    }
}
