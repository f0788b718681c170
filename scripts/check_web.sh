#!/usr/bin/env bash
# scripts/check_web.sh BUILD - what do programs of others think of our files? The Khronos validator looks at what we write,
# and three.js must have every joint of every file where we have it. BUILD is a folder with built tests. Needs node and npm
# (and the network once, for the packages in tests/web); without them, or without the data, it says what it skipped.
set -uo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "${1:?usage: check_web.sh BUILD}")
web=tests/web
data=../shared/data
work=$(mktemp -d "${TMPDIR:-/tmp}/troupe-web-XXXXXX")
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    exit $((failed != 0))
}
skip() {
    echo "skipped $1"
    skipped=$((skipped + 1))
}
broken() {
    echo "broken: $1"
    failed=$((failed + 1))
}
# Add up the counts that a program ends with, and show what it says of failures.
count() {
    grep -E '^FAILED' "$1"
    local counts
    counts=$(sed -nE 's/^([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped$/\1 \2 \3/p' "$1" | tail -1)
    [ -n "$counts" ] || { broken "$2 ended early"; tail -5 "$1"; return; }
    read -r p f s <<<"$counts"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

command -v node >/dev/null && command -v npm >/dev/null || { skip "web: node and npm are not installed"; finish; }
# npm notes in node_modules what it has put there: when that is as the lock file has it, all is well.
if [ ! -f "$web/node_modules/.package-lock.json" ] || [ "$web/package-lock.json" -nt "$web/node_modules/.package-lock.json" ]; then
    if ! (cd "$web" && npm ci --no-audit --no-fund) >"$work/npm" 2>&1; then
        skip "web: npm cannot fetch the packages of $web ($(grep -m1 -oE 'E[A-Z]{4,}' "$work/npm" || echo 'no reason given'))"
        finish
    fi
fi
for program in positions shots; do
    [ -x "$build/tests/$program" ] || { broken "$build/tests/$program is missing"; finish; }
done

motions=()
if [ -d "$data" ]; then
    for file in "$data"/mocap/*.bvh "$data"/gltf/*.glb "$data"/gltf/*/*.gltf; do
        # One that holds no figure has nothing to compare.
        if "$build/tests/positions" "$file" 1 >/dev/null 2>"$work/said"; then
            motions+=("$file")
        elif grep -q 'neither skins nor animations' "$work/said"; then
            :
        else
            broken "$(cat "$work/said")"
        fi
    done
else
    skip "web: $data is absent, the files of others are not compared"
fi

# What we read is where three.js has it.
if [ ${#motions[@]} -gt 0 ]; then
    node "$web/compare.mjs" "$build/tests/positions" "${motions[@]}" >"$work/read" 2>&1
    count "$work/read" "reading"
fi

# What we write is valid, and plays in three.js as it does here.
mkdir "$work/shots"
if "$build/tests/shots" "$work/shots" "${motions[@]}" >"$work/said" 2>&1; then
    if node "$web/validate.mjs" "$work"/shots/* >"$work/valid" 2>&1; then
        passed=$((passed + $(grep -c ': 0 errors, 0 warnings' "$work/valid")))
    else
        broken "the validator objects"
        grep -vE ': 0 errors, 0 warnings' "$work/valid" | head -40
    fi
    node "$web/compare.mjs" "$build/tests/positions" "$work"/shots/*-skinned.glb "$work"/shots/*-bones.glb >"$work/wrote" 2>&1
    count "$work/wrote" "writing"
else
    broken "shots: $(head -3 "$work/said")"
fi

# The command-line tool converts every file, and what it writes is valid too.
if "$build/troupe" --help 2>/dev/null | grep -qw convert; then
    mkdir "$work/converted"
    for file in "${motions[@]}"; do
        "$build/troupe" convert "$file" "$work/converted/$(basename "$file").glb" >"$work/said" 2>&1 ||
            broken "troupe convert $file: $(tail -1 "$work/said")"
    done
    if node "$web/validate.mjs" "$work"/converted/* >"$work/valid" 2>&1; then
        passed=$((passed + $(grep -c ': 0 errors, 0 warnings' "$work/valid")))
    else
        broken "the validator objects to what troupe convert wrote"
        grep -vE ': 0 errors, 0 warnings' "$work/valid" | head -40
    fi
fi

# The shots of the demo: valid, the same in three.js, and inside the limits of the audit.
mkdir "$work/demo"
for stage in office house desk; do
    shot=$work/demo/$stage.glb
    if ! "$build/troupe" play "stages/$stage.json" -o "$shot" >"$work/said" 2>&1; then
        broken "troupe play stages/$stage.json: $(tail -1 "$work/said")"
        continue
    fi
    if node "$web/validate.mjs" "$shot" >"$work/valid" 2>&1; then
        passed=$((passed + 1))
    else
        broken "the validator objects to the shot of the $stage"
        head -20 "$work/valid"
    fi
    node "$web/compare.mjs" "$build/tests/positions" "$shot" >"$work/demo_read" 2>&1
    count "$work/demo_read" "the shot of the $stage"
    if "$build/troupe" audit "$shot" --sample "$stage" --max-slide 1 --max-penetration 1 --max-limits 0 --max-collisions 0 \
        >"$work/audit" 2>&1; then
        passed=$((passed + 1))
    else
        broken "the audit of the shot of the $stage is beyond its limits"
        cat "$work/audit"
    fi
done

# Characters of others and a mannequin in one shot, with and without root motion: valid, and the same in three.js.
if [ -d "$data/gltf" ]; then
    mkdir "$work/cast"
    cp "$data"/gltf/{Knight,RobotExpressive,RiggedFigure,rig-human}.glb "$work/cast"
    cat >"$work/cast/stage.json" <<'END'
{"scene": {"sample": "plaza", "people": 100}, "seconds": 5, "characters": [
    {"name": "Knight", "character": "Knight.glb", "height": 1.7, "start": [-9, -5], "goal": [-5, -5],
     "clips": {"stand": "Idle", "walk": "Walking_A", "run": "Running_A"}},
    {"name": "Twin", "character": "Knight.glb", "height": 1.5, "start": [-9, -3], "goal": [-5, -3]},
    {"name": "Robot", "character": "RobotExpressive.glb", "start": [-9, -1], "goal": [-5, -1]},
    {"name": "Figure", "character": "RiggedFigure.glb", "start": [-9, 1], "goal": [-5, 1]},
    {"name": "Rig", "character": "rig-human.glb", "start": [-9, 3], "goal": [-5, 3]},
    {"name": "Ada", "start": [-9, 5], "goal": [-5, 5]}]}
END
    for option in --apart --root-motion; do
        shot=$work/cast/shot$option.glb
        "$build/troupe" play "$work/cast/stage.json" -o "$shot" $option >"$work/said" 2>&1
        if [ -s "$shot" ] && node "$web/validate.mjs" "$shot" >"$work/valid" 2>&1; then
            passed=$((passed + 1))
        else
            broken "the shot of characters of others ($option) is not valid"
            tail -3 "$work/said"
            head -20 "$work/valid"
        fi
        node "$web/compare.mjs" "$build/tests/positions" "$shot" >"$work/cast_read" 2>&1
        count "$work/cast_read" "the shot of characters of others ($option)"
    done
fi

# A character that gets a motion keeps all that is its own, and the motion is the one that was put on it: one made here,
# with buffers and pictures beside it and inside, and those of others.
# put_on MOTION CHARACTER NAME [OPTION...]
put_on() {
    local motion=$1 character=$2 name=$3
    shift 3
    for end in glb bvh; do
        "$build/troupe" convert "$motion" "$work/kept/$name.$end" --to "$character" --out-unit 1 "$@" >"$work/said" 2>&1 && continue
        broken "troupe convert $motion --to $character: $(tail -1 "$work/said")"
        return
    done
    node "$web/kept.mjs" "$build/tests/positions" "$character" "$work/kept/$name.glb" "$work/kept/$name.bvh" >"$work/kept_said" 2>&1
    count "$work/kept_said" "$name"
}
mkdir "$work/kept"
if "$build/troupe" convert "$work/demo/house.glb" "$work/kept/plain.glb" --figure Ada >"$work/said" 2>&1 &&
    node "$web/dress.mjs" "$work/kept/plain.glb" "$work/kept" >>"$work/said" 2>&1; then
    put_on "$work/demo/house.glb" "$work/kept/dressed.gltf" from_text --figure Ben
    put_on "$work/demo/house.glb" "$work/kept/dressed.glb" from_glb --figure Cleo
    for result in to_text.gltf all.glb; do
        [ $result = all.glb ] && figure=() || figure=(--figure Ada)
        "$build/troupe" convert "$work/demo/house.glb" "$work/kept/$result" "${figure[@]}" --to "$work/kept/dressed.gltf" >"$work/said" 2>&1 ||
            broken "troupe convert to $result: $(tail -1 "$work/said")"
    done
    node "$web/compare.mjs" "$build/tests/positions" "$work/kept/all.glb" >"$work/all_said" 2>&1
    count "$work/all_said" "copies of a character"
    if node "$web/validate.mjs" "$work"/kept/{to_text.gltf,all.glb,from_text.glb,from_glb.glb} >"$work/valid" 2>&1; then
        passed=$((passed + 4))
    else
        broken "the validator objects to a character with a motion"
        head -20 "$work/valid"
    fi
else
    broken "no character to put a motion on: $(tail -1 "$work/said")"
fi
for name in RobotExpressive Knight RiggedFigure rig-human; do
    [ -f "$data/gltf/$name.glb" ] && put_on "$data/mocap/16_15.bvh" "$data/gltf/$name.glb" "$name" --skip-first --fps 30
done
finish
