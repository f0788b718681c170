#!/usr/bin/env bash
# scripts/soak.sh [SECONDS] - fuzz every target for so many seconds (60, or SOAK_SECONDS), starting from its corpus. What
# is found stays in build-fuzz/found; the tree itself is not changed.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-${SOAK_SECONDS:-60}}
command -v ninja >/dev/null && export CMAKE_GENERATOR=Ninja

cmake --preset fuzz >/dev/null
cmake --build build-fuzz -j "$(nproc)"
mkdir -p build-fuzz/found
count=0
for target in build-fuzz/fuzz/fuzz_*; do
    [ -f "$target" ] && [ -x "$target" ] || continue
    name=$(basename "$target")
    seeds=fuzz/corpus/${name#fuzz_}
    mkdir -p "build-fuzz/corpus/$name"
    folders=("build-fuzz/corpus/$name")
    [ -d "$seeds" ] && folders+=("$seeds")
    echo "== $name, $seconds s"
    "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="build-fuzz/found/$name-" "${folders[@]}" 2>&1 | grep -E 'ERROR|SUMMARY|stat::(number|average)|DONE'
    count=$((count + 1))
done
[ "$count" -gt 0 ] || { echo "there is no fuzz target in build-fuzz/fuzz" >&2; exit 1; }
echo "$count targets ran for $seconds s each and found nothing"
