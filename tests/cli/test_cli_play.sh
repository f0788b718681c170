#!/bin/sh
# test_cli_play.sh TROUPE JSON_CHECK: `troupe play` as a user meets it. Prints what failed, exits with 1 if anything did.
troupe=$1 json_check=$2 here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
. "$here/checks.sh"

cat >two.json <<END
{
    "title": "Two in a room",
    "scene": {"sample": "room"},
    "seconds": 8,
    "characters": [
        {"name": "Ada", "coarse": true, "start": [-2, -1.5], "goal": [-2, -0.5]},
        {"name": "Ben", "coarse": true, "height": 1.9, "start": [2, -1.5],
         "orders": [{"wait": 0.2}, {"go": [2, -0.7], "heading_degrees": 0}]}
    ]
}
END

run 0 play --help
said out 'troupe play STAGE.json -o OUT.glb'
silent err

# Everybody arrives: every output at once, and what is told of it.
run 0 play two.json -o two.glb --bvh motion --report two.report --threads 1
silent err
said out 'Two in a room: '
said out 'Ada'
said out 'written: two.glb, motion, two.report'
equal "$(head -c 4 two.glb)" glTF
equal "$(ls motion | tr '\n' ' ')" '00-Ada.bvh 01-Ben.bvh '
equal "$(head -n 1 motion/00-Ada.bvh | tr -d '\r')" HIERARCHY
cp two.report out
has seconds computed_in actors audit
equal "$(value actors)" 2
said out '"name":"Ada","orders":[{"order":"go","status":"done","reason":""'
said out '"order":"wait","status":"done"'
said out '"plan_us":{"median":'
for field in slide_mm_max penetration_mm_max clearance_mm_min joint_limit_violations jerk_30hz ldlj seam_mps collisions; do
    said out "\"$field\":"
done

# What is kept half-way and goes on ends in the same file, to the last byte.
run 1 play two.json --seconds 1 --save two.save --threads 1
run 0 play two.json --load two.save -o again.glb --threads 2
cmp two.glb again.glb || fail "a play that goes on from a save is another"
run 2 play two.json --load two.json
said err 'two.json: these '
said err 'are not a save of a stage'

# The same motion whatever the number of threads; the report on stdout and nothing else with it.
run 0 play two.json -o again.glb --threads 3 --json
silent err
has seconds actors audit
checks=$((checks + 1))
cmp -s two.glb again.glb || fail "$what: another motion with three threads"

# What is in the file: a scene or none, one animation or two, skins or pieces.
run 0 play two.json -o two.gltf --apart --without-scene
said out 'written: two.gltf'
equal "$(head -c 1 two.gltf)" '{'
cp two.gltf out
has asset nodes skins animations
equal "$(value animations)" 2
said out '"labels":[{"node":'
nodes=$(value nodes)
run 0 play two.json -o two.gltf --segments
cp two.gltf out
equal "$(value animations)" 1
checks=$((checks + 1))
[ "$(value nodes)" -gt "$nodes" ] || fail "$what: no scene in the file"
checks=$((checks + 1))
"$json_check" out skins >/dev/null 2>&1 && fail "$what: skins in a file of segments"

# Not done in time: everything is written, and the exit status tells.
run 1 play two.json --seconds 0.5 --png strip.png --frames 1 --report short.report
said out 'order 1 of Ada was not finished in time'
said out 'written: strip.png, short.report'
is_png strip.png
cp short.report out
equal "$(value seconds)" 0.5
said out '"status":"under_way"'

# A close-up of one: frames of 400 x 480 and their times; everything else stays as it is. It can show a part of the shot.
png_size() {
    od -An -tu1 -j16 -N8 "$1" | awk '{print ($3 * 256 + $4) " x " ($7 * 256 + $8)}'
}
run 0 play two.json --follow Ada --png close.png --frames 6 --from 0.5 --to 1.5 -o again.glb --threads 1
said out 'written: again.glb, close.png'
is_png close.png
equal "$(png_size close.png)" '1650 x 1042'
checks=$((checks + 1))
cmp -s two.glb again.glb || fail "$what: the camera changes the motion"
run 0 play two.json --follow Ben --view three-quarter --png other.png --frames 6 --from 0.5 --to 1.5
checks=$((checks + 1))
cmp -s close.png other.png && fail "$what: another character gives the same picture"
run 0 play two.json --png part.png --frames 1 --from 1
is_png part.png
refused '--follow is "Adda", but the stage has no such character: it has Ada, Ben' play two.json --follow Adda --png x.png
refused '--follow requires --png or --video' play two.json --follow Ada
refused '--view is "above", it must be side, front, back or three-quarter' play two.json --follow Ada --view above --png x.png
refused '--view requires --follow' play two.json --view side --png x.png
refused '--to is 1, it must be after --from, which is 2' play two.json --from 2 --to 1 --png x.png
refused '--from is 300, but the shot ends at ' play two.json --from 300 --png x.png

# A goal that cannot be reached. A video needs ffmpeg; without it the rest is still written.
sed 's/"goal": \[-2, -0.5\]/"goal": [50, 50]/' two.json >far.json
PATH=/nowhere run 1 play far.json --seconds 0.3 --video shot.mp4 --size 64,48 --report far.report
said out 'order 1 of Ada failed: '
said err 'no video: a video needs the ffmpeg command'
said out 'written: far.report'
checks=$((checks + 1))
[ ! -e shot.mp4 ] || fail "$what: there is a video"
if command -v ffmpeg >/dev/null; then
    run 1 play two.json --seconds 0.2 --video shot.mp4 --size 64,48
    said out 'written: shot.mp4'
    checks=$((checks + 1))
    [ -s shot.mp4 ] || fail "$what: no video"
fi

# Reaching: what came of it, depth maps at its end, and the reason when it is too far.
cat >desk.json <<END
{
    "scene": {"sample": "desk", "triangles": 9000},
    "seconds": 12,
    "characters": [
        {"name": "Ada", "coarse": true, "start": [0, 0], "radius": 0.15, "orders": [
            {"reach": {"object": "thermos", "hand": "right", "hold": 0.1}},
            {"reach": {"object": "teacup", "hand": "right"}},
            {"lower": "both"}]}
    ]
}
END
run 0 play desk.json --report desk.report --png desk.png --frames 2 --depth maps
silent err
said out 'frames in collision: 0 (by 0.0 mm at most), in self-collision: 0'
said out 'written: desk.png, desk.report, maps'
is_png desk.png
equal "$(ls maps | tr '\n' ' ')" '00-order-1.png 00-order-2.png '
is_png maps/00-order-1.png
cp desk.report out
said out '"order":"reach","status":"done"'
said out '"order":"lower","status":"done"'
for field in hand plans plan_us by checks clearance duration wrist_m ldlj sparc speed_peaks; do
    said out "\"$field\":"
done
said out '"joint_limit_violations":0'
# A hand that has moved for a tenth of a second: nothing is made up of its smoothness.
# The thermos is pushed aside while the hand is on its way: the rest is planned anew, and nothing is touched.
sed 's/"scene"/"moves": [{"object": "thermos", "keys": [[0.4, 0, 0, 0], [0.8, 0.1, 0, 0]]}], "scene"/' desk.json >pushed.json
run 0 play pushed.json -o pushed.glb
said out 'times as objects moved'
said out 'frames in collision: 0'
sed 's/"hold": 0.1/"seconds": 0.1/' desk.json >quick.json
run 0 play quick.json --json
said out '"duration":0.1,'
said out '"ldlj":null,"sparc":null,"speed_peaks":null,"peak_speed":null'

sed 's/"object": "thermos"/"at": [0, 1, 4]/' desk.json >far.json
run 1 play far.json
said out 'order 1 of Ada failed: the goal is too far for the arm'
sed 's/"thermos"/"thermo"/' desk.json >far.json
refused 'far.json:6: characters[0].orders[0].reach.object is "thermo", but the scene has no such object' play far.json

# What is wrong
refused 'play needs a stage file' play
refused 'play takes one stage file: "b" follows "a"' play a b
refused 'missing.json: ' play missing.json
refused '--out is "shot.fbx", it must end with .glb or .gltf' play two.json -o shot.fbx
refused '--seconds is 0, it must be' play two.json --seconds 0
refused '--frames: "few" is not a whole number' play two.json --frames few
refused '--size is 1,1, it must be from 16,16 to 7680,4320' play two.json --size 1,1
refused '--threads is 0, it must be' play two.json --threads 0
refused 'cannot create the folder nowhere/maps' play two.json --seconds 0.1 --depth nowhere/maps
refused 'no option "--wrong"' play --wrong
refused 'nowhere/x.glb: ' play two.json --seconds 0.1 -o nowhere/x.glb
# wrong SENTENCE SED: a stage that was changed is refused, with its line and the path of the value.
wrong() {
    sed "$2" two.json >bad.json
    refused "$1" play bad.json
}
wrong 'bad.json:6: characters[0].start' 's/\[-2, -1.5\]/[-2]/'
wrong 'bad.json:6: characters[0].start cannot be used: Ada cannot stand there: (0, 0, 0)' 's/\[-2, -1.5\]/[0, 0]/'
wrong 'bad.json:7: characters[1].height is -1' 's/1\.9/-1/'
wrong 'bad.json:8: characters[1].orders[0]' 's/"wait": 0.2/"sing": 1/'
wrong 'bad.json:3: scene.sample' 's/"room"/"moon"/'
wrong 'bad.json:4: ' 's/"seconds": 8/"secnods": 8/'
wrong 'bad.json:4: seconds is ' 's/"seconds": 8/"seconds": -8/'
head -n 5 two.json >bad.json
refused 'bad.json:6: ' play bad.json
echo '[]' >bad.json
refused 'bad.json:1: ' play bad.json

# The audit follows time: a cart drives to where Ada stood long before. A stage file as the scene of `audit` has its moves too.
cat >yard.obj <<END
o floor
v -6 0 -6
v 6 0 -6
v 6 0 6
v -6 0 6
f 1 4 3 2
o cart
v 5 0.3 4.6
v 5 0.3 5.4
v 5 1.2 4.6
v 5 1.2 5.4
v 4.4 0.3 5
v 4.4 1.2 5
f 5 7 8
f 5 8 6
f 5 6 9
f 6 10 9
END
cart() {
    sed "s/MOVES/$1/" <<END
{"scene": {"file": "yard.obj"}, "seconds": 9, MOVES
 "characters": [{"name": "Ada", "coarse": true, "start": [0, 0], "goal": [-4, 0]}]}
END
}
cart '' >still.json
cart '"moves": [{"object": "cart", "keys": [[5, 0, 0, 0], [6, -4.7, 0, -5]]}],' >late.json
cart '"moves": [{"object": "cart", "keys": [[0, 0, 0, 0], [0.4, -4.7, 0, -5], [1, 0, 0, 0]]}],' >early.json
run 0 play late.json --json --threads 1
said out '"collisions":0,'
run 0 play still.json -o still.glb --threads 1
run 0 audit still.glb --scene still.json --max-collisions 0
run 0 audit still.glb --scene late.json --max-collisions 0
run 1 audit still.glb --scene early.json --max-collisions 0

# Steps of a character that is dragged are drawn; without one the command says so.
cat >dragged.json <<END
{"scene": {"sample": "uneven"}, "seconds": 4,
 "characters": [{"name": "Lin", "coarse": true, "start": [0, -0.4], "orders": [{"track": [[0, 0, 1], [3, 0, 0]]}]}]}
END
run 0 play dragged.json --json --threads 1 --steps steps
said out '"order":"drag","status":"done"'
is_png steps/00-steps.png
run 2 play still.json --json --threads 1 --steps steps
said err 'no character of the stage is dragged'

finish_checks
