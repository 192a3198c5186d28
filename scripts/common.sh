# Shared by the scripts; sourced, not run. Finds the project, installs what is missing, configures and builds.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

say() { printf '\033[1m==\033[0m %s\n' "$*" >&2; }
die() { printf '%s\n' "$*" >&2; exit 1; }

# The packages of third_party/packages.txt that dpkg does not know as installed.
missing_packages() {
    local name
    sed -n 's/^\([a-z0-9][a-z0-9.+-]*\):.*/\1/p' third_party/packages.txt | while read -r name; do
        dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || printf '%s ' "$name"
    done
}

# Installs what is missing, as root or through sudo; says what is missing when it may do neither.
install_packages() {
    command -v dpkg-query >/dev/null || {
        say "This is no Debian or Ubuntu: the build will name a package that it cannot find."
        return 0
    }
    local missing as_root=""
    missing=$(missing_packages)
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; } && as_root="sudo"
        [ -n "$as_root" ] || die "These packages are missing and may not be installed from here: ${missing% }
Ask for: apt-get install --no-install-recommends ${missing% }"
    fi
    say "Installing: ${missing% }"
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086
    $as_root apt-get update -qq >&2 || say "apt-get update failed; trying with the lists that are there."
    # shellcheck disable=SC2086
    $as_root apt-get install -y -qq --no-install-recommends $missing >&2 ||
        die "apt-get could not install all of: ${missing% }"
}

# build PRESET [TARGET...]: configures when needed, then builds with progress.
build() {
    local preset=$1
    shift
    if [ ! -f "build/$preset/build.ninja" ]; then
        say "Configuring ($preset)"
        cmake --preset "$preset" >"build-$preset.log" 2>&1 || {
            tail -n 20 "build-$preset.log" >&2
            rm -f "build-$preset.log"
            die "Configuring failed."
        }
        rm -f "build-$preset.log"
    fi
    say "Building ($preset)"
    cmake --build --preset "$preset" ${1:+--target "$@"} >&2 || die "The build failed."
}
