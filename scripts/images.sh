#!/usr/bin/env bash
# scripts/images.sh DEMO - the pictures of the README, docs/images, anew from those that `make demo` wrote into the folder DEMO.
# Needs ffmpeg.
set -euo pipefail
cd "$(dirname "$0")/.."
demo=${1:-demo}
command -v ffmpeg >/dev/null || { echo "images.sh: ffmpeg is not installed (Debian: apt-get install ffmpeg)" >&2; exit 2; }

# The wide picture of a film strip, without the frames below it.
wide() { ffmpeg -y -nostdin -loglevel error -i "$1" -vf "crop=iw:iw*0.451:0:0,scale=1200:-1:flags=lanczos" -frames:v 1 "$2"; }
wide "$demo/office-people.png" docs/images/people.png
wide "$demo/house-people.png" docs/images/house.png
wide "$demo/desk-people.png" docs/images/desk.png
# A close-up, in 256 colours.
close_up() {
    ffmpeg -y -nostdin -loglevel error -i "$demo/close-up-$1.png" -frames:v 1 -vf \
        "scale=1200:-1:flags=lanczos,split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none" "docs/images/$2.png"
}
close_up walk-jog-run run
close_up climb climb
# The roadmap of comply, in 64 colours.
build/examples/comply "$demo/comply_roadmap.png" >/dev/null
ffmpeg -y -nostdin -loglevel error -i "$demo/comply_roadmap.png" -frames:v 1 -vf \
    "split[a][b];[a]palettegen=max_colors=64[p];[b][p]paletteuse=dither=none" docs/images/comply_roadmap.png
cp "$demo/office-routes.png" docs/images/office.png
cp "$demo/crowd.webp" docs/images/crowd.webp
