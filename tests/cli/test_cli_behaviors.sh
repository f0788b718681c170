#!/bin/sh
# test_cli_behaviors.sh TROUPE JSON_CHECK: `troupe behaviors` as a user meets it. Prints what failed, exits with 1 if
# anything did.
troupe=$1 json_check=$2 here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
. "$here/checks.sh"

cat >walker.json <<END
{"name": "a walker", "frames_per_second": 30, "radius": 0.3,
 "bands": [{"name": "upright", "high": 1.8}, {"name": "over", "low": 0.5, "high": 2.3}],
 "labels": ["stands", "jogs"], "rest": "stands",
 "states": [
  {"name": "start", "begin": "stands", "end": "jogs", "moves": [{"frames": 20, "z": 1.1}]},
  {"name": "end", "begin": "jogs", "end": "stands", "moves": [{"frames": 20, "z": 1.1}]},
  {"name": "jog", "begin": "jogs", "end": "jogs", "moves": [{"frames": 22, "z": 1.8}, {"frames": 23, "z": 1.9}]},
  {"name": "left", "begin": "jogs", "end": "jogs", "weight": 1.1, "successors": ["jog", "end"],
   "moves": [{"frames": 22, "x": 0.3, "z": 0.4, "turn_degrees": 30}]},
  {"name": "jump", "begin": "jogs", "end": "jogs", "weight": 3, "serves": "over",
   "moves": [{"frames": 42, "z": 3.1, "action": 20}]}]}
END

run 0 behaviors --help
said out 'troupe behaviors FILE.json'
silent err

# What is printed: sums are done by hand.
run 0 behaviors walker.json
silent err
said out 'a walker, 30 frames per second, radius 0.3 m'
said out 'upright 0.00 to 1.80 m, over 0.50 to 2.30 m'
said out 'stands (rest), jogs'
said out '5, with 6 clips of 149 frames in all (5.0 s), and 15 transitions'
said out 'number 2 at the latest'
said out 'lacks     no behavior turns right'
run 0 behaviors walker.json --json
silent err
has source name cast frames_per_second radius up down bands labels rest state_count moves frames seconds transitions \
    from_rest to_rest lacks states written picture
equal "$(value moves)" 6
equal "$(value frames)" 149
equal "$(value transitions)" 15
equal "$(value from_rest)" 2
equal "$(value 'states.2.metres' | cut -c1-5)" 1.849
equal "$(value 'states.3.metres' | cut -c1-6)" 0.5000
equal "$(value 'states.3.successors.1')" end
equal "$(value 'states.4.serves')" over
equal "$(value 'states.4.from_rest')" 2
equal "$(value 'lacks.0')" 'no behavior turns right'
cat >hopper.json <<END
{"frames_per_second": 30, "radius": 0.3, "labels": ["stands"], "rest": "stands",
 "bands": [{"name": "upright", "high": 1.8}, {"name": "over", "low": 0.5, "high": 2.3}],
 "states": [{"name": "hop", "begin": "stands", "end": "stands", "serves": "over",
             "moves": [{"frames": 20, "z": 1.1, "turn_degrees": 30}]}]}
END
run 0 behaviors hopper.json
said out 'lacks     no behavior leads over open ground'
said out 'lacks     no behavior turns left'

# A machine is written as it was read, but for weights.
run 0 behaviors walker.json -o again.json
run 0 behaviors again.json -o third.json
cmp -s again.json third.json
equal $? 0
run 0 behaviors walker.json --weight jump=20 --weight left=1.5 -o careful.json --json
equal "$(value 'states.4.weight')" 20
equal "$(value written)" careful.json
run 0 behaviors careful.json --json
equal "$(value 'states.3.weight')" 1.5
equal "$(value 'states.4.weight')" 20

run 0 behaviors walker.json --png walker.png
is_png walker.png
run 0 behaviors walker.json --png walker.png --json
equal "$(value picture)" walker.png

# Characters with generated motion: the file that is written is the same machine, with numbers or without.
run 0 behaviors horse -o horse.json --json
silent err
has cast radius
equal "$(value cast)" horse
equal "$(value state_count)" 8
equal "$(value 'states.0.moves')" 1
metres=$(value 'states.0.metres') radius=$(value radius)
run 0 behaviors horse.json --json
equal "$(value 'states.0.metres')" "$metres"
run 0 behaviors horse --no-numbers -o short.json
checks=$((checks + 1))
grep -q '"discs"' short.json && fail "$what: discs are numbers"
run 0 behaviors short.json --weight left=2 -o edited.json --json
equal "$(value 'states.0.metres')" "$metres"
equal "$(value radius)" "$radius"
run 0 behaviors edited.json --json
equal "$(value 'states.1.weight')" 2
run 0 behaviors horse --height 1.2 --json
checks=$((checks + 1))
awk -v a="$(value 'states.0.metres')" -v b="$metres" 'BEGIN { exit !(a < 0.9 * b) }' || fail "$what: a pony gallops as far"
run 0 behaviors horse --film strips --state left
is_png strips/left.png
equal "$(ls strips)" left.png
refused 'the machine has no state "fly"' behaviors horse --film strips --state fly
refused 'the machine has no motion' behaviors walker.json --film strips
refused '--state requires --film' behaviors horse --state left
refused '--no-numbers requires --out' behaviors horse --no-numbers
refused '--height is for characters with generated motion' behaviors walker.json --height 2
sed 's/"frames": 20/"frames": 21/' horse.json >wrong.json
refused 'wrong.json:19: states[0].moves[0] (forward): frames is 21, but its motion has 20' behaviors wrong.json
refused 'height' behaviors horse --height 9

# A machine built from captures: a person who walks to and fro. The motion file beside the machine file holds what
# the numbers were measured from.
cat >walk.json <<END
{"scene": {"sample": "plaza"}, "characters": [{"name": "Ada", "coarse": true, "start": [-6, -4],
    "orders": [{"go": [6, -4]}, {"wait": 1}, {"go": [6, 4]}, {"wait": 1}, {"go": [-6, 4]}, {"wait": 1}]}]}
END
run 0 play walk.json -o walk.glb --bvh captures
run 0 behaviors captures -o built.json --png built.png --json
silent err
has pieces states
is_png built.png
moves=$(value moves) states=$(value state_count)
checks=$((checks + 1))
awk -v n="$states" 'BEGIN { exit !(n >= 3) }' || fail "$what: only $states states"
run 0 behaviors built.json --json
silent err
equal "$(value moves)" "$moves"
equal "$(value state_count)" "$states"
run 0 behaviors captures --no-numbers -o measured.json
run 0 behaviors measured.json --json
silent err
equal "$(value moves)" "$moves"
run 0 behaviors captures --one-sided --rate 60 --tolerance 0.4 --height 1.6 --json
silent err
equal "$(value frames_per_second)" 60
run 0 behaviors captures --pieces
said out 'used as'
said out '00-Ada.bvh'
rm built.glb
run 2 behaviors built.json
said err 'built.json:'
said err 'built.glb'
mkdir empty
refused 'has no motion files' behaviors empty
mkdir leg
{ leg_of_bvh && printf 'Frames: 2\nFrame Time: 0.03\n' && for i in 1 2; do echo 0 95 0 0 0 0 0 0 0 0 0 0 0 0 0; done; } >leg/leg.bvh
run 2 behaviors leg
checks=$((checks + 1))
[ -s err ] || fail "$what: nothing is said"

# What is wrong.
refused '--tolerance' behaviors captures --tolerance 5
refused 'behaviors needs a machine' behaviors
refused '"b.json" follows "walker.json"' behaviors walker.json b.json
refused 'none.json' behaviors none.json
refused 'does not end with .json' behaviors walker.json -o walker.txt
refused 'does not end with .png' behaviors walker.json --png walker.jpg
refused 'no option "--jsn"' behaviors walker.json --jsn
refused 'the machine has no state "jmp"' behaviors walker.json --weight jmp=2
refused 'must be the name of a state, = and a number' behaviors walker.json --weight jump
refused '--weight is 0, it must be' behaviors walker.json --weight jump=0
refused 'no/such/folder/x.json' behaviors walker.json -o no/such/folder/x.json
refused 'no/such/folder/x.png' behaviors walker.json --png no/such/folder/x.png
sed 's/"weight": 1.1/"weight": -1.1/' walker.json >bad.json
refused 'bad.json:8: states[3].weight is -1.1' behaviors bad.json
sed 's/"serves": "over"/"serves": "under"/' walker.json >bad.json
refused 'bad.json:10: states[4].serves is "under", which is no band; there are: upright, over' behaviors bad.json
sed 's/"begin": "jogs", "end": "stands"/"begin": "jogs", "end": "jogs"/' walker.json >bad.json
refused 'bad.json:4: states cannot be used' behaviors bad.json
sed 's/"frames": 20, "z"/"frame": 20, "z"/' walker.json >bad.json
refused 'bad.json:5: states[0].moves[0].frame is not a known key; allowed keys: name, parameter' behaviors bad.json
printf '{"frames_per_second": 30' >bad.json
refused 'bad.json:1: ' behaviors bad.json
finish_checks
