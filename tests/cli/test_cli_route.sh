#!/bin/sh
# test_cli_route.sh TROUPE JSON_CHECK: `troupe route` as a user meets it. Prints what failed, exits with 1 if anything did.
troupe=$1 json_check=$2 here=$(cd "$(dirname "$0")" && pwd)
data=$here/../../../shared/data
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
. "$here/checks.sh"

# near A B: two numbers that differ by less than a thousandth.
near() {
    checks=$((checks + 1))
    awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(a != "" && d < 0.001 && d > -0.001) }' ||
        fail "$what: \"$1\" is not near \"$2\""
}
# above A B: A is larger.
above() {
    checks=$((checks + 1))
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a + 0 > b + 0) }' || fail "$what: \"$1\" is not above \"$2\""
}

# A wall with one gap on the right, a closed chamber on the left.
cat >gap.map <<END
type octile
height 7
width 9
map
.........
.........
@@@@@@@..
.........
.@@@.....
.@.@.....
.@@@.....
END

# One query on a map
run 0 route --map gap.map --from 0,0 --to 0,3 --json
silent err
equal "$(value status)" ok
has length points start_moved goal_moved expanded project_us search_us cells_length cells cost generated straighten_us \
    grid.columns
# One diagonal step and 6 to the side, 2 down the gap without a corner cut, 7 back.
near "$(value cells_length)" 16.414214
equal "$(value start_moved)" false
equal "$(value goal_moved)" false
equal "$(value goal)" 0
said out '"points":[[0,0,0],'
said out ',[0,0,3]]'
straight=$(value length)
above 16.414214 "$straight"
above "$straight" 14
for search in dijkstra jps; do
    run 0 route --map gap.map --from 0,0 --to 0,3 --search $search --json
    near "$(value cells_length)" 16.414214
    near "$(value length)" "$straight"
    equal "$(value search)" $search
done
run 0 route --map gap.map --from 0,0,0 --to 0,9,3 --neighbours 4 --json
near "$(value cells_length)" 17
run 0 route --map gap.map --from 0,0 --to 0,3 --cut-corners --json
near "$(value cells_length)" 15.242641
run 0 route --map gap.map --from 0,0 --to 0,3 --metric paper --json
equal "$(value metric)" paper
equal "$(value cost)" 82
run 0 route --map gap.map --from 0,0 --to 8,6
said out "route      ok, "
said out "points     0,0,0 "
said out "search     astar, "
run 0 route --map gap.map --from 4,4 --to 4,4 --json
near "$(value length)" 0
# The nearest goal wins; one that is blocked is moved, and the answer says so.
run 0 route --map gap.map --from 0,3 --to 0,0 --to 4,6 --to 8,6 --json
equal "$(value goal)" 1
run 0 route --map gap.map --from 0,3 --to 1,4 --json
equal "$(value goal_moved)" true
equal "$(value start_moved)" false
run 0 route --map gap.map --to 8,6 --from 6,2 --json
equal "$(value start_moved)" true
run 1 route --map gap.map --from 2,4 --to 8,6 --reach 0 --json
equal "$(value status)" no_path
said out "within 0 m of the start 2,4"
# No path is a definite answer.
run 1 route --map gap.map --from 0,0 --to 2,5 --json
silent err
equal "$(value status)" no_path
equal "$(value length)" null
equal "$(value points)" 0
equal "$(value goal)" null
above "$(value expanded)" 30
run 1 route --map gap.map --from 0,0 --to 2,5
said out "no_path"
run 0 route --map gap.map --from 0,0 --to 0,3 --budget 3 --json
equal "$(value status)" partial
equal "$(value expanded)" 3
# Several characters
run 0 route --map gap.map --from 0,0 --to 8,0 --from 0,3 --to 8,3 --to 8,4 --json
equal "$(value found)" 2
equal "$(value routes)" 2
run 1 route --map gap.map --from 0,0 --to 8,0 --from 0,3 --to 2,5 --json
equal "$(value found)" 1

# Scenarios
cat >gap.scen <<END
version 1
0	gap.map	9	7	0	0	8	0	8
0	gap.map	9	7	0	0	1	1	1.41421
4	gap.map	9	7	0	0	0	3	16.4142
END
for search in astar jps dijkstra; do
    run 0 route --map gap.map --scen gap.scen --search $search --json
    silent err
    equal "$(value queries)" 3
    equal "$(value agree)" 3
    has worst_difference mean_us
    equal "$(value results)" 3
    equal "$(value results.2.status)" ok
    near "$(value results.2.cells_length)" 16.414214
    near "$(value results.2.optimal)" 16.4142
    above "$(value results.2.points)" 3
    has results.2.length results.2.search_us results.2.expanded
done
run 0 route --map gap.map --scen gap.scen
said out "3, 3 agree"
sed 's/16.4142/16.7/' gap.scen >wrong.scen
run 1 route --map gap.map --scen wrong.scen --json
equal "$(value agree)" 2
said err "wrong.scen:4: from 0,0 to 0,3 the path is 16.414214 long, the file says 16.7"
sed 's/0\t3\t16.4142/2\t5\t16.4142/' gap.scen >unreachable.scen
run 1 route --map gap.map --scen unreachable.scen --json
equal "$(value unreachable)" 1
equal "$(value results.2.status)" no_path
equal "$(value results.2.points)" 0
equal "$(value results.2.reason)" "no way leads from the start to a goal"
said err "unreachable.scen:4: from 0,0 to 2,5 there is no path"
sed 's/0\t3\t16.4142/1\t4\t16.4142/' gap.scen >blocked.scen
refused 'blocked.scen:4: the goal 1,4 is a blocked cell of gap.map' route --map gap.map --scen blocked.scen
sed 's/\t9\t7\t/\t10\t7\t/' gap.scen >size.scen
refused 'size.scen:2: the query is for a map of 10 x 7 cells, gap.map has 9 x 7' route --map gap.map --scen size.scen
echo 'version 1' >empty.scen
refused 'empty.scen: the scenario has no queries' route --map gap.map --scen empty.scen
refused 'gap.map:1' route --map gap.map --scen gap.map
refused 'nowhere.scen' route --map gap.map --scen nowhere.scen
for map in arena2 AR0011SR; do
    if [ ! -f "$data/maps/$map.map" ]; then
        echo "skipped $map: there is no shared data"
        continue
    fi
    run 0 route --map "$data/maps/$map.map" --scen "$data/maps/$map.map.scen" --search jps --json
    silent err
    equal "$(value agree)" "$(value queries)"
    above "$(value queries)" 900
    above 0.0051 "$(value worst_difference)"
    equal "$(value results)" "$(value queries)"
done

# Scenes: as actors of a stage go, or over a map of level ground
office="--sample office --from 4,0,-6 --to 8,0,8 --cell 0.1"
run 0 route $office --json
silent err
equal "$(value status)" ok
equal "$(value scene)" office
equal "$(value search)" go
length=$(value length)
above "$length" 14
run 0 route --sample office --from 4,-6 --to 8,8 --cell 0.1 --backend gl --json
above 0.3 "$(awk -v a="$(value length)" -v b="$length" 'BEGIN { print a > b ? a - b : b - a }')"
run 0 route $office --body 1.8,0.1 --json
above "$length" "$(value length)"
for planner in "" "--search jps"; do
    run 1 route $office --body 1.8,0.8 --reach 9 $planner --json
    equal "$(value status)" no_path
done
run 0 route $office --search astar --json
equal "$(value scene)" office
length=$(value length)
above "$(value cells_length)" "$length"
run 0 route --sample office --from 4,-6 --to 8,8 --cell 0.1 --search astar --backend gl --json
near "$(value length)" "$length"
"$troupe" gen room -o room.obj >/dev/null
run 0 route --scene room.obj --from 0.8,0,0.8 --to 1.5,0,1.2 --json
said out '"points":[[0.8,0,0.8]'
run 0 route --scene room.obj --from 0.8,7,0.8 --to 1.5,7,1.2 --json
said out '[0.8,0,0.8]'
equal "$(value start_fate)" dropped
run 0 route --scene room.obj --from 0.8,7,0.8 --to 1.5,7,1.2 --search astar --json
said out '[0.8,7,0.8]'
near "$(value free_share)" 1
run 0 route --scene room.obj --from 0.8,7,0.8 --to 1.5,7,1.2 --ground 0 --json
said out '[0.8,0,0.8]'
has cells_length free_share

# Pairs
cat >pairs.csv <<END
name, sx ,sy,sz,ex,ey,ez,"path_len"
a,0,0,0,8,0,0,8
b,0,0,0,2,0,5,1

c,0,0,0,90,0,5,1
END
run 1 route --map gap.map --pairs pairs.csv --json
equal "$(value pairs)" 3
equal "$(value found)" 1
equal "$(value results)" 3
said out '{"status":"ok","reason":null,"length":8,"points":[[0,0,0],[8,0,0]],'
equal "$(value results.1.status)" no_path
equal "$(value results.1.length)" null
equal "$(value results.1.points)" 0
equal "$(value results.1.reason)" "no way leads from the start to a goal"
equal "$(value results.2.status)" outside
said out '"reason":"the goal 90,5 is not on the map'
has results.0.search_us results.0.straighten_us results.0.cells_length results.0.expanded mean_us project_us map grid
# A pair is answered as the same route is by --from and --to, by every planner.
printf 'sx,sy,sz,ex,ey,ez\n4,0,-6,8,0,8\n4,0,-6,99,0,0\n' >office.csv
for planner in "" "--body 1.8,0.3" "--search jps" "--surface --search astar" "--search effort"; do
    run 0 route $office $planner --json
    length=$(value length) points=$(value points) last=$(value points.$((points - 1)).2)
    run 1 route --sample office --cell 0.1 $planner --pairs office.csv --json
    silent err
    equal "$(value results.0.status)" ok
    equal "$(value results.0.reason)" null
    equal "$(value results.0.length)" "$length"
    equal "$(value results.0.points)" "$points"
    equal "$(value results.0.points.0)" 3
    equal "$(value results.0.points.$((points - 1)).2)" "$last"
    equal "$(value results.1.status)" outside
    equal "$(value results.1.length)" null
    equal "$(value results.1.points)" 0
    has results.0.search_us results.0.expanded results.0.cost results.1.reason pairs found mean_us project_us scene
done
# Thousands of them, printed one by one, are one document.
awk 'BEGIN { print "sx,sy,sz,ex,ey,ez"; for (i = 0; i < 5000; i++) print "0,0,0,8,0," i % 7 }' >many.csv
run 0 route --map gap.map --pairs many.csv --json
equal "$(value results)" 5000
equal "$(value pairs)" 5000
equal "$(value results.4999.points.0)" 3
printf 'sx,sy,sz,ex,ey,ez\r\n0,0,0,8,0,0\r\n' >one.csv
run 0 route --map gap.map --pairs one.csv
said out "1, 1 found"
printf 'sx,sy,sz,ex,ey\n0,0,0,8,0\n' >bad.csv
refused 'bad.csv:1: the first line lacks the column ez' route --map gap.map --pairs bad.csv
printf 'sx,sy,sz,ex,ey,ez\n0,0,0,8,0,0\n0,0,0,far,0,0\n' >bad.csv
refused 'bad.csv:3: ex is "far"' route --map gap.map --pairs bad.csv
printf 'sx,sy,sz,ex,ey,ez\n0,0,nan,8,0,0\n' >bad.csv
refused 'bad.csv:2: sz is "nan"' route --map gap.map --pairs bad.csv
printf 'sx,sy,sz,ex,ey,ez\n0,0,0,8\n' >bad.csv
refused 'bad.csv:2: the line ends before ey' route --map gap.map --pairs bad.csv
printf 'sx,sy,sz,ex,ey,ez\n' >bad.csv
refused 'bad.csv: the table has no pairs' route --map gap.map --pairs bad.csv
: >bad.csv
refused 'bad.csv' route --map gap.map --pairs bad.csv

# Pictures
"$troupe" route --map gap.map --from 0,0 --to 0,3 --png one.png >out 2>err
status=$? what="troupe route --png"
if [ $status -eq 2 ] && grep -q "no libpng" err; then
    echo "skipped pictures: this build has no libpng"
else
    equal $status 0
    is_png one.png
    for planner in "" "--search jps"; do
        run 0 route --sample room --cells 60 --from 0.8,0,0.8 --to 1.5,0,1.2 --from -1,0,0.8 --to 1.5,0,-1.5 $planner --png many.png --json
        is_png many.png
    done
    run 1 route --map gap.map --from 0,0 --to 2,5 --png none.png
    is_png none.png
    run 1 route --map gap.map --pairs pairs.csv --png pairs.png --pixels 7
    is_png pairs.png
    run 1 route --map gap.map --pairs pairs.csv --png pairs.png --json
    equal "$(value results)" 3
    refused 'no/such/folder/x.png' route --map gap.map --pairs pairs.csv --png no/such/folder/x.png --json
    cp one.png before.png
    run 0 route --map gap.map --from 0,0 --to 0,3 --png one.png
    cmp -s one.png before.png
    equal $? 0
    refused 'no/such/folder/x.png' route --map gap.map --from 0,0 --to 0,3 --png no/such/folder/x.png
fi

# Bad input
from='--from 0,0 --to 0,3'
refused 'needs one of --scene FILE, --sample NAME and --map FILE.map' route
refused 'needs one of --scene' route $from
refused 'needs one of --scene' route --map gap.map --sample room $from
refused 'either --scene FILE or --sample NAME' route --scene room.obj --sample room $from
refused 'needs --from' route --map gap.map
refused 'needs --from' route --sample room
refused 'no --to follows --from 0,0,0' route --map gap.map --from 0,0
refused 'no --to follows --from 5,0,5' route --map gap.map $from --from 5,5
refused '--to is given without --from' route --map gap.map --to 0,0
refused '--from: "1" has 1 numbers' route --map gap.map --from 1 --to 0,3
refused '--to: "1,2,3,4" has 4 numbers' route --map gap.map --from 0,0 --to 1,2,3,4
refused '--to: "a,b"' route --map gap.map --from 0,0 --to a,b
refused '--from: "nan,0"' route --map gap.map --from nan,0 --to 0,3
refused '--to is 1e30,0' route --map gap.map --from 0,0 --to 1e30,0
refused 'the start -1,0 is not on the map, which has 9 columns and 7 rows' route --map gap.map --from -1,0 --to 0,3
refused 'the goal 0,7 is not on the map' route --map gap.map --from 0,0 --to 0,3 --to 0,7
refused 'the goal x 99, z 0 is not on the map, which covers x -10 to 10' route --sample office --from 0,0,3 --to 99,0,0 --search jps
refused 'the goal x 99, z 0 is not on the grid, which covers x -10 to 10' route --sample office --from 0,0,3 --to 99,0,0
refused '--budget is 0' route --map gap.map $from --budget 0
refused '--search is "best"' route --map gap.map $from --search best
refused '--metric is "long"' route --map gap.map $from --metric long
refused '--neighbours is "6", it must be 4 or 8' route --map gap.map $from --neighbours 6
refused '--reach is -1' route --map gap.map $from --reach -1
refused '--body requires --scene or --sample' route --map gap.map $from --body 1.8,0.3
refused '--cell requires --scene' route --map gap.map $from --cell 1
refused '--scen requires --map' route --sample room --scen gap.scen
refused '--scen cannot be given with' route --map gap.map --scen gap.scen $from
refused '--scen cannot be given with' route --map gap.map --scen gap.scen --png x.png
refused '--scen needs --metric true, --neighbours 8 and no --cut-corners' route --map gap.map --scen gap.scen --cut-corners
refused '--budget and --scen' route --map gap.map --scen gap.scen --budget 5
refused '--pairs cannot be given with --from or --to' route --map gap.map --pairs one.csv $from
refused '--pixels requires --png' route --map gap.map $from --pixels 3
refused 'route takes no argument "gap.map"' route gap.map
refused 'nowhere.map' route --map nowhere.map $from
head -5 gap.map >short.map
refused 'short.map:5: the text ends after 1 rows, but the height is 7' route --map short.map $from
refused 'room.obj:1: ' route --map room.obj $from

finish_checks
