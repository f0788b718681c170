#!/usr/bin/env bash
# scripts/docs.sh - make the API reference from the public headers, README.md and docs: build/docs/html/index.html. Fails
# if doxygen warns. cmake/Doxyfile has the settings; scripts/doxygen_filter.awk turns plain comments into doxygen's.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
command -v doxygen >/dev/null || { echo "docs.sh: doxygen is not installed (scripts/setup.sh docs)" >&2; exit 2; }
out=build/docs
rm -rf "$out"
mkdir -p "$out"

number() { sed -n "s/^#define TR_VERSION_$1 //p" include/troupe/base/version.h; }
VERSION=$(number MAJOR).$(number MINOR).$(number PATCH)
# The names of functions, types, macros and enumerators: what a word of a comment or a page may link to.
NAMES=$out/names
sed -E 's,//.*,,' include/troupe/*/*.h | awk '
    /^#define TR_/ { sub(/\(.*/, "", $2); print $2; next }
    /^(TR_API|static inline) / && match($0, /tr_[a-z0-9_]+\(/) { print substr($0, RSTART, RLENGTH - 1) }
    /^typedef .*\(\*tr_/ { match($0, /tr_[a-z0-9_]+\)/); print substr($0, RSTART, RLENGTH - 1) }
    /^(}|typedef struct .*;)/ { match($0, /tr_[a-z0-9_]+;/); if (RSTART) print substr($0, RSTART, RLENGTH - 1) }
    /enum [a-z_]*{/ || /enum [a-z0-9_]+ {/ { listed = 1; sub(/.*{/, "") }
    listed {
        n = split($0, parts, ",")
        for (i = 1; i <= n; i++)
            if (match(parts[i], /TR_[A-Z0-9_]+/)) print substr(parts[i], RSTART, RLENGTH)
        if (/}/) { listed = 0; if (match($0, /tr_[a-z0-9_]+;/)) print substr($0, RSTART, RLENGTH - 1) }
    }' | grep -vxE 'TR_(API|BEGIN_DECLARATIONS|END_DECLARATIONS)' | sort -u >"$NAMES"
export VERSION NAMES

# pages FOLDER TITLE: a page that has those of docs/FOLDER below it.
pages() {
    echo "/** @page page_$1 $2"
    for page in docs/"$1"/*.md; do
        echo "- @subpage page_$1_$(basename "$page" .md)"
    done
    echo "*/"
}
{
    cat <<'EOF'
/** @defgroup layer_stage The stage
    @brief Characters, orders and time: most programs need no more than this. */
/** @defgroup layer_plan Planners
    @brief They can be used alone, without a stage and without bodies. */
/** @defgroup layer_floor The floor
    @brief What the stage and the planners stand on. */
/** @defgroup layer_motion Motion
    @ingroup layer_floor
    @brief Skeletons, poses, clips and bodies. */
/** @defgroup layer_world World
    @ingroup layer_floor
    @brief Scenes, maps of them, and what moves in them. */
/** @defgroup layer_io Files
    @ingroup layer_floor
    @brief Readers and writers. */
/** @defgroup layer_base Base
    @ingroup layer_floor
    @brief Status, memory, threads and numbers. */
/** @defgroup layer_troupe All of it
    @brief One header for C and one for C++. */
EOF
    pages guides "Guides"
    echo "/** @page page_nouns Every noun"
    printf -- '- @subpage page_%s\n' stage plan motion world io base
    echo "*/"
    pages stage "The stage"
    pages plan "Planners"
    pages motion "Motion"
    pages world "World"
    pages io "Files"
    pages base "Base"
    pages commands "Commands"
    pages internals "Internals"
    for example in examples/*/*.c; do
        echo "/** @example ${example#examples/} */"
    done
} >"$out/layers.dox"

# The description of a header comes before the list of what it declares.
doxygen -l "$out/layout.xml"
sed -i -e '/<tab type="modules"/s/title="" intro=""/title="Headers" intro="The public headers, layer by layer:"/' \
    -e '/<tab type="namespace/s/visible="yes"/visible="no"/' \
    -e '/<file>/,/<\/file>/{
        /<detaileddescription/d
        s/<briefdescription .*/<detaileddescription title="About"\/>/
    }' "$out/layout.xml"

doxygen cmake/Doxyfile
echo "$out/html/index.html"
