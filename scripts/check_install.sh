#!/usr/bin/env bash
# scripts/check_install.sh PREFIX BUILD - does what is installed there work for a project outside, in C and in C++, by
# find_package and by pkg-config, and for a user: man pages, completions, stages? BUILD is the folder that it was built in;
# it makes the .deb.
set -uo pipefail
cd "$(dirname "$0")/.."
prefix=${1:?usage: check_install.sh PREFIX BUILD}
build=${2:?usage: check_install.sh PREFIX BUILD}
consumer=$PWD/tests/install
version=$(sed -nE 's/#define TR_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)/\2/p' include/troupe/base/version.h | paste -sd.)
work=$(mktemp -d "${TMPDIR:-/tmp}/troupe-install-XXXXXX")
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

try() {
    local what=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "broken: $what"
        tail -20 "$work/log" | sed 's/^/  /'
    fi
}

skip() {
    echo "skipped $1"
    skipped=$((skipped + 1))
}

by_find_package() {
    cmake -S "$consumer" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DTROUPE_VERSION="$version" &&
        cmake --build "$work/cmake" && "$work/cmake/consumer_c" && "$work/cmake/consumer_cpp"
}
another_version_is_refused() {
    ! cmake -S "$consumer" -B "$work/cmake" -DTROUPE_VERSION=99.0
}
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name troupe.pc)")
export PKG_CONFIG_PATH
by_pkg_config() { # COMPILER SOURCE STANDARD
    "$1" -std="$3" -Wall -Wextra -Werror "$consumer/$2" -o "$work/program" \
        $(pkg-config --static --cflags --libs troupe) && "$work/program"
}
# In a project that keeps the sources beside its own and has targets with the plainest names. The objects are compiled once,
# quickly, and linked as a static library here and as a shared one below.
mkdir "$work/game"
cat >"$work/game/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.21)
project(game LANGUAGES C)
if(NOT TROUPE_TESTS)
  foreach(name product test_harness configure demo tests man)
    add_custom_target(\${name})
  endforeach()
endif()
add_subdirectory($PWD troupe)
add_executable(game $consumer/consumer.c)
target_link_libraries(game PRIVATE troupe::troupe)
END
game() { # OPTION... -- TARGET...
    local options=()
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    cmake -S "$work/game" -B "$work/game/build" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O0 -DTROUPE_PEERS=OFF "${options[@]}" &&
        cmake --build "$work/game/build" -j "$(nproc)" --target "$@"
}
by_add_subdirectory() { game -- game && "$work/game/build/game"; }
shared_library() {
    game -DBUILD_SHARED_LIBS=ON -DTROUPE_CLI=ON -- troupe_product &&
        cmake --install "$work/game/build" --prefix "$work/so" &&
        PKG_CONFIG_PATH=$(dirname "$(find "$work/so" -name troupe.pc)") &&
        cc -std=c17 "$consumer/consumer.c" -o "$work/program" $(pkg-config --cflags --libs troupe) &&
        LD_LIBRARY_PATH=$(pkg-config --variable=libdir troupe) "$work/program" && "$work/so/bin/troupe" --version
}
# Tests that use internals of the library link, too.
shared_library_with_tests() {
    game -DBUILD_SHARED_LIBS=ON -DTROUPE_TESTS=ON -DTROUPE_EXAMPLES=ON -- test_number test_polygon example_grid &&
        ctest --test-dir "$work/game/build/troupe" --no-tests=error -R '^(test_number|test_polygon|example_grid)$'
}
pkg_config_version() { [ "$(pkg-config --modversion troupe)" = "$version" ]; }
tool_runs() { "$prefix/bin/troupe" --version; }
# Peers are measured by a program of the build tree alone.
tool_links_no_peers() { ! ldd "$prefix/bin/troupe" | grep -E 'ompl|fcl|boost|Recast|Detour|stdc\+\+'; }
# The tree may be moved: nothing in it names the place it was installed to.
tree_can_be_moved() { ! grep -rlF "$prefix" "$prefix"; }
only_our_names() {
    ! nm -g --defined-only "$(find "$prefix" -name libtroupe.a)" | awk 'NF == 3 { print $3 }' | grep -v '^tr_'
}

# What a package brings besides the library, with or without gzip, and where zsh and licences are by the rules of Debian.
files=(bin/troupe include/troupe/troupe.h include/troupe/troupe.hpp share/doc/troupe/LICENSE share/doc/troupe/README.md
    share/doc/troupe/CHANGELOG.md share/doc/troupe/docs/commands/play.md share/doc/troupe/examples/stage/stage.c
    share/troupe/schemas/stage.schema.json share/troupe/schemas/behaviors.schema.json share/troupe/stages/office.json
    share/man/man1/troupe.1 share/man/man1/troupe-play.1 share/man/man1/troupe-behaviors.1
    share/bash-completion/completions/troupe share/zsh/site-functions/_troupe share/fish/vendor_completions.d/troupe.fish)
files_are_there() {
    local file status=0
    for file in "${files[@]}"; do
        [ -s "$prefix/$file" ] || { echo "$file is missing" && status=1; }
    done
    return $status
}
schemas_are_found() {
    local stage schema
    for stage in "$prefix"/share/troupe/stages/*.json; do
        schema=$(sed -nE 's/.*"\$schema": "([^"]*)".*/\1/p' "$stage")
        [ -z "$schema" ] || [ -f "$(dirname "$stage")/$schema" ] || { echo "$stage names $schema" && return 1; }
    done
    grep -q '"../schemas/stage.schema.json"' "$prefix/share/troupe/stages/office.json"
}

PATH=$prefix/bin:$PATH
commands=$(troupe help | sed -nE 's/^  ([a-z]+) .*/\1/p')
# The options of a command, -o and --out alike.
options() { troupe help "$1" | sed -nE 's/^  (-[a-z], )?(--[a-z-]+).*/\1\2/p' | sed 's/, /\n/'; }
# Every command has a page and a text of its own, and the page has every option.
man_pages_are_complete() {
    local command page missing
    for command in $commands; do
        page=$prefix/share/man/man1/troupe-$command.1
        [ -f "man/troupe-$command.man" ] || { echo "man/troupe-$command.man is missing" && return 1; }
        missing=$(comm -23 <(options "$command" | sort) <(sed -n '/^\.SH OPTIONS/,/^\.SH EX/p' "$page" | sed 's/\\-/-/g' |
            grep -A1 '^\.TP' | grep -oE '\\fB-[^\]*' | sed 's/^...//' | sort))
        [ -z "$missing" ] || { echo "$page lacks $missing" && return 1; }
    done
    [ "$(ls man/*.man | wc -l)" = "$(ls "$prefix"/share/man/man1/troupe*.1 | wc -l)" ]
}
man_pages_are_valid() {
    local page said
    for page in "$prefix"/share/man/man1/*.1; do
        said=$(groff -man -Tutf8 -P-cbou -ww "$page" 2>&1 >"$work/page")
        [ -z "$said" ] || { echo "$said" && return 1; }
        grep -q 'EXIT STATUS' "$work/page" || return 1
    done
}
# What a page shows as an example can be typed as it stands; measuring takes longer.
man_examples_run() {
    local page
    mkdir "$work/run" && cp "$prefix"/share/troupe/stages/desk_tasks.json "$work/run"
    for page in "$prefix"/share/man/man1/*.1; do
        sed -n '/^\.EX/,/^\.EE/{/^\./d;s/\\-/-/g;s/\\(dq/"/g;p}' "$page" | grep -v '^troupe bench' >"$work/examples"
        (cd "$work/run" && bash -ex "$work/examples") || return 1
    done
}
complete_with() { "$consumer/complete.sh" "$@" | sort; }
completes() { # SHELL: every command, every option, samples, words and files
    local share=$prefix/share command missing
    missing=$(comm -23 <(sort <<<"$commands") <(complete_with "$1" "$share" troupe ''))
    for command in $commands; do
        missing+=$(comm -23 <(options "$command" | sort) <(complete_with "$1" "$share" troupe "$command" -))
    done
    [ -z "$missing" ] || { echo "not completed: $missing" && return 1; }
    complete_with "$1" "$share" troupe map --sample '' | grep -qx office &&
        complete_with "$1" "$share" troupe gen crowd --kind '' | grep -qx swap &&
        complete_with "$1" "$share" troupe gen '' | grep -qx crowd &&
        complete_with "$1" "$share" troupe bench '' | grep -qx kuffner &&
        [ "$(complete_with "$1" "$share" troupe route --up '' | paste -sd' ')" = "y z" ] || return 1
    [ "$1" = zsh ] || complete_with "$1" "$share" troupe play stages/of | grep -qx stages/office.json
}
debian_package() {
    local name missing
    (cd "$build" && cpack -G DEB -B "$work/deb" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip) || return 1
    name=$(echo "$work"/deb/*.deb)
    dpkg-deb -c "$name" | awk '{ print $6 }' | sed 's,^\./usr/,,; s/\.1\.gz$/.1/; s/vendor-completions/site-functions/' | sort >"$work/content"
    missing=$(printf '%s\n' "${files[@]}" share/doc/troupe/copyright lib/libtroupe.a | sort | comm -23 - "$work/content")
    [ -z "$missing" ] || { echo "not in the package: $missing" && return 1; }
    [ "$(basename "$name")" = "troupe_${version}_$(dpkg --print-architecture).deb" ] &&
        dpkg-deb -f "$name" Depends | grep libc6 && dpkg-deb -f "$name" Maintainer Section Description
}

try "find_package(troupe $version), C and C++" by_find_package
try "find_package refuses another version" another_version_is_refused
try "add_subdirectory" by_add_subdirectory
try "pkg-config, C" by_pkg_config cc consumer.c c17
try "pkg-config, C++" by_pkg_config c++ consumer.cpp c++17
try "pkg-config knows the version" pkg_config_version
try "the installed tool runs" tool_runs
try "the installed tool needs none of the peers" tool_links_no_peers
try "the installed tree can be moved" tree_can_be_moved
try "the installed library defines names that begin with tr_ alone" only_our_names
try "a shared library, by pkg-config without --static, and the tool with it" shared_library
try "a shared library builds with its tests and examples" shared_library_with_tests
try "licence, pages, examples, schemas, stages and completions are installed" files_are_there
try "installed stages find their schema" schemas_are_found
try "every command has a man page with all its options" man_pages_are_complete
if command -v groff >/dev/null; then
    try "groff has no warnings about the man pages" man_pages_are_valid
else
    skip "man pages: groff is not installed"
fi
try "the examples of the man pages run" man_examples_run
for shell in bash zsh fish; do
    if command -v $shell >/dev/null; then try "$shell completes commands, options and values" completes $shell; else skip "completion: $shell is not installed"; fi
done
if command -v dpkg-deb >/dev/null; then
    try "a Debian package with all of this" debian_package
else
    skip "Debian package: dpkg-deb is not installed"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
