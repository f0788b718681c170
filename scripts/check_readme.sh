#!/usr/bin/env bash
# scripts/check_readme.sh PREFIX - compile every ```c block of README.md as C and as C++ against the library installed at
# PREFIX, run it, and run every ```sh block that is marked "runnable" with its tool. A README without such blocks fails.
set -uo pipefail
cd "$(dirname "$0")/.."
prefix=${1:?usage: check_readme.sh PREFIX}
work=$(mktemp -d "${TMPDIR:-/tmp}/troupe-readme-XXXXXX")
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# blocks INFO ENDING: one file for each code block whose fence says INFO.
blocks() {
    awk -v info="$1" -v ending="$2" -v work="$work" '
        $0 == "```" info && !inside { inside = 1; file = sprintf("%s/%s_line_%d.%s", work, ending, NR, ending); next }
        /^```/ { inside = 0 }
        inside { print > file }' README.md
}

try() {
    if (cd "$work/run" && "$@") >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "README.md, block at $(basename "${!#}"): failed"
        tail -20 "$work/log" | sed 's/^/  /'
    fi
}

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name troupe.pc)")
export PKG_CONFIG_PATH
compile_and_run() {
    local warnings="-Wall -Wextra -Werror -Wno-missing-field-initializers"
    c++ -std=c++11 $warnings -x c++ -fsyntax-only "$1" $(pkg-config --cflags troupe) &&
        cc -std=c17 $warnings "$1" -o "$work/program" $(pkg-config --static --cflags --libs troupe) && "$work/program"
}

mkdir "$work/run"
ln -s "$prefix/bin" "$work/run/build" # the commands say build/troupe; they run apart from the tree, which stays clean
ln -s "$PWD/stages" "$work/run/stages"
blocks c c
blocks "sh runnable" sh
for kind in c sh; do
    if ! compgen -G "$work/${kind}_line_*" >/dev/null; then
        failed=$((failed + 1))
        echo "README.md has no $kind block to test"
    fi
done
for block in "$work"/c_line_*.c; do
    [ -f "$block" ] && try compile_and_run "$block"
done
for block in "$work"/sh_line_*.sh; do
    [ -f "$block" ] && try bash -e "$block"
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
