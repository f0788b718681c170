#!/usr/bin/env bash
# scripts/soak.sh [PART...] - long runs under sanitizers, all of them or those that are named:
#
#   chaos       stages on which everything changes at random: SOAK_SEEDS (1-1000), each for SOAK_TICKS (2000)
#   encounters  carts across somebody's way and doors that shut, 100 seeds of each
#   endless     ten people with endless orders in the office for an hour of simulated time
#   steps       10,000 random terrains walked by the footstep window alone
#   fuzz        every fuzz target for SOAK_SECONDS (60), starting from its corpus
#   bits        the same bits from gcc and clang at every level of optimisation
#
# Chaos runs SOAK_JOBS (as many as there are processors) ranges of ten seeds at a time. What a range said is kept in
# build-asan-gcc/soak until the program changes, so that a run that was broken off goes on where it was. What fuzzing
# finds stays in build-fuzz/found. The tree itself is not changed.
set -uo pipefail
cd "$(dirname "$0")/.."
parts=("$@")
[ $# -gt 0 ] || parts=(bits chaos encounters endless steps fuzz)
jobs=${SOAK_JOBS:-$(nproc)}
command -v ninja >/dev/null && export CMAKE_GENERATOR=Ninja
export program=build-asan-gcc/tests/soak folder=build-asan-gcc/soak ticks=${SOAK_TICKS:-2000}
failed=0

build_soak() {
    cmake --preset asan-gcc >/dev/null && cmake --build build-asan-gcc -j "$(nproc)" --target soak >/dev/null || {
        echo "the preset asan-gcc does not build" >&2
        exit 1
    }
    mkdir -p "$folder"
}

# One range of seeds; what it said counts once it is complete.
range() {
    local said="$folder/chaos-$1-$2-$ticks.txt"
    [ -s "$said" ] && [ "$said" -nt "$program" ] && return
    "$program" chaos "$1" "$2" "$ticks" >"$said.part" 2>&1
    grep -q '^chaos, seeds' "$said.part" || echo "crashed: seeds $1 to $2 did not come to an end" >>"$said.part"
    mv "$said.part" "$said"
}
export -f range

part_chaos() {
    local seeds=${SOAK_SEEDS:-1-1000} first last ranges=()
    first=${seeds%-*} last=${seeds#*-}
    rm -f "$folder"/*.part
    for ((seed = first; seed <= last; seed += 10)); do
        ranges+=("$seed $((seed + 9 < last ? seed + 9 : last))")
    done
    echo "== chaos, seeds $first to $last, $ticks ticks each"
    printf '%s\n' "${ranges[@]}" | xargs -P "$jobs" -I{} bash -c 'range {}'
    local files=()
    for range in "${ranges[@]}"; do files+=("$folder/chaos-${range/ /-}-$ticks.txt"); done
    grep -hE '^(fault|endless|crashed|.*ERROR: |.*runtime error: )' "${files[@]}"
    awk '/^seed / { seeds++; ticks += $3; orders += $5; done += substr($7, 2); failed += $9; cancelled += $11; endless += $13
                    faults += $16; struck += $18 }
         /^crashed:/ { crashed++ }
         END { printf "chaos: %d seeds, %d ticks, %d orders (%d done, %d failed, %d cancelled), %d without end, %d faults, %d crashes\n",
                      seeds, ticks, orders, done, failed, cancelled, endless, faults, crashed
               exit endless || faults || crashed || !seeds }' "${files[@]}" || failed=1
}

part_encounters() {
    echo "== encounters, 100 seeds of each kind"
    "$program" encounters 1 100 || failed=1
}

part_endless() {
    echo "== endless orders for an hour"
    "$program" endless 1 1 3600 || failed=1
}

part_steps() {
    echo "== 10,000 random terrains, step by step"
    seq 1 500 10000 | xargs -P "$jobs" -I{} bash -c '"$program" steps {} $(({} + 499))' || failed=1
}

part_bits() { scripts/test.sh bits || failed=1; }

part_fuzz() {
    local seconds=${SOAK_SECONDS:-60} count=0 target name seeds folders
    cmake --preset fuzz >/dev/null && cmake --build build-fuzz -j "$(nproc)" || exit 1
    mkdir -p build-fuzz/found
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
        [ "${PIPESTATUS[0]}" = 0 ] || failed=1
        count=$((count + 1))
    done
    [ "$count" -gt 0 ] || { echo "there is no fuzz target in build-fuzz/fuzz" >&2; exit 1; }
    echo "$count targets ran for $seconds s each"
}

for part in "${parts[@]}"; do
    case $part in
        bits | chaos | encounters | endless | steps | fuzz) ;;
        *) echo "no part '$part'; there are: bits chaos encounters endless steps fuzz" >&2; exit 2 ;;
    esac
done
for part in "${parts[@]}"; do
    case $part in bits | fuzz) ;; *) build_soak ;; esac
    "part_$part"
done
[ "$failed" = 0 ] && echo "nothing was found" || echo "something was found: see above"
exit "$failed"
