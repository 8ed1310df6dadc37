"""Call the Swift compiler as the scripts in this folder need it."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def compile(arguments, directory):
    """Run swiftc in a directory, and return the completed process with its output."""
    if sys.platform == "darwin":
        sdk = subprocess.check_output(["xcrun", "--show-sdk-path"], text=True).strip()
        arguments = ["-sdk", sdk, "-target", f"{os.uname().machine}-apple-macosx15.0", *arguments]
    return subprocess.run(["swiftc", *arguments], cwd=directory, text=True, capture_output=True, check=False)


def library(products):
    """Return the options that compile and link a program with the library that `swift build` has built in a directory."""
    # A build leaves the objects of removed files in place.
    sources = sorted((ROOT / "Sources/DependencyInjection").rglob("*.swift"))
    objects = [pathlib.Path(products) / f"DependencyInjection.build/{source.name}.o" for source in sources]
    return ["-I", pathlib.Path(products) / "Modules", *objects]


def write(path, text):
    """Write a file unless it already has this text, so that a second build has less work."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
