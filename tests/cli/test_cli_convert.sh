#!/bin/sh
# test_cli_convert.sh TROUPE JSON_CHECK: `troupe convert` as a user meets it. Prints what failed, exits with 1 if anything did.
troupe=$1 json_check=$2 here=$(cd "$(dirname "$0")" && pwd)
data=$here/../../../shared/data
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
. "$here/checks.sh"

{
    leg_of_bvh
    cat <<END
Frames: 5
Frame Time: 0.04
0.0 95.0 0.0 0.0 0.0 0.0 0.0 -15.0 0.0 0.0 0.5 0.0 0.0 0.0 0.0
0.0 95.0 2.5 0.0 0.0 10.0 0.0 -20.0 0.0 0.0 15.5 0.0 0.0 5.0 0.0
0.0 95.0 5.0 0.0 0.0 20.0 0.0 -25.0 0.0 0.0 30.5 0.0 0.0 0.0 0.0
0.0 95.0 7.5 0.0 0.0 30.0 0.0 -20.0 0.0 0.0 45.5 0.0 0.0 -5.0 0.0
0.0 95.0 10.0 0.0 0.0 40.0 0.0 -15.0 0.0 0.0 60.5 0.0 0.0 -10.0 0.0
END
} >leg.bvh

run 0 convert --help
said out 'troupe convert IN OUT'
silent err
run 0 convert leg.bvh leg.glb
said out 'leg: 5 joints, 4 of them bones of a human body'
said out 'clip "leg": 5 frames at 25 per second, 0.16 s'
said out 'written to leg.glb'
said err "leg.bvh: note: the file's unit is unknown: centimetres are assumed"
equal "$(head -c 4 leg.glb)" glTF

# Through GLB and glTF the file comes back to the letter: there is nothing to round.
run 0 convert leg.glb back.bvh
silent err
checks=$((checks + 1))
cmp -s leg.bvh back.bvh || fail "$what: back.bvh differs from leg.bvh: $(diff leg.bvh back.bvh | head -4)"
run 0 convert leg.bvh leg.gltf --unit 0.01
silent err
run 0 convert leg.gltf back.bvh --json
silent err
said out '"figures":[{"name":"leg","joints":5,"roles":4,"height":'
said out '"mesh":'
said out '"clips":[{"name":"leg","frames":5,"fps":25,"seconds":0.16}]'
equal "$(value out)" back.bvh
equal "$(value figures)" 1
has in notes
checks=$((checks + 1))
cmp -s leg.bvh back.bvh || fail "$what: back.bvh differs from leg.bvh"

# Rate, unit, first frame
run 0 convert leg.bvh slow.bvh --fps 12.5 --unit 0.01 --out-unit 1 --json
said out '"frames":3,"fps":12.5,'
checks=$((checks + 1))
grep -qx '	OFFSET 0.0 0.0 0.0' slow.bvh && grep -qF 'OFFSET 0.1 -0.05 0.0' slow.bvh || fail "$what: not in metres"
grep -qxF 'Frame Time: 0.08' slow.bvh || fail "$what: another frame time"
run 0 convert leg.bvh rest.glb --skip-first --json
said out '"frames":4,'
said out '"notes":["the file'
run 0 convert leg.bvh --list
said out 'clip "leg"'
run 0 convert leg.bvh --list --json
equal "$(value out)" null

# What is wrong
# A capture whose bones lie along X at rest, standing in its only frame: it stands on the mannequin, too.
bone() { # NAME OFFSET, up to its child
    printf 'JOINT %s\n{\nOFFSET %s\nCHANNELS 3 Zrotation Xrotation Yrotation\n' "$1" "$2"
}
limb() { # NAME OFFSET NAME NAME LENGTHS: three joints in a row and the end of the last
    bone "$1" "$2"; bone "$3" "$5 0 0"; bone "$4" "$6 0 0"
    printf 'End Site\n{\nOFFSET %s 0 0\n}\n}\n}\n}\n' "$7"
}
along_x() { # SCALE, of all offsets
    printf 'HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n'
    bone Spine "$((20 * $1)) 0 0"
    limb Neck "$((25 * $1)) 0 0" Neck1 Head "$((5 * $1))" "$((5 * $1))" "$((20 * $1))"
    limb LeftArm "$((20 * $1)) $((-18 * $1)) 0" LeftForeArm LeftHand "$((28 * $1))" "$((25 * $1))" "$((15 * $1))"
    limb RightArm "$((20 * $1)) $((18 * $1)) 0" RightForeArm RightHand "$((28 * $1))" "$((25 * $1))" "$((15 * $1))"
    echo '}'
    limb LeftUpLeg "0 $((-10 * $1)) 0" LeftLeg LeftFoot "$((42 * $1))" "$((41 * $1))" "$((20 * $1))"
    limb RightUpLeg "0 $((10 * $1)) 0" RightLeg RightFoot "$((42 * $1))" "$((41 * $1))" "$((20 * $1))"
    printf '}\nMOTION\nFrames: 1\nFrame Time: 0.04\n0 90 0 90 0 0  0 0 0  0 0 0 0 0 0 0 0 0'
    for limb in LeftArm RightArm; do printf ' 180 0 0 0 0 0 0 0 0'; done
    for limb in LeftLeg RightLeg; do printf ' 180 0 0 0 0 0 0 0 -90'; done
    echo
}
along_x 1 >along_x.bvh
run 0 convert along_x.bvh stands.bvh --to mannequin
# The hips of the mannequin are 0.93 m above the ground, and not turned.
equal "$(awk '/^Frame Time/ { getline; print ($2 > 80 && $2 < 100 && $4 * $4 + $5 * $5 + $6 * $6 < 25) }' stands.bvh)" 1
along_x 0 >point.bvh
refused 'the legs of the source skeleton are 0 m long' convert point.bvh x.glb --to mannequin
refused 'the rest pose of the target skeleton is not that of a body that stands' convert stands.bvh x.glb --to along_x.bvh

refused 'convert needs IN and OUT' convert
refused 'convert needs OUT' convert leg.bvh
refused '"c" is a third' convert a b c
refused '--list writes no file' convert leg.bvh x.glb --list
refused 'missing.bvh: ' convert missing.bvh x.glb
refused 'does not end with .bvh, .glb or .gltf' convert leg.bvh x.fbx
refused 'there is no clip "run"' convert leg.bvh x.glb --clip run
refused 'there is no figure "dog"' convert leg.bvh x.glb --figure dog
refused '--fps is 0, it must be' convert leg.bvh x.glb --fps 0
refused '--unit is -1, it must be' convert leg.bvh x.glb --unit -1
refused 'the source skeleton has no spine, head' convert leg.bvh x.glb --to mannequin
refused '--free-feet requires --to' convert leg.bvh x.glb --free-feet
refused '--height requires --to' convert leg.bvh x.glb --height 1.8
refused 'no option "--wrong"' convert --wrong
sed 's/OFFSET 10.0/OFFSET ten/' leg.bvh >bad.bvh
refused 'bad.bvh:8: x of an OFFSET is "ten", it must be a number' convert bad.bvh x.glb
head -c 600 leg.glb >bad.glb
refused 'bad.glb: ' convert bad.glb x.bvh
checks=$((checks + 1))
[ ! -e x.glb ] && [ ! -e x.bvh ] || fail "a file was written by a command that failed"

# A character in a glTF file gets the motion and keeps what it has; one figure of several is taken for it.
run 0 gen crowd --kind corridor --people 2 -o pair.json
run 0 play pair.json -o pair.glb
run 0 convert pair.glb one.glb --figure 'person 1'
run 0 convert pair.glb dressed.glb --figure 'person 2' --to one.glb
silent err
said out 'written to dressed.glb'
run 0 convert dressed.glb --list --json
said out '"clips":[{"name":"shot_2",'
said out '},{"name":"shot",'
run 0 convert pair.glb dressed.gltf --figure 'person 2' --to one.glb
run 0 convert dressed.gltf --list --json
said out '"clips":[{"name":"shot_2",'
run 0 convert pair.glb both.glb --to one.glb
silent err
run 0 convert both.glb --list --json
equal "$(value figures)" 2
said out '"name":"person 2",'
run 0 convert pair.glb dressed.bvh --figure 'person 2' --to one.glb
equal "$(head -c 9 dressed.bvh)" HIERARCHY
refused 'missing.glb: ' convert pair.glb x.glb --figure 'person 2' --to missing.glb

if [ ! -d "$data" ]; then
    echo "skipped: no data folder"
    finish_checks
    exit
fi

# Every capture there and back, one of them on other bodies.
for file in "$data"/mocap/*.bvh; do
    name=$(basename "$file" .bvh)
    run 0 convert "$file" "$name.glb" --json
    said out '"roles":22,'
    said out '"fps":120,'
    run 0 convert "$name.glb" "$name.bvh"
    silent err
    equal "$(grep -c 'End Site' "$name.bvh")" 7
    rm -f "$name.glb" "$name.bvh"
done
walk=$data/mocap/16_15.bvh
run 0 convert "$walk" walk.glb --to mannequin --skip-first --fps 30 --json
said out '"roles":22,'
said out '"mesh":true,'
said out '"fps":30,'
run 0 convert "$walk" knight.glb --to "$data/gltf/Knight.glb" --skip-first --json
said out '"joints":41,'
run 0 convert knight.glb --list --json
said out '"clips":[{"name":"16_15",'
said out '{"name":"Running_A",'
checks=$((checks + 1))
grep -aq '"images"' knight.glb && grep -aq '"TEXCOORD_0"' knight.glb || fail "$what: the knight has lost its looks"
run 0 convert "$walk" tall.bvh --to mannequin --height 2 --free-feet --json
said out '"mesh":true,'

# Every glTF file: to GLB, and the first clip of each that has any to BVH. One in which nothing moves goes over as a scene.
for file in "$data"/gltf/*.glb "$data"/gltf/*/*.gltf; do
    run 0 convert "$file" out.glb --json
    clip=$(sed 's/.*"clips":\[{"name":"\([^"]*\)".*/\1/; t; d' out)
    [ -n "$clip" ] || continue
    run 0 convert "$file" out.bvh --clip "$clip"
    run 0 convert out.bvh again.glb
    rm -f out.bvh out.glb again.glb
done
refused 'a BVH file can have only one clip, but there are' convert "$data/gltf/Knight.glb" x.bvh
still=$data/gltf/SimpleSparse/SimpleSparseAccessor.gltf
run 0 convert "$still" still.glb
said err 'converted as a scene'
run 0 convert still.glb still.gltf
refused 'SimpleSparseAccessor.gltf: ' convert "$still" x.bvh

finish_checks
