#!/usr/bin/env bash
# scripts/setup.sh build|test|docs - see that the Debian packages needed to build, to build and test, or to make the API
# reference are there.
# Quick and silent when they are. Otherwise installs them (root, or sudo without a password), or prints the command
# that does and exits with status 2.
set -euo pipefail

what=${1:-build}
case $what in build | test | docs) ;; *) echo "usage: scripts/setup.sh build|test|docs" >&2; exit 2 ;; esac

if ! command -v dpkg-query >/dev/null; then
    # Not Debian: the build and scripts/docs.sh say themselves what they cannot find.
    [ "$what" = docs ] && exit 0
    command -v cc >/dev/null && command -v cmake >/dev/null && exit 0
    echo "troupe needs a C compiler, CMake 3.21 and the headers of libpng, EGL and OpenGL (GL/glcorearb.h)" >&2
    exit 2
fi

# The headers of EGL and OpenGL are for building; the Mesa libraries let `gl` run on machines without a graphics card.
packages=(gcc libc6-dev make cmake libpng-dev libegl-dev libgl-dev libegl1 libegl-mesa0 libgl1-mesa-dri)
[ "$what" = docs ] && packages=(doxygen)
if [ "$what" = test ]; then
    # clang and the sanitizers; WebAssembly; readers to compare with; peers to measure; pkg-config for the install test
    packages+=(ninja-build clang libclang-rt-14-dev clang-format)
    packages+=(clang-16 lld-16 wasi-libc libclang-rt-16-dev-wasm32)
    packages+=(libassimp-dev librecast-dev libompl-dev libfcl-dev g++ pkg-config)
    # man pages, completions and the Debian package, for the install test
    packages+=(groff-base zsh fish dpkg-dev)
    packages+=(doxygen) # the API reference, for the docs stage
    command -v node >/dev/null || packages+=(nodejs)
    command -v npm >/dev/null || packages+=(npm) # the validator and three.js, for the web stage
fi

# A package that was removed but not purged is still known: only "install ok installed" counts.
installed=$(dpkg-query -W -f='${Package} ${Status}\n' "${packages[@]}" 2>/dev/null |
    sed -n 's/ install ok installed$//p' || true)
missing=()
for package in "${packages[@]}"; do
    grep -qxF "$package" <<<"$installed" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
        echo "troupe needs packages that are not installed. Run this, then try again:" >&2
        echo "  sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}" >&2
        exit 2
    fi
    as_root=(sudo -n)
fi
echo "installing: ${missing[*]}"
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
