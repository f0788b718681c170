#!/bin/sh
# test_cli_surface.sh TROUPE JSON_CHECK: `troupe route` over ground that need not be level, as a user meets it. Prints what failed, exits with 1 if
# anything did.
troupe=$1 json_check=$2 here=$(cd "$(dirname "$0")" && pwd)
data=$here/../../../shared/data
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
. "$here/checks.sh"

# between LOW VALUE HIGH
between() {
    checks=$((checks + 1))
    awk -v l="$1" -v v="$2" -v h="$3" 'BEGIN { exit !(v != "" && v != "null" && v + 0 >= l + 0 && v + 0 <= h + 0) }' ||
        fail "$what: \"$2\" is not between $1 and $3"
}
# boxes NAME: an OBJ file of the boxes on the standard input, each "x0 y0 z0 x1 y1 z1".
boxes() {
    awk 'NF == 6 {
        for (i = 0; i < 8; i++)
            printf "v %g %g %g\n", (i % 2 ? $4 : $1), (int(i / 2) % 2 ? $5 : $2), (i >= 4 ? $6 : $3)
        n = split("1 2 4 3 5 7 8 6 1 5 6 2 3 4 8 7 1 3 7 5 2 6 8 4", c, " ")
        for (k = 1; k <= n; k += 4)
            printf "f %d %d %d %d\n", b + c[k + 3], b + c[k + 2], b + c[k + 1], b + c[k]
        b += 8
    }' >"$1"
}
# A yard: stairs of six steps to a platform, a solid pillar, and a balcony that nothing leads to.
boxes yard.obj <<END
0 -0.2 0 9 0 6
3.2 0 2 5 0.2 4
3.5 0 2 5 0.4 4
3.8 0 2 5 0.6 4
4.1 0 2 5 0.8 4
4.4 0 2 5 1.0 4
4.7 0 2 5 1.2 4
5 0 0 9 1.2 6
1 0 4 2 2 5
0 2.6 0 3 2.8 2
END
yard="--surface --scene yard.obj --cell 0.1"
up="--from 0.5,0,0.5 --to 7,1.2,3"

# One query, as the stage plans it: --surface says nothing new
run 0 route --scene yard.obj --cell 0.1 $up --json
sed 's/"[a-z]*_us":[0-9.e+-]*//g' out >first
run 0 route $yard $up --json
sed 's/"[a-z]*_us":[0-9.e+-]*//g' out >second
cmp -s first second
equal $? 0
silent err
equal "$(value status)" ok
has length points start_moved goal_moved expanded project_us search_us border_us start_fate goal_fate cost pieces rooms \
    bytes surface_cells layer person.foot_span grid.columns
equal "$(value search)" go
equal "$(value start_fate)" on
equal "$(value goal_fate)" on
equal "$(value start_moved)" false
equal "$(value person.height)" 1.75
between 7 "$(value length)" 8.5
said out '"points":[[0.5,0,0.5],'
said out ',[7,1.2,3]]'
said out '"kind":"footsteps"'
length=$(value length)
run 0 route $yard $up
said out "person     1.75 m"
said out "route      ok, "
said out "1 by footsteps"
said out "search     go, "
run 0 route --surface --sample trap --footsteps window --from 0,0,-0.5 --to 0,0,4 --json
said out '"side":"right"'
run 2 route $yard $up --footsteps toes
said err "corners"
# A body keeps its radius and goes the shortest way, seen from above; the planner over cells finds the same, to the
# cell. How high it leaps at a time is not its cost, but part of its length.
run 0 route $yard $up --body 1.8,0.3 --json
shortest=$(value length)
between 7 "$shortest" "$(awk -v l="$length" 'BEGIN { print l + 0.1 }')"
equal "$(value effort_up)" 0
for search in flood astar effort; do
    for refine in alternate every straight; do
        run 0 route $yard $up --search $search --refine $refine --json
        equal "$(value search)" $search
        has cells cells_length through_border border_cells straighten_us reached border
        between "$shortest" "$(awk -v l="$(value length)" 'BEGIN { print l + 0.3 }')" 11
    done
done
run 0 route $yard $up --neighbours 4 --search astar --refine alternate --json
equal "$(value status)" ok
run 0 route $yard $up --search effort
said out "person     1.80 m"
said out "search     effort, "
# A map of level ground, where an option asks for one: the steps are in the way.
run 1 route --scene yard.obj --cell 0.1 $up --search astar --json
equal "$(value search)" astar
# Everything twice gives the same.
run 0 route $yard $up --json
sed 's/"[a-z]*_us":[0-9.e+-]*//g' out >first
run 0 route $yard $up --json
sed 's/"[a-z]*_us":[0-9.e+-]*//g' out >second
cmp -s first second
equal $? 0
run 0 route $yard $up --backend gl --json
between "$(awk -v l="$length" 'BEGIN { print l - 0.2 }')" "$(value length)" "$(awk -v l="$length" 'BEGIN { print l + 0.2 }')"

# A hill in between: the shortest way leads over it, the flattest around it
awk 'BEGIN {
    for (r = 0; r <= 20; r++) for (c = 0; c <= 40; c++) {
        d = sqrt((c - 20) ^ 2 + (r - 8) ^ 2) / 8
        printf "v %g %g %g\n", c / 4, (d < 1 ? 1.5 * (1 - d * d) : 0), r / 4
    }
    for (r = 0; r < 20; r++) for (c = 1; c <= 40; c++)
        printf "f %d %d %d %d\n", r * 41 + c, r * 41 + c + 41, r * 41 + c + 42, r * 41 + c + 1
}' >hill.obj
hill="--surface --scene hill.obj --cell 0.1 --from 1,0,2 --to 9,0,2"
run 0 route $hill --body 1.8,0 --json
straight=$(value length)
equal "$(value effort_up)" 0
between 8 "$straight" 9.3
for planner in "--body 1.8,0 --effort 4,1" "--body 1.8,0 --search effort" "--person 1.8"; do
    run 0 route $hill $planner --json
    equal "$(value effort_up)" 4
    between "$(awk -v l="$straight" 'BEGIN { print l - 0.3 }')" "$(value length)" 10
    highest=$(tr '[' '\n' <out | awk -F, 'NF >= 3 && $2 + 0 > h { h = $2 + 0 } END { print h + 0 }')
    between 0 "$highest" 0.6
done
run 0 route $hill --person 1.8 --effort 0,0 --json
equal "$(value effort_up)" 0

# Bodies: who cannot step so high does not get up, nor does who is too tall for the balcony
run 1 route $yard $up --body 1.8,0,0.15,45 --json
equal "$(value status)" no_path
equal "$(value length)" null
equal "$(value points)" 0
equal "$(value goal)" null
said out "no way leads from the start to a goal"
run 0 route $yard $up --body 1.8,0.3,0.25,45 --json
equal "$(value person.radius)" 0.3
run 0 route $yard --from 0.5,0,3 --to 0.5,0,0.5 --person 1.8 --json
for planner in "--body 2.7,0.3,0.4 --reach 1" "--person 2.7 --search effort"; do
    run 1 route $yard --from 0.5,0,3 --to 0.5,0,0.5 $planner --json
    run 0 route $yard --from 0.5,0,3 --to 2.9,0,4.5 $planner --json
done
refused 'needs more than the maximum head room of 3.15 m' route $yard $up --person 2.7

# In mid-air
run 0 route $yard --from 0.5,1.5,0.5 --to 7,3,3 --json
equal "$(value start_fate)" dropped
equal "$(value goal_fate)" dropped
between 1.49 "$(value start_fall)" 1.51
between 1.79 "$(value goal_fall)" 1.81
said out '"points":[[0.5,0,0.5],'
run 0 route $yard --from 0.5,1.5,0.5 --to 7,1.2,3
said out "start      in mid-air, dropped by 1.50 m"
run 1 route $yard --from 0.5,1.5,2.9 --to 7,1.2,3 --drop 0.5 --json
equal "$(value start_fate)" nowhere
said out "the floor is 1.5 m below the start (0.5, 1.5, 2.9)"
run 1 route $yard --from 0.5,1.5,2.9 --to 7,1.2,3 --drop 0.5 --search effort --json
said out "there is no floor to stand on below start (0.5, 1.5, 2.9) or within 1 m of it"
run 1 route $yard --from 0.5,0,0.5 --to 7,-3,3 --json
equal "$(value goal_fate)" nowhere
said out "the goal (7, -3, 3) has no floor below it; the nearest free place is at"
run 1 route $yard --from 0.5,0,0.5 --to 7,-3,3 --search effort --json
said out "there is no floor to stand on below goal (7, -3, 3)"
# Without a height it is the highest ground.
run 0 route $yard --from 1.5,3 --to 7,3 --json
said out ',[7,1.2,3]]'
run 1 route $yard --from 1.5,1 --to 7,3 --json

# Inside an obstacle
run 1 route $yard --from 0.5,0,0.5 --to 1.5,1,4.5 --reach 0.2 --json
equal "$(value status)" no_path
said out "goal (1.5, 1, 4.5) is inside an obstacle"
run 1 route $yard --from 6,0.5,3 --to 7,1.2,3 --reach 0.2
said out "no_path: start (6, 0.5, 3) is inside an obstacle"
for planner in "" "--search effort"; do
    run 1 route $yard --from 0.5,0,0.5 --to 1.5,0.1,4.5 --reach 1 $planner --json
    said out "goal (1.5, 0.1, 4.5) is inside an obstacle"
done
# In a vault two metres thick: what it falls onto was not meant.
boxes vault.obj <<END
0 -0.2 0 6 0 4
0 2.6 0 4 4.6 4
END
run 1 route --surface --scene vault.obj --cell 0.1 --from 1,3.6,1 --to 5,0,3 --json
said out "start (1, 3.6, 1) is inside an obstacle"
run 0 route --surface --scene vault.obj --cell 0.1 --from 1,2,1 --to 5,3.6,3 --json
# A cellar encloses all that is in it, and so does a shell without thickness, whichever way it looks: in mid-air one drops.
echo '0 0 0 6 3 6' | boxes outward.obj
awk '$1 == "f" { print "f", $5, $4, $3, $2; next } { print }' outward.obj >inward.obj
printf '2 0 2 4 2 4\n' | boxes pillar.obj
for shell in outward inward; do
    for y in 0 0.5 1.5; do
        run 0 route --surface --scene $shell.obj --cell 0.1 --from 1,$y,1 --to 5,$y,5 --json
        equal "$(value status)" ok
    done
done
run 0 route --surface --scene inward.obj --cell 0.1 --from 1,0.5,1 --to 5,0.5,5
said out "start      in mid-air, dropped by 0.50 m"
# One mesh of a cellar and a pillar in it: the air of the cellar is none, the pillar is.
awk '$1 == "f" { print "f", $2 + 8, $3 + 8, $4 + 8, $5 + 8; next } { print }' pillar.obj >more.obj
cat inward.obj more.obj >cellar.obj
run 0 route --surface --scene cellar.obj --cell 0.1 --from 1,0.5,1 --to 5,0.5,5
run 1 route --surface --scene cellar.obj --cell 0.1 --from 1,0.5,1 --to 3,0.5,3 --reach 0.2
said out "goal (3, 0.5, 3) is inside an obstacle"

# Outside
refused 'the goal x 99, z 0 is not on the grid, which covers x 0 to 9 and z 0 to 6' route $yard --from 0.5,0,0.5 --to 99,0,0
refused 'the start x -1, z 0 is not on the grid' route $yard --from -1,0,0 --to 7,1.2,3

# A door of six cells: a person goes through it sideways, a body that is too wide does not
boxes door.obj <<END
0 -0.2 0 4 0 4
1.8 0 0 2 2.2 1.65
1.8 0 2.35 2 2.2 4
END
door="--surface --scene door.obj --cell 0.1 --from 0.5,0,2 --to 3.5,0,2"
run 0 route $door --json
equal "$(value person.radius)" 0.3
said out '"rooms":["open","side","open"]'
run 0 route $door
said out "1 narrow"
run 0 route $door --body 1.8,0.2 --json
said out '"rooms":["open"]'
run 1 route $door --body 1.8,0.35,0.3,45 --json
said out "the only path leads closer to an obstacle or an edge than the radius"
# The planner over cells: a border of one on each side leaves four of them, one of three leaves none.
run 0 route $door --search effort --body 1.8,0 --json
equal "$(value border_cells)" 0
run 1 route $door --search effort --json
equal "$(value person.radius)" 0.3
said out "the only path leads through border cells"
run 0 route $door --person 1.7 --border allow --json
equal "$(value person.radius)" 0.3
run 1 route $door --search effort --body 1.8,0.35,0.3,45 --json
equal "$(value status)" no_path
equal "$(value through_border)" true
said out "the only path leads through border cells"
said out "--border allow"
for use in allow ignore; do
    run 0 route $door --body 1.8,0.35,0.3,45 --border $use --json
    equal "$(value status)" ok
    equal "$(value through_border)" true
    between 1 "$(value border_cells)" 40
done
# A goal in the wall is moved out of it.
run 0 route --surface --scene door.obj --cell 0.1 --from 0.5,0,2 --to 1.9,0.1,1 --json
equal "$(value goal_moved)" true
equal "$(value goal_solid)" true
run 0 route --surface --scene door.obj --cell 0.1 --from 0.5,0,2 --to 1.9,0.1,1
said out "goal       inside an obstacle, moved to the nearest free cell"

# Gaps: an adult steps across, a child does not, and nobody crosses two metres
boxes gap.obj <<END
0 0 0 2 1 2
2.6 0 0 4 1 2
6 0 0 8 1 2
END
gap="--surface --scene gap.obj --cell 0.1"
run 0 route $gap --from 1,1,1 --to 3.5,1,1 --border allow --json
run 0 route $gap --from 1,1,1 --to 3.5,1,1 --json
run 1 route $gap --from 1,1,1 --to 3.5,1,1 --person 0.9 --json
run 1 route $gap --from 1,1,1 --to 3.5,1,1 --span 0.3 --json
run 1 route $gap --from 1,1,1 --to 7,1,1 --json
run 0 route $gap --from 1,1,1 --to 3.5,1,1 --to 7,1,1 --json
equal "$(value goal)" 0

# Links: a lift to the balcony; a ladder only when it is asked for
run 1 route $yard --from 0.5,0,0.5 --to 2,2.8,1.5 --json
run 0 route $yard --from 0.5,0,0.5 --to 2,2.8,1.5 --link lift,1,0,3,1,2.8,1 --json
equal "$(value status)" ok
said out ',2.8,'
run 1 route $yard --from 0.5,0,0.5 --to 2,2.8,1.5 --link ladder,1,0,3,1,2.8,1 --json
run 0 route $yard --from 0.5,0,0.5 --to 2,2.8,1.5 --link ladder,1,0,3,1,2.8,1,3 --ladders --json
refused '--link is "rope,1,2,3", it must begin with door, lift, ladder or other' route $yard $up --link rope,1,2,3
refused '--link: "1,2,3" has 3 numbers' route $yard $up --link door,1,2,3
refused 'each number' route $yard $up --effort 1,-1

# Furniture is a guess that can be switched off
boxes crate.obj <<END
0 -0.2 0 6 0 6
2.5 0 2.5 3.5 0.43 3.5
END
crate="--surface --scene crate.obj --cell 0.1 --body 1.8,0.3 --from 0.5,0,0.5 --to 3,0.43,3"
run 0 route $crate --json --no-guess
said out ',[3,0.43,3]]'
equal "$(value goal_fate)" on
"$troupe" route $crate --json --reach 0.1 >out 2>err
status=$? what="route on a crate"
equal $status 1
said out "looks like furniture: --no-guess"

# A spiral stair of 31 cm steps is one for a body that climbs 40 cm; otherwise the answer says what is in the way.
awk 'BEGIN {
    print "0 -0.2 0 8 0 8"
    split("2 2 3 3 3 2 4 3 4 2 5 3 4 3 5 4 4 4 5 5 3 4 4 5 2 4 3 5 2 3 3 4", at, " ")
    for (i = 0; i < 8; i++)
        printf "%g 0 %g %g %g %g\n", at[4 * i + 1], at[4 * i + 2], at[4 * i + 3], 0.31 * (i + 1), at[4 * i + 4]
    print "0 2.3 2 2 2.48 6"
}' | boxes spiral.obj
spiral="--surface --scene spiral.obj --cell 0.1 --from 1,0,1 --to 1,2.48,4"
run 0 route $spiral --body 1.8,0.2,0.4 --json
between 4 "$(value length)" 12
run 0 route $spiral --body 1.8,0.2 --no-guess --json
run 0 route $spiral --body 1.8,0.2 --json # the guess knows what the body climbs
run 1 route $spiral --body 1.8,0.2 --search effort --json
said out "looks like furniture: --no-guess"
run 1 route $spiral --body 1.8,0.2,0.3 --no-guess --json
said out "no way leads from the start to a goal"

# Several characters, pairs, times, footsteps
run 1 route $yard $up --from 7,1.2,3 --to 0.5,0,0.5 --from 0.5,0,0.5 --to 2,2.8,1.5 --json
equal "$(value routes)" 3
equal "$(value found)" 2
printf 'sx,sy,sz,ex,ey,ez\n0.5,0,0.5,7,1.2,3\n0.5,0,0.5,2,2.8,1.5\n0.5,0,0.5,99,0,0\n' >pairs.csv
run 1 route $yard --pairs pairs.csv --json
equal "$(value pairs)" 3
equal "$(value found)" 1
equal "$(value results)" 3
said out '"status":"outside"'
said out '"points":[[0.5,0,0.5],'
said out '"reason":"the goal x 99, z 0 is not on the grid'
between 1.15 "$(value results.0.points.$(($(value results.0.points) - 1)).1)" 1.25
has results.0.length results.0.search_us results.0.pieces results.1.reason
run 1 route $yard --pairs pairs.csv
said out "3, 1 found"
run 0 route $yard $up --from 7,1.2,3 --to 0.5,0,0.5 --times --json
equal "$(value routes)" 2
said out '"times":[0,'
run 0 route $yard $up --times --speed 0.5
said out "arrives after 14."
# Two who come towards each other on stairs: the second steps aside before.
run 0 route $yard $up --from 7,1.2,3 --to 0.5,0,0.5 --times
said out " 0.00 s of it waiting"
# Five through each other in the office: nobody is nearer to another than two radii, looked at from outside.
run 0 route --sample office --from -7,0,0 --to 7,0,0 --from 7,0,0.5 --to -7,0,0.5 --from 0,0,-7 --to 0,0,7 \
    --from 1,0,7 --to 1,0,-7 --from -5,0,-7 --to 5,0,7 --times --json
awk -f "$here/apart.awk" out >near
equal "$(cut -d' ' -f1 near)" 5
between 0.6 "$(cut -d' ' -f2 near)" 3
run 0 route $yard $up --footsteps plan --json
between 10 "$(value footsteps)" 40
run 0 route $yard $up --footsteps corners --search astar --refine alternate --json
between 30 "$(value footsteps)" 400
run 0 route $yard $up --budget 5 --json
equal "$(value status)" partial

# Samples come with a way
for sample in labyrinth stairs factory; do
    run 0 route --surface --sample $sample --json
    equal "$(value status)" ok
done
refused 'the sample office has no default route' route --surface --sample office

# Other people's scenes
for scene in nav_test undulating; do
    if [ ! -f "$data/scenes/$scene.obj" ]; then
        echo "skipped $scene: there is no shared data"
        continue
    fi
    head -101 "$data/scenes/${scene}_pairs.csv" >some.csv
    run 0 route --surface --scene "$data/scenes/$scene.obj" --body 2,0.6,0.9,45 --cell 0.3 --layer 0.2 --pairs some.csv --json
    equal "$(value found)" 100
done

# Pictures
"$troupe" route $yard $up --png one.png >out 2>err
status=$? what="troupe route --surface --png"
if [ $status -eq 2 ] && grep -q "no libpng" err; then
    echo "skipped pictures: this build has no libpng"
else
    equal $status 0
    is_png one.png
    cp one.png before.png
    run 0 route $yard $up --png one.png --json
    cmp -s one.png before.png
    equal $? 0
    run 1 route $yard $up --from 7,1.2,3 --to 2,2.8,1.5 --png many.png --pixels 4
    is_png many.png
    run 1 route $yard --pairs pairs.csv --png pairs.png
    is_png pairs.png
    run 1 route $yard --from 0.5,-5,0.5 --to 7,1.2,3 --png nowhere.png
    is_png nowhere.png
    awk 'BEGIN { print "sx,sy,sz,ex,ey,ez"; for (i = 0; i < 300; i++) print "0.5,0," 0.5 + i / 100 ",7,1.2,3" }' >many.csv
    run 0 route $yard --pairs many.csv --png many.png --json
    is_png many.png
    refused 'no/such/folder/x.png' route $yard $up --png no/such/folder/x.png
fi

# Bad scenes
printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\nv 5 1 1\nf 1 2 3\nf 4 4 4\n' >flat.obj
refused 'flat.obj is degenerate: none of its 2 triangles has an area' route --surface --scene flat.obj --from 1,0,0 --to 2,0,0
printf 'v 0 0 0\nv 0.04 0 0\nv 0 0 0.04\nf 1 3 2\n' >tiny.obj
refused 'tiny.obj is 0.04 x 0.04 m seen from above, smaller than a cell of 0.05 m' route --surface --scene tiny.obj --from 0,0,0 --to 0,0,0
printf 'v 0 0 0\nv 5 0 0\nv 5 3 0\nv 0 3 0\nf 1 2 3 4\n' >wall.obj
refused 'no body can stand in wall.obj' route --surface --scene wall.obj --from 1,0,0 --to 2,0,0
printf 'v 0 0 0\n' >none.obj
refused 'none.obj' route --surface --scene none.obj --from 1,0,0 --to 2,0,0
refused 'nowhere.obj' route --surface --scene nowhere.obj --from 1,0,0 --to 2,0,0

# Bad usage
refused '--search jps is for level ground' route $yard $up --search jps
refused '--search dijkstra is for level ground' route $yard $up --search dijkstra
refused '--search is "best", it must be flood, astar or effort' route $yard $up --search best
refused '--search is "best", it must be flood, astar or effort' route --scene yard.obj --search best $up
refused '--layer cannot be used on maps of level ground' route --scene yard.obj --search jps --layer 0.1 $up
refused '--person cannot be used on maps of level ground' route --scene yard.obj --ground 0 --person 1.7 $up
refused '--person and --body' route $yard $up --person 1.7 --body 1.8,0.3
refused '--band is for level ground' route $yard $up --band 0,1
refused '--ground is for level ground' route $yard $up --ground 0
refused '--surface requires --scene or --sample' route --surface --map gap.map $up
refused 'needs one of --scene FILE' route --surface $up
refused '--cut-corners' route $yard $up --cut-corners
refused '--times needs --from and --to' route $yard --pairs pairs.csv --times
refused '--times needs --from and --to' route $yard $up --times --search effort
refused 'with --times each --from needs exactly one --to' route $yard $up --to 1,0,1 --times
refused '--footsteps needs --from and --to' route $yard $up --times --footsteps plan
refused '--border is "near"' route $yard $up --border near
refused '--refine is "round"' route $yard $up --refine round
refused '--layer is 0' route $yard $up --layer 0
refused '--person is 9' route $yard $up --person 9
refused '--person is 1.8,0' route $yard $up --person 1.8,0
refused '--span is -1' route $yard $up --span -1
refused '--pixels requires --png' route $yard $up --pixels 3
refused 'needs --from' route $yard
refused 'no --to follows' route $yard --from 1,0,1

finish_checks
