#!/usr/bin/env bash
# scripts/film.sh TROUPE OUT [OPTION...] - a sample crowd as one short animated picture (.webp or .gif) that loops without a
# jump and is small enough for the top of a page. The options are those of `troupe gen crowd`; without any, 24 people meet at a
# crossing.
# Needs ffmpeg. From the environment: FILM_BEGIN and FILM_SECONDS (which part of the play, 1 and 7), FILM_RATE (frames a
# second, 12), FILM_BYTES (the most it may have, 1500000), FILM_CROP (the part of the picture that is shown, as ffmpeg's crop has
# it, iw:ih).
set -euo pipefail
usage="usage: film.sh TROUPE OUT.webp|OUT.gif [OPTION of troupe gen crowd...]"
troupe=${1:?$usage}
out=${2:?$usage}
shift 2
[ $# -gt 0 ] || set -- --kind crossing --people 24 --length 6 --seed 1
begin=${FILM_BEGIN:-1}
seconds=${FILM_SECONDS:-7}
rate=${FILM_RATE:-12}
most=${FILM_BYTES:-1500000}
crop=${FILM_CROP:-iw:ih}
fade=0.6 # of the end into the beginning [s]

command -v ffmpeg >/dev/null || { echo "film.sh: ffmpeg is not installed (Debian: apt-get install ffmpeg)" >&2; exit 2; }
work=$(mktemp -d "${TMPDIR:-/tmp}/troupe-film-XXXXXX")
trap 'rm -rf "$work"' EXIT

"$troupe" gen crowd "$@" -o "$work/stage.json" >/dev/null
# Status 1 says that somebody is still on the way when the film ends: that is as it should be.
end=$(awk -v b="$begin" -v s="$seconds" -v f="$fade" 'BEGIN { print b + s + f }')
status=0
"$troupe" play "$work/stage.json" -o "$work/shot.glb" --seconds "$end" --video "$work/shot.mkv" --size 1280,720 \
    >"$work/said" 2>&1 || status=$?
[ "$status" -le 1 ] && [ -s "$work/shot.mkv" ] || { cat "$work/said" >&2; exit 1; }

# The film begins `fade` after the cut and ends with a fade into what was left out there: its last frame is followed by its
# first. Flat colours need no dithering, and without it frames compress better.
loop="trim=start=$begin,setpts=PTS-STARTPTS,fps=$rate,split[film][copy];[film]trim=start=$fade,setpts=PTS-STARTPTS[rest];"
loop+="[copy]trim=end=$fade,setpts=PTS-STARTPTS[head];"
loop+="[rest][head]xfade=transition=fade:duration=$fade:offset=$(awk -v s="$seconds" -v f="$fade" 'BEGIN { print s - f }')"
# encode WIDTH: into $work/film.
encode() {
    local picture="$loop,crop=$crop,scale=$1:-2:flags=lanczos"
    case $out in
        *.webp) ffmpeg -y -nostdin -loglevel error -i "$work/shot.mkv" -filter_complex "$picture" -c:v libwebp_anim \
            -quality 50 -compression_level 6 -loop 0 -f webp "$work/film" ;;
        *) ffmpeg -y -nostdin -loglevel error -i "$work/shot.mkv" -filter_complex \
            "$picture,split[a][b];[a]palettegen=max_colors=96:stats_mode=full[p];[b][p]paletteuse=dither=none" \
            -loop 0 -f gif "$work/film" ;;
    esac
}
for width in 800 720 640 560 480 400 320; do
    encode "$width"
    bytes=$(stat -c %s "$work/film")
    if [ "$bytes" -le "$most" ]; then
        mkdir -p "$(dirname "$out")"
        cp "$work/film" "$out"
        echo "$out: $width pixels wide, $bytes bytes"
        exit 0
    fi
done
echo "film.sh: $bytes bytes at $width pixels, $most are allowed: make it shorter (FILM_SECONDS) or slower (FILM_RATE)" >&2
exit 1
