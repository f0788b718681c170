#!/bin/sh
# test_cli.sh TROUPE JSON_CHECK: the tool as a user meets it. Prints what failed, exits with 1 if anything did.
troupe=$1 json_check=$2 here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
. "$here/checks.sh"

run 0 --version
said out "troupe "
run 0 version
said out "troupe "
run 0 --help
for name in map route gen bench; do
    said out "$name"
done
for name in map route gen; do
    run 0 $name --help
    said out "usage: troupe $name"
    silent err
    run 0 help $name
    said out "usage: troupe $name"
done

"$troupe" >out 2>err
status=$? what=troupe
equal $status 2
said err "usage: troupe"
silent out
refused 'no command "mpa"' mpa
refused 'no command "mpa"' help mpa

# gen
run 0 gen --list
for name in maze office field edges terrace room labyrinth stairs factory house city desk; do
    said out "$name"
done
run 0 gen room -o room.obj
said out "470 triangles"
silent err
run 0 gen room --out=again.obj
cmp -s room.obj again.obj
equal $? 0
run 0 gen room -o -
cmp -s room.obj out
equal $? 0
run 0 gen maze -o maze.obj --triangles 3001 --seed 7
equal "$(grep -c '^f ' maze.obj)" 3001
run 0 gen corridor -o corridor.obj --width 2.5 --length 20
run 0 map --sample corridor --width 2.5 --length 20 --cell 0.1 --json
equal "$(grep -c '^f ' corridor.obj)" 260
refused 'must be 0.5 to 20' gen corridor -o x.obj --width 0.2
refused 'no length to set' gen door -o x.obj --length 2
refused 'does not depend on a number of people' gen maze -o x.obj --people 5
refused '--width, --length and --people require --sample' map --scene corridor.obj --width 3
run 0 gen crowd --kind swap --width 0.9 --people 4 --seed 3 -o swap.json
run 0 gen crowd --kind swap --width 0.9 --people 4 --seed 3 -o -
cmp -s swap.json out
equal $? 0
equal "$(grep -o '"start"' swap.json | wc -l | tr -d ' ')" 4
run 0 gen crowd --kind plaza --people 2 -o plaza.json
run 0 play plaza.json -o plaza.glb
refused 'unknown crowd "queue"' gen crowd --kind queue -o x.json
refused 'needs --kind' gen crowd -o x.json
refused '--kind can only be given with gen crowd' gen maze --kind swap -o x.obj
refused 'does not end with .json' gen crowd --kind swap -o x.obj
refused 'there is room for' gen crowd --kind stairs --people 5000 -o x.json
refused 'unknown sample "mazes"' gen mazes -o x.obj
refused '600 to 4000000 triangles, 5 requested' gen maze -o x.obj --triangles 5
refused '--triangles: "many"' gen maze -o x.obj --triangles many
refused '--triangles: "-4"' gen maze -o x.obj --triangles -4
refused '--seed: "1x"' gen maze -o x.obj --seed 1x
refused '--seed needs a value' gen maze -o x.obj --seed
refused 'no option "--sede"' gen maze -o x.obj --sede 1
refused 'needs the name' gen -o x.obj
refused 'needs -o' gen maze
refused '"x.stl"' gen maze -o x.stl
refused '"room" follows "maze"' gen maze room -o x.obj
refused 'no/such/folder/x.obj' gen maze -o no/such/folder/x.obj
checks=$((checks + 1))
[ ! -e x.obj ] || fail "a refused gen left x.obj"

# map
run 0 map --sample office --cells 45
said out "15320 triangles"
said out "45 x 45 cells"
silent err
run 0 map --sample office --cells 45 --json
silent err
equal "$(value cells)" 2025
equal "$(value grid.columns)" 45
equal "$(value triangles)" 15320
has occupied blocked free free_share project_us grow_us build_us prepare_us backend band radius growth
equal $(($(value blocked) + $(value free))) 2025
run 0 map --scene room.obj --cell 0.1 --clearance --heights --json
equal "$(value grid.columns)" 60
equal "$(value grid.rows)" 50
value clearance.greatest >/dev/null
equal $? 0
value overhang.least >/dev/null
equal $? 0
file_blocked=$(value blocked)
run 0 map --sample room --cell 0.1 --json
equal "$(value blocked)" "$file_blocked"
run 0 map --sample room --cell 0.1 --body 1.8,0 --json
equal "$(value blocked)" "$(value occupied)"
run 0 map --sample room --cells 12 --ascii
equal "$(wc -l <out | tr -d ' ')" 10
said out "############"
run 0 map --sample room --cells 12 --backend gl --json
value backend >/dev/null
equal $? 0
run 0 map --sample maze --growth centres --band 0.1,1 --ground 0 --json
equal "$(value growth)" centres
run 0 map --scene room.obj --ground 5 --json
equal "$(value blocked)" 0
run 0 map --scene room.obj --band -1,1 --cells 10
said err "no cell is free"
printf 'v 0 100 0\nv 1 100 0\nv 0 101 1\nf 1 2 3\n' >high.obj
run 0 map --scene high.obj --json
said err "no cell is occupied. The scene reaches from 100 m to 101 m; set the height of its floor with --ground"
equal "$(value blocked)" 0
run 0 map --scene high.obj --ground 100 --unit 1 --json
silent err
run 0 map --scene room.obj --unit 100 --cell 10 --json
equal "$(value grid.columns)" 60
run 0 map --scene room.obj --up y --cell 0.1 --json
equal "$(value blocked)" "$file_blocked"
# The farthest cell is as far as the cheapest of the routes from there.
run 0 map --sample office --cells 100 --to 9,8 --to -9,0 --json
farthest=$(value distance.farthest.0),0,$(value distance.farthest.1) far=$(value distance.greatest)
run 0 route --sample office --cells 100 --search jps --from "$farthest" --to 9,0,8 --to -9,0,0 --json
equal "$(printf %.3f "$(value cells_length)")" "$(printf %.3f "$far")"
run 0 map --sample office --cells 45 --to 9,8
said out "free cells reach it"
refused '--to: there is no free cell within 2 m of (100, 100)' map --sample office --to 100,100
refused '--to' map --sample office --to 1
run 0 map --sample room --area -1,-1,1,2 --cell 0.1 --json
equal "$(value grid.columns)" 20
equal "$(value grid.rows)" 30

"$troupe" map --sample room --cells 30 --heights --png map.png >out 2>err
status=$? what="troupe map --png"
if [ $status -eq 2 ] && grep -q "no libpng" err; then
    echo "skipped pictures: this build has no libpng"
else
    equal $status 0
    is_png map.png
    is_png map-heights.png
    run 0 map --sample room --cells 30 --to 0,0 --png distance.png
    is_png distance.png
    refused 'no/such/folder/map.png' map --sample room --png no/such/folder/map.png
fi

refused 'either --scene FILE or --sample NAME' map
refused 'either --scene FILE or --sample NAME' map --sample room --scene room.obj
refused 'unknown sample "rome"' map --sample rome
refused 'nowhere.obj' map --scene nowhere.obj
echo 'f 1 2 3' >broken.obj
refused 'broken.obj:1' map --scene broken.obj
: >empty.obj
run 2 map --scene empty.obj
refused '--cell is 0, it must be' map --sample room --cell 0
refused '--cell: "nan"' map --sample room --cell nan
refused '--cell and --cells' map --sample room --cell 1 --cells 5
refused '--cells is 99999' map --sample room --cells 99999
refused 'cells' map --sample office --cell 0.0001
refused '--body: "1.8" has 1 numbers' map --sample room --body 1.8
refused '--body: "1.8,,3"' map --sample room --body 1.8,,3
refused '--body is 1.8,-1' map --sample room --body 1.8,-1
refused '--band is 2,1' map --sample room --band 2,1
refused '--growth is "fast", it must be safe or centres' map --sample room --growth fast
refused '--backend is "vulkan"' map --sample room --backend vulkan
refused '--up is "x"' map --scene room.obj --up x
refused '--up and --unit require --scene' map --sample room --up z
refused '--unit is 0, it must be' map --scene room.obj --unit 0
refused '--area is 1,0,1,2: x0 must be below x1' map --sample room --area 1,0,1,2
refused '--area: "1,2" has 2 numbers, it must have 4' map --sample room --area 1,2
printf 'v 0 0 0\nv 10000 0 0\nv 0 0 10000\nf 1 2 3\n' >wide.obj
refused '1000001 x 1000001 cells of 0.01 m are needed' map --scene wide.obj --cell 0.01
run 0 map --scene wide.obj --cell 0.01 --area 5,5,10,10 --json
equal "$(value grid.columns)" 501 # 0.01 is a little less as a float
echo hello >hello.nosuch
refused 'hello.nosuch: ' map --scene hello.nosuch
checks=$((checks + 1))
grep -qF 'magic' err && fail "$what: a name that assimp made up"
refused '--json takes no value' map --sample room --json=1
refused '--ascii and --json' map --sample room --ascii --json
refused '--pixels requires --png' map --sample room --pixels 3
refused 'map takes no argument "room.obj"' map room.obj
refused 'no option "-z"' map -z

# Files that are empty or no regular files: a sentence at once, whatever they are called and whoever reads them
mkdir odd
for ending in obj gltf glb fbx dae stl ply 3ds blend bvh json map scen csv; do
    : >odd/empty.$ending
    mkdir odd/folder.$ending
    mkfifo odd/pipe.$ending
    for kind in empty folder pipe; do
        file=odd/$kind.$ending
        case $ending in
        bvh) set -- audit $file ;;
        json) set -- play $file ;;
        map) set -- route --map $file --from 1,1 --to 2,2 ;;
        scen) set -- route --map odd/empty.map --scen $file ;;
        csv) set -- route --sample room --pairs $file ;;
        *) set -- map --scene $file ;;
        esac
        "$troupe" "$@" >out 2>err &
        number=$! what="troupe $*"
        for second in 1 2 3 4 5 6 7 8 9 10; do
            kill -0 $number 2>/dev/null && sleep 0.$second
        done
        checks=$((checks + 1))
        kill $number 2>/dev/null && fail "$what: it waits"
        wait $number
        status=$?
        equal $status 2
        said err "troupe: odd/"
        case $kind in
        folder) [ $ending = scen ] || said err "cannot read: it is a folder, only regular files are read" ;;
        pipe) [ $ending = scen ] || said err "cannot read: it is a pipe, only regular files are read" ;;
        esac
        case $kind.$ending in
        empty.bvh) said err "the file is empty" ;;
        empty.json | empty.map | empty.scen | empty.csv) ;;
        empty.*) said err "the file is empty" ;;
        esac
    done
done

finish_checks
