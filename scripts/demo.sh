#!/usr/bin/env bash
# scripts/demo.sh TROUPE FOLDER - make the sample scenes and their maps, and say what to look at.
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
cat <<END

Where an adult of 1.8 m with a radius of 0.3 m can stand. Open
  $folder/office.png   $folder/maze.png   the maps: occupied cells, the growth around them, free ground by its clearance
  $folder/office.obj   $folder/maze.obj   the scenes, for Blender or any other viewer
Another body, another grid: $troupe map --scene $folder/office.obj --body 1.2,0.5 --cell 0.02 --png $folder/wide.png
END
