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

# One message for each file, whatever the number of places in it.
mapfile -t bad < <(printf '%s\n' "${files[@]}" | xargs -P "$(nproc 2>/dev/null || echo 2)" -n 40 clang-format --dry-run 2>&1 |
    sed -nE 's/^([^: ]+):[0-9]+:[0-9]+: warning: .*/\1/p' | sort -u)
for file in "${bad[@]}"; do
    echo "$file: not formatted; run: make format"
done
failed=${#bad[@]}
echo "$((${#files[@]} - failed)) passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
