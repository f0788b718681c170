#!/usr/bin/env bash
# scripts/test.sh [STAGE...] - run the named stages of the tests, or all of them. Stops at the first that fails. The last
# line is "N passed, N failed, N skipped", summed over all stages. `quick` (make check) is part of what the others do;
# `bits` and `deb` are more than they do.
set -uo pipefail
cd "$(dirname "$0")/.."

all_stages=(format rules docs release asan clang tsan wasm web install readme)
stages=("$@")
[ $# -gt 0 ] || stages=("${all_stages[@]}")
jobs=$(nproc 2>/dev/null || echo 2)
work=$(mktemp -d "${TMPDIR:-/tmp}/troupe-test-XXXXXX")
trap 'rm -rf "$work"' EXIT
command -v ninja >/dev/null && export CMAKE_GENERATOR=Ninja
export CLICOLOR_FORCE=0 LC_ALL=C

passed=0 failed=0 skipped=0

finish() {
    if [ -s "$work/skipped" ]; then
        echo
        echo "Skipped, and why:"
        sort "$work/skipped" | uniq -c | sed 's/^ *\([0-9]*\) /  \1 x /'
    fi
    echo
    echo "$passed passed, $failed failed, $skipped skipped"
    exit $((failed != 0))
}

stop() {
    echo
    echo "FAILED in stage '$stage': $1"
    [ "$failed" -gt 0 ] || failed=1
    finish
}

add() {
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

# Run a command; show what it printed only when it fails.
quietly() {
    "$@" >"$work/log" 2>&1 && return
    grep -nE -A6 'error|warning|FAILED|undefined' "$work/log" | head -60 | sed 's/^/    /'
    echo "    ..."
    tail -15 "$work/log" | sed 's/^/    /'
    return 1
}

# build PRESET [TARGET]: configure and build.
build() {
    echo "  building $1"
    quietly cmake --preset "$1" || stop "preset $1 cannot be configured"
    local folder
    folder=$(folder_of "$1")
    quietly cmake --build "$folder" -j "$jobs" ${2:+--target "$2"} || stop "preset $1 does not build"
}

folder_of() {
    if [ "$1" = release ]; then echo build; else echo "build-$1"; fi
}

# Count what the programs say ("N passed, ..."); one that says nothing (an example) counts as one.
count_log() {
    awk '
        /^[0-9]+\/[0-9]+ Testing: / { said = broken = 0 }
        /^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { said = 1; p += $1; f += $3; broken = $3; s += $5 }
        /^Test Passed\.$/ { if (!said) p++ }
        /^Test Failed\.$/ { if (!said || !broken) f++ }
        /^Test (timed out|not run)/ || /^Test time =.*Timeout/ { f++ }
        END { print p + 0, f + 0, s + 0 }' "$1"
}

# ctest_in PRESET [CTEST ARGUMENT...]
ctest_in() {
    local folder counts status=0
    folder=$(folder_of "$1")
    shift
    ctest --test-dir "$folder" -j "$jobs" --output-on-failure --no-tests=error "$@" >"$work/ctest" 2>&1 || status=1
    grep -vE '^ *Start +[0-9]+:|^Internal ctest|^Test project|^$|^Label Time|sec\*proc' "$work/ctest" | sed 's/^/    /'
    counts=$(count_log "$folder/Testing/Temporary/LastTest.log")
    add $counts
    sed -n 's/^skipped //p' "$folder/Testing/Temporary/LastTest.log" >>"$work/skipped"
    [ "$status" = 0 ] || stop "ctest in $folder: see above"
}

# check SCRIPT [ARGUMENT...]: a script that ends with a line of counts.
check() {
    local status=0 counts
    "$@" >"$work/check" 2>&1 || status=1
    grep -vE '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$work/check" | sed 's/^/  /'
    counts=$(awk '/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { p += $1; f += $3; s += $5 }
                  END { print p + 0, f + 0, s + 0 }' "$work/check")
    add $counts
    sed -n 's/^skipped //p' "$work/check" >>"$work/skipped"
    [ "$status" = 0 ] || stop "$1: see above"
}

install_into_work() {
    [ -d "$work/prefix" ] && return
    build release troupe_product
    quietly cmake --install build --prefix "$work/prefix" || stop "cmake --install"
}

stage_format() { check scripts/check_format.sh; }
stage_quick() {
    if command -v clang-format >/dev/null; then check scripts/check_format.sh; fi
    build release && ctest_in release -LE slow
}
stage_rules() { build release troupe_product && check scripts/check_rules.sh build; }
stage_docs() { check scripts/check_docs.sh; }
# The sanitizers replay what readers must survive.
stage_release() { build release && ctest_in release -LE fuzz; }
# Neither sanitizers nor WebAssembly run what takes long in a release build once more.
stage_asan() { build asan-gcc && ctest_in asan-gcc -LE slow && ctest_in asan-gcc -L sanitized; }
stage_clang() { build bits-clang-O2 tests_of_bits && ctest_in bits-clang-O2 -L bits; }
stage_tsan() { build tsan tests_with_threads && ctest_in tsan -L threads; }
# The other stages have these tests from gcc at -O3 and -O1, from clang at -O2, and as WebAssembly.
stage_bits() {
    local compiler level
    for compiler in gcc clang; do
        for level in O0 O1 O2 O3; do
            build "bits-$compiler-$level" tests_of_bits
            ctest_in "bits-$compiler-$level" -L bits
        done
    done
}
stage_wasm() { build wasm && ctest_in wasm -LE slow; }
stage_web() { build release && check scripts/check_web.sh build; }
stage_install() { install_into_work && check scripts/check_install.sh "$work/prefix" build; }
stage_deb() { build release troupe_product && check scripts/check_deb.sh build; }
stage_readme() { install_into_work && check scripts/check_readme.sh "$work/prefix"; }

declare -A says=(
    [format]="every source is formatted"
    [quick]="the format, and all tests that take no more than a few seconds, gcc, optimised"
    [rules]="dependencies point left, headers stand alone, no globals, files and functions of a fit size"
    [docs]="links resolve, every noun has its page, test and example, doxygen gives no warning"
    [release]="all tests and examples, gcc, optimised"
    [asan]="tests and examples, gcc, address and undefined-behaviour sanitizers"
    [clang]="the same bits from clang"
    [tsan]="tests with threads, thread sanitizer"
    [bits]="the same bits from gcc and clang at -O0, -O1, -O2 and -O3"
    [wasm]="tests as WebAssembly under node, the same bits"
    [web]="what we write under the Khronos validator and in three.js, what we read against three.js"
    [install]="find_package and pkg-config from outside, C and C++; man pages, completions, the Debian package"
    [deb]="the Debian package in a bare Debian"
    [readme]="the code and commands of the README"
)

for stage in "${stages[@]}"; do
    [ -n "${says[$stage]:-}" ] || { echo "no stage '$stage'; there are: quick bits deb ${all_stages[*]}" >&2; exit 2; }
done
for stage in "${stages[@]}"; do
    echo "== $stage: ${says[$stage]}"
    begin=$SECONDS
    "stage_$stage"
    echo "   $((SECONDS - begin)) s; so far $passed passed, $failed failed, $skipped skipped."
done
finish
