"""Call the Swift compiler as the steps in Python need it."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The module in C, which the library imports.
C_MODULE = "CDependencyInjection"
C_HEADERS = ROOT / "Sources" / C_MODULE / "include"


def products(*options):
    """Build the library, and return the directory of its modules and objects."""
    # This module depends on both others.
    command = ["swift", "build", "--quiet", *options, "--target", "DependencyInjectionTesting"]
    subprocess.run(command, cwd=ROOT, check=True)
    return pathlib.Path(subprocess.check_output([*command, "--show-bin-path"], cwd=ROOT, text=True).strip())


def sdk():
    """Return the options that find the modules of the platform."""
    if sys.platform != "darwin":
        return []
    sdk, platform = (
        subprocess.check_output(["xcrun", option], text=True).strip()
        for option in ("--show-sdk-path", "--show-sdk-platform-path"))
    # The module `Testing` isn't part of the SDK.
    return ["-sdk", sdk, "-F", f"{platform}/Developer/Library/Frameworks"]


def compile(arguments, directory):
    """Run swiftc in a directory, and return the completed process with its output."""
    target = ["-target", f"{os.uname().machine}-apple-macosx15.0"] if sys.platform == "darwin" else []
    command = ["swiftc", *sdk(), *target, "-I", C_HEADERS, *arguments]
    return subprocess.run(command, cwd=directory, text=True, capture_output=True, check=False)


def library(products):
    """Return the options that compile and link a program with the library, from the directory of a build."""
    # A build leaves the objects of removed files in place.
    sources = sorted((ROOT / "Sources/DependencyInjection").rglob("*.swift"))
    objects = [pathlib.Path(products) / f"DependencyInjection.build/{source.name}.o" for source in sources]
    objects += sorted((pathlib.Path(products) / f"{C_MODULE}.build").glob("*.o"))
    return ["-I", pathlib.Path(products) / "Modules", *objects]


def write(path, text):
    """Write a file unless it already has this text, so that a second build has less work."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
