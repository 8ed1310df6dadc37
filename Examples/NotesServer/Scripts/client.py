"""A client of the script `load`."""

import random
import time

from notes_server import fail

PAGE_SIZE = 20
WORDS = "otter heron kingfisher willow river meadow stone bridge morning winter".split()


class Client:
    """A connection that sends random requests, with a model of its notes."""

    def __init__(self, number, user, load):
        self.number = number
        self.user = user
        self.load = load
        self.tag = f"client{number}"
        self.random = random.Random(number)
        self.notes = []  # the most recently changed note comes first
        self.deleted = []
        self.count = 0
        self.actions = {
            self.create: 18, self.read: 25, self.update: 16, self.delete: 10, self.list: 10, self.search: 8,
            self.update_old_version: 4, self.read_known: 4, self.read_deleted: 2, self.read_other: 2,
            self.read_with_wrong_token: 1, self.send_invalid: 1, self.check_health: 1,
        }

    async def request(self, method, path, status, token=None, **options):
        """Send a request, check the rules for every response, and return the response and its JSON."""
        self.count += 1
        request_id = f"t{self.number}-{self.count}"
        headers = {"X-Request-ID": request_id, "Authorization": f"Bearer {token or self.user.token}"}
        headers |= options.pop("headers", {})
        begin = time.monotonic()
        async with self.load.session.request(method, path, headers=headers, **options) as response:
            body = await response.read()
        self.load.record_response(time.monotonic() - begin, method, response.status)
        where = f"{method} {path}: {response.status} {body[:300]}"
        self.expect(response.status == status, f"{where}, not {status}")
        self.expect(response.headers["X-Request-ID"] == request_id, f"{where} has the ID of another request")
        self.expect(response.headers["Cache-Control"] == "no-store", f"{where} may be cached")
        if not body:
            return response, None
        content = await response.json()
        if status >= 400:
            self.expect(content["requestID"] == request_id and content["error"]["code"], where)
        return response, content

    def expect(self, is_right, message):
        if not is_right:
            fail(f"client {self.number}: {message}")

    def new_input(self):
        self.word = f"word{self.number}x{self.count}"
        length = self.random.choice([3, 10, 30, 300])
        body = " ".join(self.random.choices(WORDS, k=length))
        return {"title": f"{self.random.choice(WORDS)} „{self.count}“", "body": f"**{body}** {self.word}",
                "tags": sorted({self.tag, self.random.choice(WORDS)})}

    def expect_note(self, note, expected):
        for key, value in expected.items():
            self.expect(note[key] == value, f"{key} is {note[key]!r}, not {value!r}")
        self.expect(note["html"].startswith("<p><strong>"), f"html is {note['html'][:80]!r}")

    def any_note(self):
        return self.random.choice(self.notes)

    def put_first(self, note):
        self.notes = [note] + [other for other in self.notes if other["id"] != note["id"]]

    async def create(self):
        if len(self.notes) > 30:
            return await self.delete()
        new = self.new_input()
        response, note = await self.request("POST", "/notes", 201, json=new)
        self.expect_note(note, new | {"version": 1})
        self.expect(response.headers["Location"] == f"/notes/{note['id']}", "the location is wrong")
        self.expect(response.headers["ETag"] == '"1"', "the version is wrong")
        self.expect(note["id"] not in self.load.ids, f"two notes have the number {note['id']}")
        self.load.ids.add(note["id"])
        self.put_first(note)

    async def read(self):
        note = self.any_note()
        response, content = await self.request("GET", f"/notes/{note['id']}", 200)
        self.expect(content == note, f"{content} is not {note}")
        self.expect(response.headers["ETag"] == f'"{note["version"]}"', "the version is wrong")

    async def read_known(self):
        note = self.any_note()
        known = {"If-None-Match": f'"{note["version"]}"'}
        _, content = await self.request("GET", f"/notes/{note['id']}", 304, headers=known)
        self.expect(content is None, "a response without content has a body")

    async def update(self):
        note = self.any_note()
        new = self.new_input()
        version = {"If-Match": f'"{note["version"]}"'}
        response, content = await self.request("PUT", f"/notes/{note['id']}", 200, headers=version, json=new)
        self.expect_note(content, new | {
            "id": note["id"], "version": note["version"] + 1, "createdAt": note["createdAt"]})
        self.expect(response.headers["ETag"] == f'"{content["version"]}"', "the version is wrong")
        self.put_first(content)

    async def update_old_version(self):
        note = self.any_note()
        version = {"If-Match": f'"{note["version"] - 1}"'}
        await self.request("PUT", f"/notes/{note['id']}", 412, headers=version, json=self.new_input())

    async def delete(self):
        if len(self.notes) < 5:
            return await self.create()
        note = self.any_note()
        await self.request("DELETE", f"/notes/{note['id']}", 204, headers={"If-Match": f'"{note["version"]}"'})
        self.notes.remove(note)
        self.deleted.append(note["id"])

    async def read_deleted(self):
        if self.deleted:
            await self.request("GET", f"/notes/{self.random.choice(self.deleted)}", 404)

    async def read_other(self):
        other = self.random.choice([client for client in self.load.clients if client.user is not self.user])
        if other.notes:
            await self.request("GET", f"/notes/{other.any_note()['id']}", 404)

    async def list(self):
        size = self.random.choice([5, PAGE_SIZE, 100])
        page = self.random.randint(1, 3)
        _, content = await self.request("GET", "/notes", 200, params={"tag": self.tag, "size": size, "page": page})
        expected = self.notes[(page - 1) * size:page * size]
        self.expect(
            content == {"notes": expected, "page": page, "size": size, "total": len(self.notes)},
            f"the list has {[note['id'] for note in content['notes']]}, not {[note['id'] for note in expected]}")

    async def search(self):
        note = self.any_note()
        word = note["body"].split()[-1]
        _, content = await self.request("GET", "/notes", 200, params={"search": f"{word} {self.tag}"})
        found = [other for other in self.notes if other["body"].split()[-1].startswith(word)]
        self.expect(
            sorted(content["notes"], key=lambda note: note["id"]) == sorted(found, key=lambda note: note["id"]),
            f"{word} finds {content['total']} notes, not {len(found)}")

    async def read_with_wrong_token(self):
        await self.request("GET", f"/notes/{self.any_note()['id']}", 401, token="wrong")

    async def send_invalid(self):
        json_type = {"Content-Type": "application/json"}
        await self.request("POST", "/notes", 400, data=b'{"title": ', headers=json_type)
        await self.request("POST", "/notes", 422, json={"title": ""})
        await self.request("GET", "/notes?page=0", 400)

    async def check_health(self):
        _, content = await self.request("GET", "/health", 200)
        self.expect(content == {"status": "ok"}, str(content))

    async def run(self):
        await self.create()
        while not self.load.is_done():
            action = self.random.choices(list(self.actions), self.actions.values())[0]
            await action()
