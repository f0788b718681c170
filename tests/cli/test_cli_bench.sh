#!/bin/sh
# test_cli_bench.sh TROUPE JSON_CHECK: `troupe bench`, its documents and its charts. Prints what failed, exits with 1 if
# anything did. No time is judged.
troupe=$1 json_check=$2 here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
. "$here/checks.sh"

run 0 bench --help
said out "usage: troupe bench [NAME ...] [--json | --csv] [--png FILE|FOLDER] [--seed N]"
said out "  kuffner "
run 0 bench peers --data nowhere
said err "skipped: nav_test.obj was not found"
run 0 bench peers --data nowhere --csv
equal "$(cat out)" "id,value,unit,paper,peer,peer_value,what,seed"
run 0 bench peers --data nowhere --json
has machine.processor machine.processors machine.compiler machine.troupe machine.commit date
equal "$(value results)" 0
equal "$(value seed)" 0

# Where no seed is given everything is drawn as ever; another seed draws something else, and the same again.
# drawn: how many searches of random starts and goals find a way, which the seed alone decides.
drawn() {
    grep -o 'extraction; [0-9]* of 100' out | tr '\n' ' '
}
run 0 bench kuffner --csv
first=$(drawn)
equal "$first" "$(printf 'extraction; %s of 100 ' 44 64 73 50 72 82)"
said out "kuffner.maze50.project_ms,"
equal "$(sed -n '2s/.*,//p' out)" 0
run 0 bench kuffner --csv --seed 5
second=$(drawn)
equal "$(sed -n '2s/.*,//p' out)" 5
checks=$((checks + 1))
[ "$first" != "$second" ] || fail "$what: the seed changes nothing"
run 0 bench kuffner --json --seed=5
equal "$(drawn)" "$second"
equal "$(value seed)" 5
equal "$(value results.0.unit)" ms
refused '--seed: "five" is not a whole number' bench --seed five
refused '--seed: "-1" is not a whole number' bench --seed -1
refused '--seed is 1000001' bench --seed 1000001

# Charts
"$troupe" bench peers --data nowhere --png none.png >out 2>err
status=$? what="troupe bench --png"
if [ $status -eq 2 ] && grep -q "no libpng" err; then
    echo "skipped charts: this build has no libpng"
else
    equal $status 0
    is_png none.png
    run 0 bench route peers --data nowhere --png charts --csv
    said out "route.field_mcells,"
    is_png charts/route.png
    equal "$(ls charts)" route.png # of what has results
    run 0 bench route --data nowhere --png charts/ --json
    has results.0.id
    run 0 bench kuffner route --data nowhere --png both.png
    is_png both.png
    : >none.csv
    # Before anything is measured
    refused 'there is no folder no/such/' bench --png no/such/chart.png
    refused 'the folder no/such cannot be made' bench --png no/such
    refused 'the folder none.csv cannot be made' bench --png none.csv
fi

refused 'no bench suite "kufner"' bench kufner
refused '--png' bench --png
finish_checks
