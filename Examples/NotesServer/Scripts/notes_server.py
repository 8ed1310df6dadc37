"""Run the built NotesServer for the scripts in this folder, and inspect its process and its database."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


class Failure(Exception):
    """A failed check."""


def fail(message):
    raise Failure(message)


def run_main(main):
    """Run a script. After a failed check, exit with status 1."""
    try:
        main()
    except Failure as failure:
        # Earlier output comes before the error.
        sys.stdout.flush()
        print(f"error: {failure}", file=sys.stderr)
        sys.exit(1)


def add_common_arguments(parser):
    parser.add_argument(
        "--executable", type=Path, default=PACKAGE / ".build/release/NotesServer",
        help="the server (default: the release build of this package)")
    parser.add_argument("--by-hand", action="store_true", help="use the wiring without a container")


class Server:
    """A server with a database and a configuration in a temporary folder."""

    def __init__(self, arguments, configuration=None):
        if not arguments.executable.exists():
            fail(f"{arguments.executable} is missing; run: swift build -c release --package-path {PACKAGE}")
        self.executable = arguments.executable
        self.wiring = ["--by-hand"] if arguments.by_hand else []
        self.folder = Path(tempfile.mkdtemp(prefix="notes-server-"))
        self.database = self.folder / "notes.sqlite"
        self.configuration = self.folder / "configuration.json"
        self.configuration.write_text(json.dumps(configuration or {}))
        self.log = self.folder / "log.txt"
        self.process = None
        self.address = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder)

    def start(self):
        """Start the server, and wait until it reports its address."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [self.executable, "--database", self.database, "--port", "0", "--configuration", self.configuration]
                + self.wiring, stdout=subprocess.PIPE, stderr=log, text=True)
        line = self.process.stdout.readline()
        match = re.fullmatch(r"Listening on (http://127\.0\.0\.1:\d+)\n", line)
        if not match:
            fail(f"the server did not start: {line}{self.log_end()}")
        self.address = match[1]

    def add_user(self, name):
        """Add a user, and return the token."""
        run = subprocess.run(
            [self.executable, "--database", self.database, "--add-user", name], capture_output=True, text=True)
        if run.returncode != 0:
            fail(f"the user was not added: {run.stderr}")
        return run.stdout.strip()

    def stop(self):
        """Stop the server with SIGTERM, and return the seconds until it has exited."""
        begin = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            fail(f"the server did not exit within a minute: {self.log_end()}")
        if status != 0:
            fail(f"the server exited with status {status}: {self.log_end()}")
        return time.monotonic() - begin

    def kill(self):
        """Kill the server, as a crash would."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def log_end(self):
        return self.log.read_text(errors="replace")[-2_000:]

    def resources(self):
        """Return the private memory of the process in KiB, and the numbers of its open files and threads."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        memory = int(re.search(r"RssAnon:\s+(\d+) kB", status)[1])
        threads = int(re.search(r"Threads:\s+(\d+)", status)[1])
        return memory, len(os.listdir(f"/proc/{self.process.pid}/fd")), threads

    def check_database(self):
        """Check the database file, and compare the search index with the notes."""
        connection = sqlite3.connect(self.database)
        try:
            answer = connection.execute("PRAGMA integrity_check").fetchall()
            if answer != [("ok",)]:
                fail(f"the database is damaged: {answer}")
            if violations := connection.execute("PRAGMA foreign_key_check").fetchall():
                fail(f"rows refer to missing rows: {violations[:5]}")
            indexes = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%USING fts5%'").fetchall()
            if not indexes:
                fail("the database has no search index")
            for (name,) in indexes:
                # Fails if the index and the notes differ.
                connection.execute(f'INSERT INTO "{name}"("{name}", rank) VALUES (\'integrity-check\', 1)')
        finally:
            connection.rollback()
            connection.close()
