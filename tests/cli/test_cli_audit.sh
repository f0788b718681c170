#!/bin/sh
# test_cli_audit.sh TROUPE JSON_CHECK: `troupe audit` as a user meets it. Prints what failed, exits with 1 if anything did.
troupe=$1 json_check=$2 here=$(cd "$(dirname "$0")" && pwd)
data=$here/../../../shared/data
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
. "$here/checks.sh"
fields='frames fps plants slide_mm_max slide_mm_mean penetration_mm_max clearance_mm_min joint_limit_violations
    jerk_30hz ldlj seam_mps collisions plant_speed_max_mps skate_mm self_collisions figures'

cat >two.json <<END
{
    "scene": {"sample": "room"},
    "characters": [
        {"name": "Ada", "coarse": true, "start": [-2, -1.5], "goal": [-2, -0.2]},
        {"name": "Ben", "coarse": true, "height": 1.9, "start": [2, -1.5], "goal": [2, -0.5]}
    ]
}
END
# slide.bvh MILLIMETRES: a leg that stands, and slides by so much in the second half.
slide() {
    leg_of_bvh
    cat <<END
Frames: 60
Frame Time: 0.0333333
END
    awk -v mm="$1" 'BEGIN { for (i = 0; i < 60; i++)
        print 0, 95, (i < 30 ? 0 : mm / 10 * (i - 29) / 30), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }'
}

run 0 audit --help
said out 'troupe audit MOTION'
silent err

# Our own shot, as a GLB that has labels, and as BVH files that have none.
run 0 play two.json -o two.glb --bvh motion --report two.report
run 0 audit two.glb --sample room
silent err
said out 'Ada'
said out 'worst'
for row in 'plants of a heel or toes' 'slide in a plant, worst' 'skate (MANN)' 'below the floor, worst' \
    'clearance in swing, least' 'joint limits exceeded' 'jerk at 30 Hz, mean' 'log dimensionless jerk' \
    'velocity jump at seams' 'frames in collision' 'frames in self-collision'; do
    said out "$row"
done
run 0 audit two.glb --sample room --json
silent err
has $fields
equal "$(value figures)" 2
slide_of_glb=$(value slide_mm_max)
checks=$((checks + 1))
awk -v s="$slide_of_glb" 'BEGIN { exit !(s < 1) }' || fail "$what: feet slide by $slide_of_glb mm"
# The labels in the file are those of the play: the same plants and slides, as far as floats go.
plants_of_glb=$(value plants)
checks=$((checks + 1))
grep -q "\"plants\":$plants_of_glb," two.report || fail "$what: the play had other plants"
run 0 audit two.glb --sample room --json --figure Ben
equal "$(value figures)" 1
run 0 audit two.glb --sample room --json --find-contacts
has $fields
run 0 audit motion/00-Ada.bvh --sample room --json --ground 0
has $fields
equal "$(value collisions)" 0
run 0 audit two.glb
silent err

# A slide without labels is what it is.
for mm in 5 20 60; do
    slide $mm >slide.bvh
    run 0 audit slide.bvh --unit 0.01 --json
    checks=$((checks + 1))
    awk -v s="$(value slide_mm_max)" -v mm=$mm 'BEGIN { exit !(s > 0.8 * mm && s < 1.2 * mm) }' ||
        fail "$what: $mm mm are said to be $(value slide_mm_max)"
done

# Limits: the exit status tells, and the sentence says which.
run 0 audit slide.bvh --unit 0.01 --max-slide 80 --max-penetration 50 --max-seam 1 --max-jerk 1e6 --max-limits 0 \
    --max-collisions 0 --max-self-collisions 0
silent err
run 1 audit slide.bvh --unit 0.01 --max-slide 10
said out 'slide in a plant, worst'
said err 'troupe: the slide in a plant is 6'
said err ' mm, at most 10 is allowed'
run 1 audit slide.bvh --unit 0.01 --ground 0.05 --max-penetration 10 --json
said err 'troupe: the penetration of the floor is '
has $fields
run 1 audit two.glb --sample room --min-clearance 500
said err 'troupe: the clearance in swing is '
said err ' mm, at least 500 is required'
run 1 audit two.glb --sample room --max-jerk 0.001
said err 'troupe: the jerk at 30 Hz is '

run 1 audit two.glb --sample room --max-skate 0
said err 'troupe: the skate measure is '
# Somebody who glides like a statue has no plants that could slide.
awk '/^Frame Time/ { print; frames = 1; next } frames && NF { $1 += 4 * count++ } { print }' slide.bvh >glide.bvh
run 1 audit glide.bvh --unit 0.01 --max-slide 1
run 1 audit glide.bvh --unit 0.01 --max-skate 1

# A walk beside people. Two metres have no steady stride, and that is said.
printf '%s\n' 'o floor' 'v -9 0 -9' 'v 9 0 -9' 'v 9 0 9' 'v -9 0 9' 'f 4 3 2' 'f 4 2 1' >floor.obj
cat >far.json <<END
{"scene": {"file": "floor.obj"}, "characters": [
    {"name": "Ada", "coarse": true, "start": [-6, 0], "heading_degrees": 90, "speed": 1.4, "goal": [6, 0]},
    {"name": "Ben", "coarse": true, "start": [0, 5], "goal": [0, 6]},
    {"name": "Cleo", "coarse": true, "start": [-6, -5], "heading_degrees": 90, "speed": 1.4, "goal": [6, -5],
     "style": {"carrying": 1, "tired": 1}}]}
END
run 0 play far.json -o far.glb
run 0 audit far.glb --like-people
said out 'Ada: '
for curve in thigh hip knee ankle toe foot_pitch arm arm_world elbow pelvis_height pelvis_side hips_yaw chest_pitch \
    head_roll cadence 'log dimensionless jerk' 'change of hip velocity'; do
    said out "$curve"
done
said err 'troupe: Ben: '
run 0 audit far.glb --figure Ada --like-people --json
silent err
has $fields figures.0.like_people.likeness figures.0.like_people.speed_mps figures.0.like_people.ldlj \
    figures.0.like_people.curves.19.values
equal "$(value figures.0.like_people.curves.2.curve)" knee
checks=$((checks + 1))
awk -v s="$(value figures.0.like_people.speed_mps)" 'BEGIN { exit !(s > 1.3 && s < 1.5) }' ||
    fail "$what: the speed is said to be $(value figures.0.like_people.speed_mps)"
run 0 audit far.glb --min-likeness 10
# Somebody tired who carries something does not walk as those people do.
run 1 audit far.glb --min-likeness 100 --figure Cleo
said err 'troupe: the likeness with people is '
said err ' %, at least 100 % is required'
run 1 audit far.glb --min-likeness 10 --figure Ben
said err 'no walk could be compared with people'
refused '--min-likeness is 101, it must be' audit far.glb --min-likeness 101

# What is wrong
refused 'audit needs a motion file' audit
refused 'audit takes one file: "b" follows "a"' audit a b
refused 'missing.bvh: ' audit missing.bvh
refused 'two.json' audit two.json
refused '--scene and --sample cannot both be given' audit two.glb --scene a.obj --sample room
refused 'moon' audit two.glb --sample moon
refused 'missing.obj: ' audit two.glb --scene missing.obj
refused 'two.glb has no motion with the given --figure and --clip' audit two.glb --figure Cleo
refused 'two.glb has no motion with the given --figure and --clip' audit two.glb --clip dance
refused '--max-slide is -1, it must be' audit two.glb --max-slide -1
refused '--max-slide: "far" is not a number' audit two.glb --max-slide far
refused '--fps is 0, it must be' audit two.glb --fps 0
refused 'no option "--wrong"' audit --wrong
sed 's/OFFSET 10.0/OFFSET ten/' slide.bvh >bad.bvh
refused 'bad.bvh:8: x of an OFFSET is "ten", it must be a number' audit bad.bvh
head -c 600 two.glb >bad.glb
refused 'bad.glb: ' audit bad.glb

if [ ! -d "$data" ]; then
    echo "skipped: no data folder"
    finish_checks
    exit
fi
# People are like people: a capture on the mannequin and on its own skeleton.
run 0 convert "$data/mocap/16_15.bvh" person.glb --to mannequin --skip-first
run 0 audit person.glb --min-likeness 95
run 0 audit "$data/mocap/16_15.bvh" --skip-first --min-likeness 90
# A capture, and a character of others.
run 0 audit "$data/mocap/16_15.bvh" --skip-first --json
has $fields
run 0 audit "$data/gltf/Knight.glb" --json
has $fields

finish_checks
