#!/usr/bin/env bash
# scripts/demo.sh TROUPE FOLDER - make the sample scenes, their maps, routes and people, and say what to look at.
set -euo pipefail
cd "$(dirname "$0")/.."
troupe=${1:-build/troupe}
folder=${2:-demo}
mkdir -p "$folder"

# value KEY: a number or a word of the JSON document on the standard input.
value() { sed -nE "s/.*\"$1\": *\"?([^\",}]*)\"?[,}].*/\1/p"; }

row() { printf '%-9s %9s  %-11s %7s %8s %8s %11s %9s\n' "$@"; }
row scene triangles grid 'cell m' 'free %' 'objects' 'project us' 'grow us'
for sample in office maze; do
    "$troupe" gen "$sample" -o "$folder/$sample.obj" >/dev/null
    map=$("$troupe" map --scene "$folder/$sample.obj" --cell 0.05 --clearance --json --png "$folder/$sample.png")
    row "$sample" "$(value triangles <<<"$map")" "$(value columns <<<"$map") x $(value rows <<<"$map")" \
        "$(value cell <<<"$map")" "$(awk -v share="$(value free_share <<<"$map")" 'BEGIN { printf "%.1f", 100 * share }')" \
        "$(value objects <<<"$map")" "$(value project_us <<<"$map")" "$(value grow_us <<<"$map")"
done

# Six people in the office, each with a way to go; then one through the maze, with all that was searched for it.
office_routes=(
    --from -8.5,0,-6 --to 8.5,0,8
    --from 8,0,-6.5 --to -9,0,4
    --from -3.5,0,-5.5 --to -8.9,0,6
    --from 0,0,-9 --to 4,0,7
    --from -0.5,0,9 --to 8.8,0,0.1
    --from -9,0,-2 --to 4,0,-6
)
echo
"$troupe" route --sample office --cell 0.05 --search astar "${office_routes[@]}" --png "$folder/office-routes.png" |
    awk '/^route/ { sub(/^route +/, ""); printf "%-8s route %d   %s\n", "office", ++count, $0 }'
"$troupe" route --sample maze --cell 0.05 --search astar --from -9,0,-9 --to 7,0,5 --png "$folder/maze-route.png" |
    awk '/^route/ { sub(/^route +/, ""); printf "%-8s route %d   %s\n", "maze", ++count, $0 }'
# The same six people walk there, around each other: the shot for any viewer, and its pictures.
echo
"$troupe" play stages/office.json -o "$folder/office.glb" --png "$folder/office-people.png" --bvh "$folder/bvh" \
    --report "$folder/office-report.json"
echo
"$troupe" audit "$folder/office.glb" --scene "$folder/office.obj" --max-slide 1 --max-skate 1 --max-penetration 1 \
    --max-limits 0 --max-collisions 0
# Three people in a house: up the stairs, over a gap, down the garden steps.
echo
"$troupe" gen house -o "$folder/house.obj" >/dev/null
"$troupe" route --sample house --body 1.8,0.3,0.45,45 --from 8,0.05,6.8 --to 17.4,2.85,6.5 \
    --png "$folder/house-route.png" |
    awk '/^route/ { sub(/^route +/, ""); printf "%-8s route %d   %s\n", "house", ++count, $0 }'
"$troupe" play stages/house.json -o "$folder/house.glb" --png "$folder/house-people.png" --report "$folder/house-report.json"
"$troupe" audit "$folder/house.glb" --scene "$folder/house.obj" --max-slide 1 --max-penetration 1 --max-limits 0 \
    --max-collisions 0
# Liu & Badler's two tasks: a hand for the thermos, then for the teacup, through the clutter of a desk.
echo
"$troupe" gen desk -o "$folder/desk.obj" >/dev/null
"$troupe" reach --sample desk --tasks stages/desk_tasks.json --goal pose --runs 5
"$troupe" play stages/desk.json -o "$folder/desk.glb" --png "$folder/desk-people.png" --depth "$folder/desk-depth" \
    --report "$folder/desk-report.json"
"$troupe" audit "$folder/desk.glb" --scene "$folder/desk.obj" --max-slide 1 --max-penetration 1 --max-limits 0 \
    --max-collisions 0
# Lau & Kuffner's falling tree: who comes early jogs past, who comes late jumps over it.
echo
"$troupe" play stages/falling_tree.json -o "$folder/falling-tree.glb" --png "$folder/falling-tree-people.png" \
    --report "$folder/falling-tree-report.json"
# Their hundred: people who cross a field of things that stand and carts that move, around each other. The GLB is
# audited against the scene by itself.
"$troupe" gen crowd --kind crowd_field --people 100 --seed 3 -o "$folder/hundred.json" >/dev/null
"$troupe" play "$folder/hundred.json" -o "$folder/hundred.glb" --png "$folder/hundred-people.png" \
    --report "$folder/hundred-report.json" | sed -n '1p; /^joint limits/p'
# Their skateboarder, who waits and jumps over a hook that slides, and their horses, who gallop through rolling things.
"$troupe" play stages/skateboarder.json -o "$folder/skateboarder.glb" --png "$folder/skateboarder.png"
"$troupe" play stages/horses.json -o "$folder/horses.glb" --png "$folder/horses.png"
# One weight changes the plan: over the hill and the log, or around the log.
"$troupe" play stages/hill.json -o "$folder/hill.glb" --png "$folder/hill.png" | sed -n 2,3p
"$troupe" play stages/hill_flat.json -o "$folder/hill-flat.glb" --png "$folder/hill-flat.png" | sed -n 2,3p
# Onto a block as high as the hips, down again, over the next one, and across a ditch.
"$troupe" play stages/blocks.json -o "$folder/blocks.glb" --png "$folder/blocks-people.png" \
    --report "$folder/blocks-report.json"
"$troupe" audit "$folder/blocks.glb" --scene stages/blocks.obj --max-slide 1 --max-limits 0 --max-collisions 0
# Two people steered by recorded mouse tracks over an obstacle course, and Li's figures 6 and 8.
"$troupe" play stages/trail.json -o "$folder/trail.glb" --png "$folder/trail-people.png" \
    --report "$folder/trail-report.json"
for figure in figure6 figure8_1 figure8_3; do
    "$troupe" play "stages/$figure.json" --follow Lin --png "$folder/li-$figure.png" >/dev/null
done
for who in Ada Ben; do
    "$troupe" play stages/figure9.json --follow "$who" --view three-quarter --from 1 --to 7 --png "$folder/li-figure9-$who.png" \
        >/dev/null
done
# What the planner of behaviors looks at in each of their figures, coloured by cost.
search_tree() { # NAME ARGUMENTS...
    local name=$1
    shift
    printf '%-14s' "$name"
    "$troupe" route "$@" --png "$folder/search-tree-$name.png" | sed -nE 's/^(astar|truncated) +//p'
}
search_tree astar --behaviors human --sample behaviors --cell 0.1
search_tree truncated --behaviors human --sample behaviors --cell 0.1 --search truncated
search_tree inflated --behaviors human --sample behaviors --cell 0.1 --inflation 2
search_tree falling-tree --behaviors human --sample falling_tree --cell 0.1 --inflation 1.5
search_tree hill --behaviors human --sample hill --cell 0.05 --inflation 1.5
search_tree hill-flat --behaviors human --sample hill --cell 0.05 --inflation 1.5 --weight jump=50 \
    --weight jump_low=50 --weight jump_high=50 --weight jump_long=50
search_tree skateboarder --behaviors skateboarder --sample hook --cell 0.04 --inflation 1.5 --heuristic field \
    --tolerance 1.1
search_tree horse --behaviors horse --sample stampede --cell 0.1 --heading 90 --inflation 1.5 --heuristic field \
    --tolerance 1.1
# Close-ups of bodies: what an animator looks at first. Each is a strip of eight frames.
echo
close_up() { # NAME STAGE CHARACTER VIEW FROM TO
    "$troupe" play "stages/$2.json" --follow "$3" --view "$4" --from "$5" --to "$6" --frames 8 \
        --png "$folder/close-up-$1.png" >/dev/null
}
close_up slope-up course Ramp side 9 11.2
close_up slope-down course Ramp side 15 17.2
close_up stairs-up course Stairs side 9.2 12.2
close_up stairs-down course Stairs side 14.8 17.8
close_up side-step course Gap three-quarter 11.6 15
close_up corner course Bends three-quarter 7 11.5
close_up start course Bends three-quarter 0 1.6
close_up walk-jog-run course Track side 4.2 7
close_up run-walk course Track side 8.6 10.8
close_up stop course Track side 15.2 17.4
close_up jump falling_tree Ben side 14 16
close_up crawl course_behaviors Ada side 40 43
close_up gallop horses Hex side 2.8 4.8
close_up horse-start horses Hex side 0 2.7
close_up ollie skateboarder Sky side 27 29
close_up climb blocks Ada side 5.2 8.4
close_up leap-down blocks Ada side 15 18
close_up stones trail Lin side 7 11
close_up hurdle trail Lin side 15.5 20
close_up back-step trail Max three-quarter 8.5 13
close_up heavy people Emil three-quarter 3 4.4
"$troupe" play stages/people.json -o "$folder/people.glb" --png "$folder/people.png"
# A crowd as a short loop, where ffmpeg is installed.
echo
if command -v ffmpeg >/dev/null; then
    FILM_SECONDS=4.5 FILM_BYTES=400000 FILM_CROP=iw*0.74:ih*0.92:iw*0.14:ih*0.06 \
        scripts/film.sh "$troupe" "$folder/crowd.webp" --kind plaza --people 12 --seed 3
else
    echo "ffmpeg is not installed: no $folder/crowd.webp"
fi
loop=""
[ -f "$folder/crowd.webp" ] && loop="  $folder/crowd.webp          12 people on a square, as a loop
"
cat <<END

Where an adult of 1.8 m with a radius of 0.3 m can stand, and how to get there. Open
  $folder/office.png   $folder/maze.png   the maps: occupied cells, the growth around them, free ground by its clearance
  $folder/office-routes.png   six shortest routes through the office
  $folder/maze-route.png      one through the maze: the cells that were searched, first to last, and the route
  $folder/office.glb          six people walking through the office, for Blender, three.js or any other viewer
  $folder/office-people.png   the same as a film strip; $folder/bvh has a file for each of them
  $folder/house-route.png     the surfaces of a house, storey above storey, and a way from one to the other
  $folder/house.glb           three people in that house: stairs, a gap, garden steps; $folder/house-people.png shows them
  $folder/desk.glb            a hand reaches for a thermos and a teacup; $folder/desk-people.png shows it, and $folder/desk-depth
                              what cameras inside the arm see of the desk
  $folder/falling-tree.glb    a tree falls across the only gap: jog past, or jump over it; $folder/falling-tree-people.png
  $folder/blocks.glb          one who climbs onto blocks, comes down and jumps a ditch; $folder/blocks-people.png shows it
  $folder/trail.glb           two people steered by mouse tracks over blocks, a gap, stones, hurdles; $folder/trail-people.png shows
                              them; $folder/li-figure6.png, -figure8_1, -figure8_3, -figure9-Ada and -Ben are Li's figures
  $folder/hundred.glb         a hundred people on a field among carts; $folder/hundred-people.png shows them
  $folder/skateboarder.glb    a skateboarder who waits and jumps over a hook; $folder/skateboarder.png shows it
  $folder/horses.glb          three horses among rolling things; $folder/horses.png shows them
  $folder/hill.png            over a hill and a log; $folder/hill-flat.png   around the log, where jumping is dear
  $folder/search-tree-*.png   the places that the planner of behaviors looked at, coloured by cost, and its plans: A*,
                              truncated and inflated A*, the falling tree, the hill at two sets of costs, the
                              skateboarder, a horse
  $folder/people.glb          a woman, a man, a child, two who are old and heavy, and styles; $folder/people.png shows them
  $folder/close-up-*.png      eight frames each of one character: slope-up, slope-down, stairs-up, stairs-down, side-step,
                              corner, start, walk-jog-run, run-walk, stop, jump, crawl, gallop, horse-start, ollie,
                              climb, leap-down, stones, hurdle, back-step, heavy
$loop  $folder/office.obj   $folder/maze.obj   the scenes, for Blender or any other viewer
Another body, another grid: $troupe map --scene $folder/office.obj --body 1.2,0.5 --cell 0.02 --png $folder/wide.png
Another play:               $troupe play stages/office.json -o $folder/again.glb --video $folder/office.mp4
Another way:                $troupe route --sample office --from 4,0,-6 --to 8,0,8 --search jps --png $folder/way.png
END
