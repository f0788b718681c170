#!/bin/sh
# test_cli_route_behaviors.sh TROUPE JSON_CHECK: `troupe route --behaviors` as a user meets it. Prints what failed,
# exits with 1 if anything did.
troupe=$1 json_check=$2 here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
. "$here/checks.sh"

# A jogger who can jump over a log and crawl under a lintel.
cat >jogger.json <<END
{"name": "jogger", "frames_per_second": 30, "radius": 0.35,
 "bands": [{"name": "upright", "high": 1.8}, {"name": "over", "low": 0.45, "high": 2.2}, {"name": "under", "high": 0.9}],
 "labels": ["stands", "jogs"], "rest": "stands", "up": 1, "down": 0.5,
 "states": [
  {"name": "start", "begin": "stands", "end": "jogs", "weight": 1.5, "moves": [{"frames": 20, "z": 1.1}]},
  {"name": "end", "begin": "jogs", "end": "stands", "weight": 1.5, "moves": [{"frames": 20, "z": 1.1}]},
  {"name": "jog", "begin": "jogs", "end": "jogs", "moves": [{"frames": 22, "z": 1.8}]},
  {"name": "short", "begin": "jogs", "end": "jogs", "weight": 1.05, "moves": [{"frames": 11, "z": 0.9}]},
  {"name": "wait", "begin": "jogs", "end": "jogs", "weight": 5, "moves": [{"frames": 60, "z": 1.2}]},
  {"name": "left", "begin": "jogs", "end": "jogs", "weight": 1.1,
   "moves": [{"frames": 22, "x": 0.45, "z": 1.7, "turn_degrees": 30}]},
  {"name": "right", "begin": "jogs", "end": "jogs", "weight": 1.1,
   "moves": [{"frames": 22, "x": -0.45, "z": 1.7, "turn_degrees": -30}]},
  {"name": "jump", "begin": "jogs", "end": "jogs", "weight": 1.3, "serves": "over", "moves": [{"frames": 40, "z": 3.2,
   "action": 20, "discs": [[0, 0, 0, 0], [5, 0, 0.4, 0], [10, 0, 0.8, 1], [15, 0, 1.2, 1],
   [20, 0, 1.6, 1], [25, 0, 2, 1], [30, 0, 2.4, 1], [35, 0, 2.8, 0], [40, 0, 3.2, 0]]}]}]}
END

# A plan: printed, drawn, and as a document.
run 0 route --behaviors jogger.json --sample behaviors --cell 0.2 --png plan.png
silent err
said out 'machine    jogger'
said out 'status     ok'
said out 'start'
is_png plan.png
run 0 route --behaviors jogger.json --sample behaviors --cell 0.2 --json
silent err
has status reason length seconds cost points actions nodes expanded tests search_us scene machine search heuristic \
    inflation depart grid project_us
equal "$(value status)" ok
equal "$(value 'actions.0.state')" start
equal "$(value 'actions.0.cost')" 0
best=$(value cost)
# A start and a goal of one's own are the same as those of the sample.
run 0 route --behaviors jogger.json --sample behaviors --cell 0.2 --from -7,0,-12 --to 8,0,10.5 --json
equal "$(value cost)" "$best"
# Inflation and truncation cost no less, and less work.
run 0 route --behaviors jogger.json --sample behaviors --cell 0.2 --inflation 2 --heuristic field --json
checks=$((checks + 1))
awk "BEGIN { exit !($(value cost) >= $best) }" || fail "$what: cheaper than the best"
equal "$(value heuristic)" field
run 0 route --behaviors jogger.json --sample behaviors --cell 0.2 --search truncated --as-written --png truncated.png
is_png truncated.png

# A tree that is made beforehand.
run 0 route --behaviors jogger.json --sample behaviors --cell 0.2 --search tree --json
silent err
equal "$(value status)" ok
equal "$(value search)" tree
equal "$(value heuristic)" field
equal "$(value inflation)" 2
checks=$((checks + 1))
awk "BEGIN { exit !($(value cost) >= $best && $(value cost) < 1.5 * $best) }" || fail "$what: cost $(value cost)"
run 0 route --behaviors jogger.json --sample behaviors --cell 0.2 --search tree --png tree.png
is_png tree.png
run 2 route --behaviors jogger.json --sample behaviors --search tree --as-written
said err 'as-written cannot be used with --search tree'

# Figure 7: weights change the plan.
run 0 route --behaviors jogger.json --sample hill --cell 0.2 --inflation 1.2 --heuristic field
said out jump
run 0 route --behaviors jogger.json --sample hill --cell 0.2 --inflation 1.2 --heuristic field --weight jump=30
checks=$((checks + 1))
grep -q jump out && fail "$what: jumps although that is dear"

# Figure 6: who sets out early goes past the tree, who sets out late has to jump over it.
run 0 route --behaviors jogger.json --sample falling_tree --cell 0.2 --inflation 1.5 --heuristic field
checks=$((checks + 1))
grep -q jump out && fail "$what: jumps before anything lies there"
run 0 route --behaviors jogger.json --sample falling_tree --cell 0.2 --inflation 1.5 --heuristic field --depart 8 \
    --moment 9 --png tree.png
said out jump
is_png tree.png

# Several characters mind each other; goals are visited in order.
run 0 route --behaviors jogger.json --sample behaviors --cell 0.25 --inflation 2 --heuristic field --json --png three.png \
    --from -7,0,-12 --to 8,0,10.5 --from 8,0,10.5 --to -7,0,-12 --from -12,0,0 --to -12,0,8 --to -12,0,-8
equal "$(value 'routes.0.status')" ok
equal "$(value 'routes.1.status')" ok
equal "$(value 'routes.2.status')" ok
is_png three.png
# Who stands in a wall has no plan; the others have.
run 1 route --behaviors jogger.json --sample behaviors --cell 0.25 --inflation 2 --heuristic field --json \
    --from -2,0,5 --to 8,0,10.5 --from 8,0,10.5 --to 5,0,10.5
equal "$(value 'routes.0.status')" no_path
equal "$(value 'routes.1.status')" ok

# No plan is an answer with a reason.
run 1 route --behaviors jogger.json --sample behaviors --cell 0.2 --from -7,0,-12 --to 14.95,0,0
said out 'status     no_path: '
run 0 route --behaviors jogger.json --sample behaviors --cell 0.2 --budget 3 --json
equal "$(value status)" partial

refused 'skater.json: cannot read' route --behaviors skater.json --sample behaviors
refused 'no floor' route --behaviors jogger.json --sample behaviors --from 99,0,99 --to 0,0,0
refused 'outside the map' route --behaviors jogger.json --sample behaviors --area -5,-5,5,5
refused 'no state "hop"' route --behaviors jogger.json --sample behaviors --weight hop=2
refused '--weight' route --behaviors jogger.json --sample behaviors --weight jump=fast
refused 'options for other planners' route --behaviors jogger.json --sample behaviors --times
refused 'options for other planners' route --behaviors jogger.json --sample behaviors --band 0,1
refused '--inflation requires --behaviors' route --sample behaviors --from 0,0,0 --to 1,0,1 --inflation 2
refused '--moment requires --png' route --behaviors jogger.json --sample behaviors --moment 2
refused '--search' route --behaviors jogger.json --sample behaviors --search jps
refused '--tolerance' route --behaviors jogger.json --sample behaviors --tolerance 0
refused '--from' route --behaviors jogger.json --sample office

finish_checks
