#!/bin/sh
# test_cli_reach.sh TROUPE JSON_CHECK: `troupe reach` as a user meets it. Prints what failed, exits with 1 if anything did.
troupe=$1 json_check=$2 here=$(cd "$(dirname "$0")" && pwd)
data=$here/../../../shared/data
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
. "$here/checks.sh"
fields='scene goal up triangles tasks runs solved collision_free median_us p95_us worst_us worst_ratio_to_best read_ms
    prepare_ms allocations'
task_fields='id name runs solved median_us p95_us wrist_m length_rad collision_free by ratio_to_best ldlj sparc speed_peaks
    duration_s goal_pose_error goal_wrist_error search_us shorten_us smooth_us arm_smooth_us'

# A board that stands upright in front of the right arm, 25 cm ahead.
cat >board.obj <<END
v -0.35 0.8 0.25
v 0.1 0.8 0.25
v 0.1 1.5 0.25
v -0.35 1.5 0.25
f 1 2 3
f 1 3 4
END
# The same with Z up: X ahead, Y left.
awk '$1 == "v" { print "v", $4, $2, $3; next } { print }' board.obj >board_z.obj
cat >tasks.json <<END
{
    "arm": {"side": "right", "height": 1.75},
    "body_capsules": [{"a": [0, 1, 0], "b": [0, 1.35, 0], "r": 0.12}],
    "tasks": [
        {"id": 4, "name": "before the board", "goal_wrist": [-0.4, 1.3, 0.1]},
        {"id": 9, "name": "beside the board", "goal_wrist": [-0.42, 1.2, 0.35], "goal_hand_dir": [0, 0, 1]}
    ]
}
END
sed 's/\[\(-*[0-9.]*\), \(-*[0-9.]*\), \(-*[0-9.]*\)\]/[\3, \1, \2]/g; s/"arm"/"up": "z", "arm"/' tasks.json >tasks_z.json

run 0 reach --help
said out 'troupe reach --scene FILE --tasks FILE.json'
silent err

# Tasks drawn in a scene to reach into: the same for the same seed, and read back exactly.
run 0 gen tasks --kind box --seed 5 --tasks 6 -o box.json
said out '6 tasks in the scene box with the seed 5 written to box.json'
run 0 gen tasks --kind box --seed 5 --tasks 6 -o -
equal "$(cmp out box.json && echo same)" same
run 0 reach --sample box --seed 5 --tasks box.json --runs 1
said out 'all: 6 of 6 solved, 6 free'
run 1 reach --sample box --seed 5 --tasks box.json --runs 1 --checks 1
said out 'of 6 solved'
refused 'is not a scene to reach into' gen tasks --kind maze -o maze.json
refused 'gen tasks needs --kind NAME' gen tasks -o maze.json
refused 'does not end with .json' gen tasks --kind box -o box.obj
refused '--tasks can only be given with gen tasks' gen maze --tasks 5 -o maze.obj
refused '--checks is 0' reach --sample box --tasks box.json --checks 0
run 0 reach --scene board.obj --tasks tasks.json --runs 3
silent err
said out 'before the board'
said out 'all: 6 of 6 solved, 6 free'
for goal in position pose; do
    run 0 reach --scene board.obj --tasks tasks.json --runs 3 --goal $goal --json --paths paths_$goal.json
    silent err
    has $fields
    equal "$(value tasks)" 2
    for key in $task_fields; do
        has "tasks.1.$key"
    done
    equal "$(value 'tasks.0.id')" 4
    equal "$(value goal)" $goal
    equal "$(value solved)" 6
    equal "$(value collision_free)" 6
    equal "$(value allocations)" 0
    cp out "$goal.json"
    # Every path is written: so many tasks, seeds, and seven angles.
    cp paths_$goal.json out
    has 'tasks.1.runs.2.path.1.6'
    equal "$(value 'tasks.1.id')" 9
    equal "$(value 'tasks.1.goal')" $goal
    equal "$(value 'tasks.0.runs')" 3
    equal "$(value 'tasks.0.runs.2.seed')" 3
    equal "$(value 'tasks.0.runs.2.status')" ok
    equal "$(value 'tasks.0.runs.2.path.0')" 7
done

# Names are cut between characters, and do not break the table.
sed 's/before the board/xäöüäöüäöüäöüäöüäöü a name that is too long/
    s/beside the board/two\\nlines/' tasks.json >names.json
run 0 reach --scene board.obj --tasks names.json --runs 1
said out '   4 xäöüäöüäöüäöüäöüäöü a name that is t       1/1'
said out '   9 two lines                                  1/1'

# The same seed gives the same path, and Z up the same as Y up: the arm does not care how its file is written.
run 0 reach --scene board.obj --tasks tasks.json --runs 3 --goal pose --json --paths again.json
checks=$((checks + 1))
cmp -s paths_pose.json again.json || fail "$what: the paths differ from those of the same run before"
run 0 reach --scene board_z.obj --tasks tasks_z.json --runs 1 --json
silent err
equal "$(value up)" z
equal "$(value solved)" 2
wrist=$(value 'tasks.1.wrist_m')
run 0 reach --scene board.obj --tasks tasks.json --runs 1 --json
checks=$((checks + 1))
awk -v a="$wrist" -v b="$(value 'tasks.1.wrist_m')" 'BEGIN { exit !(a - b < 0.05 && b - a < 0.05) }' ||
    fail "$what: the wrist goes $wrist m with Z up and $(value 'tasks.1.wrist_m') m with Y up"

run 0 reach --scene board.obj --tasks tasks.json --runs 2 --task 9 --json --margin 0.01
equal "$(value tasks)" 1
equal "$(value 'tasks.0.id')" 9

run 0 reach --scene board.obj --tasks tasks.json --runs 1 --depth maps
is_png maps/task_4.png
is_png maps/task_9.png

# No path: the exit status tells, and the reason is said.
sed 's/\[-0.4, 1.3, 0.1\]/[-0.4, 1.3, 3]/' tasks.json >far.json
run 1 reach --scene board.obj --tasks far.json --runs 2
said out '2 of 2 without a path: '
said out 'all: 2 of 4 solved, 2 free'
run 1 reach --scene board.obj --tasks far.json --runs 2 --json
has 'tasks.0.reason'
equal "$(value 'tasks.0.solved')" 0
equal "$(value 'tasks.0.wrist_m')" null
# A wrist that shall be in the middle of the board
sed 's/\[-0.4, 1.3, 0.1\]/[-0.2, 1.2, 0.25]/' tasks.json >inside.json
run 1 reach --scene board.obj --tasks inside.json --runs 1 --task 4
said out '1 of 1 without a path: '

# What is wrong
refused 'reach needs either --scene FILE or --sample NAME' reach
refused 'reach needs either --scene FILE or --sample NAME' reach --scene a --sample b --tasks c
refused 'reach needs --tasks FILE.json' reach --scene board.obj
refused 'reach takes no argument "desk.obj"' reach desk.obj
refused 'missing.json: ' reach --scene board.obj --tasks missing.json
refused 'missing.obj: ' reach --scene missing.obj --tasks tasks.json
refused 'moon' reach --sample moon --tasks tasks.json
refused 'tasks.json has no task 5' reach --scene board.obj --tasks tasks.json --task 5
refused '--task: "five"' reach --scene board.obj --tasks tasks.json --task five
refused '--runs is 0, it must be 1 to 100000' reach --scene board.obj --tasks tasks.json --runs 0
refused '--goal' reach --scene board.obj --tasks tasks.json --goal hand
refused '--up' reach --scene board.obj --tasks tasks.json --up x
refused '--margin is -1, it must be 0 to 1' reach --scene board.obj --tasks tasks.json --margin -1
refused 'no option "--wrong"' reach --wrong
refused 'board.obj:1: ' reach --scene board.obj --tasks board.obj
refused 'nowhere/paths.json' reach --scene board.obj --tasks tasks.json --runs 1 --paths nowhere/paths.json
refused 'cannot create the folder nowhere/maps' reach --scene board.obj --tasks tasks.json --runs 1 --depth nowhere/maps
sed 's/"goal_wrist": \[-0.4, 1.3, 0.1\]/"goal_wrist": [-0.4, "high", 0.1]/' tasks.json >bad.json
refused 'bad.json:5: tasks[0].goal_wrist[1] is a string, it must be a number' reach --scene board.obj --tasks bad.json
echo '{"arm": {}, "tasks": []}' >none.json
refused 'none.json has no tasks' reach --scene board.obj --tasks none.json
sed 's/"goal_wrist"/"goal_writs"/' tasks.json >typo.json
refused 'typo.json:5: tasks[0] has no "goal_wrist"' reach --scene board.obj --tasks typo.json
said err 'tasks[0].goal_writs is not a known key and is ignored'

# The bench without the data of others
run 0 bench reach --data nowhere --json
said err 'troupe: skipped: the reach suite'
for scene in shelves box window ring under_table engine parts; do
    said out "\"reach.$scene.solved\""
    said out "\"reach.$scene.p95_us\""
done

if [ ! -d "$data/reach" ]; then
    echo "skipped: no reach folder in the data"
    finish_checks
    exit
fi
# The tasks of others: all of them, free, both goals.
for goal in position pose; do
    run 0 reach --scene "$data/reach/desk_scene.obj" --tasks "$data/reach/tasks.json" --runs 2 --goal $goal --json
    silent err
    equal "$(value tasks)" 12
    equal "$(value solved)" 24
    equal "$(value collision_free)" 24
    equal "$(value allocations)" 0
done

finish_checks
