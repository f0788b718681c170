#!/usr/bin/env bash
# scripts/check_install.sh PREFIX - does the library installed there work for a project outside, in C and in C++, by
# find_package and by pkg-config?
set -uo pipefail
cd "$(dirname "$0")/.."
prefix=${1:?usage: check_install.sh PREFIX}
consumer=$PWD/tests/install
version=$(sed -nE 's/#define TR_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)/\2/p' include/troupe/base/version.h | paste -sd.)
work=$(mktemp -d "${TMPDIR:-/tmp}/troupe-install-XXXXXX")
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

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

by_find_package() {
    cmake -S "$consumer" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DTROUPE_VERSION="$version" &&
        cmake --build "$work/cmake" && "$work/cmake/consumer_c" && "$work/cmake/consumer_cpp"
}
another_version_is_refused() {
    ! cmake -S "$consumer" -B "$work/other" -DCMAKE_PREFIX_PATH="$prefix" -DTROUPE_VERSION=99.0
}
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name troupe.pc)")
export PKG_CONFIG_PATH
by_pkg_config() { # COMPILER SOURCE STANDARD
    "$1" -std="$3" -Wall -Wextra -Werror "$consumer/$2" -o "$work/program" \
        $(pkg-config --static --cflags --libs troupe) && "$work/program"
}
# In a project that keeps the sources beside its own and has targets with the plainest names.
by_add_subdirectory() {
    mkdir -p "$work/game"
    cat >"$work/game/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.21)
project(game LANGUAGES C)
foreach(name product test_harness configure demo tests)
  add_custom_target(\${name})
endforeach()
add_subdirectory($PWD troupe)
add_executable(game $consumer/consumer.c)
target_link_libraries(game PRIVATE troupe::troupe)
END
    cmake -S "$work/game" -B "$work/game/build" -DCMAKE_BUILD_TYPE=Debug && cmake --build "$work/game/build" -j "$(nproc)" --target game &&
        "$work/game/build/game"
}
pkg_config_version() { [ "$(pkg-config --modversion troupe)" = "$version" ]; }
tool_runs() { "$prefix/bin/troupe" --version; }
# Peers are measured by a program of the build tree alone.
tool_links_no_peers() { ! ldd "$prefix/bin/troupe" | grep -E 'ompl|fcl|boost|Recast|Detour|stdc\+\+'; }
# The tree may be moved: nothing in it names the place it was installed to.
tree_can_be_moved() {
    ! grep -rlF "$prefix" "$prefix" --include='*.cmake' --include='*.pc'
}
only_our_names() {
    ! nm -g --defined-only "$(find "$prefix" -name libtroupe.a)" | awk 'NF == 3 { print $3 }' | grep -v '^tr_'
}
shared_library() {
    cmake -S . -B "$work/shared" -DBUILD_SHARED_LIBS=ON -DTROUPE_TESTS=OFF -DTROUPE_EXAMPLES=OFF -DTROUPE_PEERS=OFF &&
        cmake --build "$work/shared" -j "$(nproc)" && cmake --install "$work/shared" --prefix "$work/so" &&
        PKG_CONFIG_PATH=$(dirname "$(find "$work/so" -name troupe.pc)") &&
        cc -std=c17 "$consumer/consumer.c" -o "$work/program" $(pkg-config --cflags --libs troupe) &&
        LD_LIBRARY_PATH=$(pkg-config --variable=libdir troupe) "$work/program" && "$work/so/bin/troupe" --version
}
# With tests, as in a configuration where nothing else was chosen: tests that use internals of the library link, too.
shared_library_with_tests() {
    cmake -S . -B "$work/shared" -DBUILD_SHARED_LIBS=ON -DTROUPE_TESTS=ON -DTROUPE_EXAMPLES=ON &&
        cmake --build "$work/shared" -j "$(nproc)" --target test_number test_polygon example_grid && ctest --test-dir "$work/shared" -R '^(test_number|test_polygon|example_grid)$'
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
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
