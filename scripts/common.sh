# Shared by the scripts; sourced, not run. Finds the project, installs missing packages, configures and builds.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

say() { printf '\033[1m==\033[0m %s\n' "$*" >&2; }
die() { printf '%s\n' "$*" >&2; exit 1; }

# packages_of GROUP: the package names of one [group] of third_party/packages.txt.
packages_of() {
    sed -n "/^\[$1\]/,/^\[/s/^\([a-z0-9][a-z0-9.+-]*\):.*/\1/p" third_party/packages.txt
}

# missing_packages GROUP...: the packages of these groups that dpkg does not list as installed.
missing_packages() {
    local group name
    for group in "$@"; do
        for name in $(packages_of "$group"); do
            dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || printf '%s ' "$name"
        done
    done
}

# install_packages GROUP...: installs what is missing, as root or through sudo; without either it names what is missing.
install_packages() {
    command -v dpkg-query >/dev/null || {
        say "This is not Debian or Ubuntu. If the build misses a package, it names it."
        return 0
    }
    local missing as_root=""
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; } && as_root="sudo"
        [ -n "$as_root" ] || die "Missing packages, and no right to install them: ${missing% }
Ask your administrator for: apt-get install --no-install-recommends ${missing% }"
    fi
    say "Installing: ${missing% }"
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086
    $as_root apt-get update -qq >&2 || say "apt-get update failed. Continuing with the package lists that exist."
    # shellcheck disable=SC2086
    $as_root apt-get install -y -qq --no-install-recommends $missing >&2 ||
        die "apt-get failed to install: ${missing% }"
}

# build PRESET [TARGET...]: configures if necessary, then builds and shows progress.
build() {
    local preset=$1
    shift
    if [ ! -f "build/$preset/build.ninja" ]; then
        say "Configuring ($preset)"
        cmake --preset "$preset" >"build-$preset.log" 2>&1 || {
            tail -n 20 "build-$preset.log" >&2
            rm -f "build-$preset.log"
            die "CMake failed to configure the preset '$preset'."
        }
        rm -f "build-$preset.log"
    fi
    say "Building ($preset)"
    cmake --build --preset "$preset" ${1:+--target "$@"} >&2 || die "The build of the preset '$preset' failed."
}
