# What the steps share. `.ci/run` runs each step in the root of the checkout.
set -euo pipefail

# The options to build packages that depend on this one. They share one build of it, or one with optimization.
as_client=(--scratch-path .build/clients -Xswiftc -warnings-as-errors)
# Valgrind 3.19 doesn't read debug information in the form DWARF 5.
as_release_client=(-c release --scratch-path .build/release-clients -Xcc -gdwarf-4)

# The options of the build for the address sanitizer. It has optimization, which may break reads without a lock.
address_release=(-c release -Xswiftc -enable-testing --sanitize=address --scratch-path .build/address-release)
# The options of the debug build for the thread sanitizer. Tests can pause the threads of this build: see
# PausePoint.swift.
thread_debug=(
    -Xswiftc -warnings-as-errors -Xswiftc -DINJECTED_PAUSES --sanitize=thread --scratch-path .build/thread-debug
)

fail() {
    echo "error: $*" >&2
    exit 1
}

# Prints the packages of Debian and Ubuntu that the steps need and this machine lacks.
missing_packages() {
    has() { command -v "$1" >/dev/null; }
    has python3 || echo python3
    [[ $(uname) == Linux ]] || return 0
    # Graphviz draws a graph in the tests; without it they compare its text only.
    has dot || echo graphviz
    has valgrind || echo valgrind
    has spin || echo spin
    has wrk || echo wrk
    has cc || echo gcc libc6-dev
    has pkg-config || echo pkg-config
    local library
    for library in sqlite3 libcmark; do
        pkg-config --exists "$library" 2>/dev/null || echo "lib${library#lib}-dev"
    done
}

# Installs packages of Debian or Ubuntu.
install_packages() {
    (($#)) || return 0
    command -v apt-get >/dev/null || fail "not installed: $*"
    local as_root=()
    ((EUID == 0)) || as_root=(sudo)
    local output
    output=$(
        ${as_root[@]+"${as_root[@]}"} apt-get update -qq 2>&1
        ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" 2>&1
    ) || fail "$output"
}

# Ends with an error if a tool isn't installed.
require() {
    command -v "$1" >/dev/null || fail "$1 is not installed. On Debian and Ubuntu, \`.ci/run --install\` installs it."
}

# Whether this is a platform that a step checks. Otherwise says so.
runs_on() {
    [[ "$(uname) $(uname -m)" == "$1"* ]] || { echo "This step runs on $1 only." && return 1; }
}

# Runs the command that README.md shows in the block after `<!-- command: NAME -->`.
run_readme_command() {
    local command
    command=$(awk -v marker="<!-- command: $1 -->" '
        $0 == marker { marked = 1; next }
        marked && /^```sh$/ { inside = 1; next }
        inside && /^```$/ { exit }
        inside { print }' README.md)
    [[ -n $command ]] || fail "README.md has no block after '<!-- command: $1 -->'"
    echo "$ $command"
    bash -euo pipefail -c "$command"
}

# Builds the tests for both sanitizers.
build_with_sanitizers() {
    swift build --build-tests --quiet "${address_release[@]}"
    swift build --build-tests --quiet "${thread_debug[@]}"
}

# Runs a command of Swift, such as `build`, on a server. The servers have packages of their own. The failing build and the
# snippets use the same builds as their tests.
on_server() {
    swift "$1" --package-path "Examples/$2" --scratch-path ".build/$2" -Xswiftc -warnings-as-errors "${@:3}"
}

# Builds and runs the tests of a server. After `swift build`, `swift test` without `--skip-build` would compile all packages
# again. So would `swift build` after this, because SwiftPM plans a run of tests without plugins. So this is the last use of
# a build.
test_server() {
    on_server build "$1" --build-tests
    on_server test "$1" --skip-build
}

# Builds what steps at the end of the whole run need. If a build fails, its step repeats it, and so shows the error.
build_ahead() {
    local server
    for server in Examples/*Server; do on_server build "${server#*/}" --build-tests --quiet || true; done
    build_with_sanitizers
}

# Starts a command in the background, in a process group that ends with this script. The first argument is the file for
# its output.
start_in_background() {
    local output=$1
    shift
    # With job control, a command gets a process group.
    set -m
    "$@" >"$output" 2>&1 </dev/null &
    background_group=$!
    set +m
    trap 'kill -- -"$background_group" 2>/dev/null || true' EXIT
}
