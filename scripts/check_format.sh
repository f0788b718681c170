#!/usr/bin/env bash
# scripts/check_format.sh [--fix] - is every C source formatted as .clang-format says?
set -euo pipefail
cd "$(dirname "$0")/.."

folders=()
for folder in include src tests examples fuzz bench; do
    [ -d "$folder" ] && folders+=("$folder")
done
mapfile -t files < <(find "${folders[@]}" -name '*.[ch]' -o -name '*.cpp' | sort)
if [ "${1:-}" = --fix ]; then
    clang-format -i "${files[@]}"
    exit
fi

failed=0
for file in "${files[@]}"; do
    if ! clang-format --dry-run -Werror "$file" >/dev/null 2>&1; then
        echo "$file: not formatted; run: make format"
        failed=$((failed + 1))
    fi
done
echo "$((${#files[@]} - failed)) passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
