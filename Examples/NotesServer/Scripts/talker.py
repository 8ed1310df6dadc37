"""One connection of `load`: what it asks, and what it expects to be answered."""

import random
import time

from notes_server import fail

PAGE_SIZE = 20
WORDS = "otter heron kingfisher willow river meadow stone bridge morning winter".split()


class Talker:
    """One connection: its notes, and what is asked about them."""

    def __init__(self, number, user, load):
        self.number = number
        self.user = user
        self.load = load
        self.tag = f"talker{number}"
        self.random = random.Random(number)
        self.notes = []  # the last that was changed comes first
        self.deleted = []
        self.count = 0
        self.actions = {
            self.create: 18, self.read: 25, self.update: 16, self.delete: 10, self.list: 10, self.search: 8,
            self.update_late: 4, self.read_known: 4, self.read_deleted: 2, self.read_other: 2, self.be_a_stranger: 1,
            self.send_nonsense: 1, self.ask_health: 1,
        }

    async def ask(self, method, path, status, token=None, **options):
        """Sends a request, checks what holds for every answer, and returns it with its JSON."""
        self.count += 1
        request_id = f"t{self.number}-{self.count}"
        headers = {"X-Request-ID": request_id, "Authorization": f"Bearer {token or self.user.token}"}
        headers |= options.pop("headers", {})
        begin = time.monotonic()
        async with self.load.session.request(method, path, headers=headers, **options) as response:
            body = await response.read()
        self.load.answered(time.monotonic() - begin, method, response.status)
        where = f"{method} {path}: {response.status} {body[:300]}"
        self.expect(response.status == status, f"{where}, not {status}")
        self.expect(response.headers["X-Request-ID"] == request_id, f"{where} answers another request")
        self.expect(response.headers["Cache-Control"] == "no-store", f"{where} may be stored")
        if not body:
            return response, None
        content = await response.json()
        if status >= 400:
            self.expect(content["requestID"] == request_id and content["error"]["code"], where)
        return response, content

    def expect(self, is_right, message):
        if not is_right:
            fail(f"talker {self.number}: {message}")

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
        response, note = await self.ask("POST", "/notes", 201, json=new)
        self.expect_note(note, new | {"version": 1})
        self.expect(response.headers["Location"] == f"/notes/{note['id']}", "another location")
        self.expect(response.headers["ETag"] == '"1"', "another version")
        self.expect(note["id"] not in self.load.ids, f"the number {note['id']} was given twice")
        self.load.ids.add(note["id"])
        self.put_first(note)

    async def read(self):
        note = self.any_note()
        response, answer = await self.ask("GET", f"/notes/{note['id']}", 200)
        self.expect(answer == note, f"{answer} is not {note}")
        self.expect(response.headers["ETag"] == f'"{note["version"]}"', "another version")

    async def read_known(self):
        note = self.any_note()
        known = {"If-None-Match": f'"{note["version"]}"'}
        _, answer = await self.ask("GET", f"/notes/{note['id']}", 304, headers=known)
        self.expect(answer is None, "a body that was not asked for")

    async def update(self):
        note = self.any_note()
        new = self.new_input()
        version = {"If-Match": f'"{note["version"]}"'}
        response, answer = await self.ask("PUT", f"/notes/{note['id']}", 200, headers=version, json=new)
        self.expect_note(answer, new | {
            "id": note["id"], "version": note["version"] + 1, "createdAt": note["createdAt"]})
        self.expect(response.headers["ETag"] == f'"{answer["version"]}"', "another version")
        self.put_first(answer)

    async def update_late(self):
        note = self.any_note()
        version = {"If-Match": f'"{note["version"] - 1}"'}
        await self.ask("PUT", f"/notes/{note['id']}", 412, headers=version, json=self.new_input())

    async def delete(self):
        if len(self.notes) < 5:
            return await self.create()
        note = self.any_note()
        await self.ask("DELETE", f"/notes/{note['id']}", 204, headers={"If-Match": f'"{note["version"]}"'})
        self.notes.remove(note)
        self.deleted.append(note["id"])

    async def read_deleted(self):
        if self.deleted:
            await self.ask("GET", f"/notes/{self.random.choice(self.deleted)}", 404)

    async def read_other(self):
        other = self.random.choice([talker for talker in self.load.talkers if talker.user is not self.user])
        if other.notes:
            await self.ask("GET", f"/notes/{other.any_note()['id']}", 404)

    async def list(self):
        size = self.random.choice([5, PAGE_SIZE, 100])
        page = self.random.randint(1, 3)
        _, answer = await self.ask("GET", "/notes", 200, params={"tag": self.tag, "size": size, "page": page})
        expected = self.notes[(page - 1) * size:page * size]
        self.expect(
            answer == {"notes": expected, "page": page, "size": size, "total": len(self.notes)},
            f"the list holds {[note['id'] for note in answer['notes']]}, not {[note['id'] for note in expected]}")

    async def search(self):
        note = self.any_note()
        word = note["body"].split()[-1]
        _, answer = await self.ask("GET", "/notes", 200, params={"search": f"{word} {self.tag}"})
        found = [other for other in self.notes if other["body"].split()[-1].startswith(word)]
        self.expect(
            sorted(answer["notes"], key=lambda note: note["id"]) == sorted(found, key=lambda note: note["id"]),
            f"{word} finds {answer['total']} notes, not {len(found)}")

    async def be_a_stranger(self):
        await self.ask("GET", f"/notes/{self.any_note()['id']}", 401, token="wrong")

    async def send_nonsense(self):
        json_type = {"Content-Type": "application/json"}
        await self.ask("POST", "/notes", 400, data=b'{"title": ', headers=json_type)
        await self.ask("POST", "/notes", 422, json={"title": ""})
        await self.ask("GET", "/notes?page=0", 400)

    async def ask_health(self):
        _, answer = await self.ask("GET", "/health", 200)
        self.expect(answer == {"status": "ok"}, str(answer))

    async def talk(self):
        await self.create()
        while not self.load.is_done():
            action = self.random.choices(list(self.actions), self.actions.values())[0]
            await action()
