#!/usr/bin/env bash
# scripts/check_docs.sh - do the links of README and docs lead somewhere, has every noun its page, test and example, and does
# doxygen make the API reference without a warning?
set -uo pipefail
cd "$(dirname "$0")/.."
passed=0 failed=0 skipped=0

ok() { passed=$((passed + 1)); }
broken() {
    failed=$((failed + 1))
    echo "$1"
}

# Not nouns: api.h holds the macros that every header needs.
exempt="include/troupe/base/api.h"

mapfile -t docs < <(find docs -name '*.md' | sort)
pages=(README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md "${docs[@]}")
for page in "${pages[@]}"; do
    [ -f "$page" ] || { broken "$page is missing"; continue; }
    # Code blocks are left out: what looks like a link there is none.
    while read -r target; do
        case $target in http://* | https://* | mailto:* | '#'* | '') continue ;; esac
        if [ -e "$(dirname "$page")/${target%%#*}" ]; then ok; else broken "$page: the link to $target leads nowhere"; fi
    done < <(awk '/^```/ { code = !code; next } !code' "$page" | sed 's/`[^`]*`//g' |
        grep -oE '\]\([^) ]+|(src|href)="[^"]+' | sed -E 's/^\]\(//; s/^(src|href)="//')
done

# Prose is wrapped; code, tables, pictures, and a code span or link that stands alone may be longer.
for page in "${pages[@]}"; do
    wide=$(awk '/^```/ { code = !code; next } code || /^ *\|/ || /^!\[/ { next }
                length($0) > 100 && $0 !~ /^[^ ]*( [^ ]*)?$/ && $0 !~ /^ *[(]?`[^`]*`[).,]*$/ { print FNR }' "$page")
    if [ -z "$wide" ]; then ok; else broken "$page: lines of more than 100 columns: $(echo $wide)"; fi
done

for header in include/troupe/*/*.h; do
    case " $exempt " in *" $header "*) continue ;; esac
    noun=$(basename "$header" .h)
    folder=$(basename "$(dirname "$header")")
    for file in "docs/$folder/$noun.md" "examples/$folder/$noun.c"; do
        if [ -f "$file" ]; then ok; else broken "$header: $file is missing"; fi
    done
    # A noun with several sides may have several tests: test_raster_soft.c, test_raster_gl.c.
    if [ -n "$(find "tests/$folder" -name "test_$noun*.c")" ]; then ok; else broken "$header: tests/$folder/test_$noun*.c is missing"; fi
done

for page in "${docs[@]}"; do
    [ "$page" = docs/README.md ] && continue
    name=${page#docs/}
    if grep -qF "]($name)" docs/README.md; then ok; else broken "docs/README.md does not list $name"; fi
done

if ! command -v doxygen >/dev/null; then
    skipped=$((skipped + 1))
    echo "skipped the API reference: doxygen is not installed"
elif said=$(scripts/docs.sh 2>&1); then
    ok
else
    broken "scripts/docs.sh: $said"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
