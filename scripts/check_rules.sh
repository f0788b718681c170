#!/usr/bin/env bash
# scripts/check_rules.sh BUILD - the rules of the house that a script can check (docs/architecture.md has them all).
# BUILD is a folder with an optimised libtroupe.a.
set -uo pipefail
cd "$(dirname "$0")/.."
build=${1:?usage: check_rules.sh BUILD}
passed=0 failed=0

# rule SENTENCE FUNCTION: the rule holds when the function prints nothing.
rule() {
    local found
    found=$("$2" 2>&1)
    if [ -z "$found" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "broken: $1"
        head -20 <<<"$found" | sed 's/^/  /'
    fi
}

# Left to right: a folder may include itself and those before it.
order=(base world plan motion stage io cli)

sources_of() { find include/troupe/"$1" src/"$1" -name '*.[ch]' 2>/dev/null | sort; }

includes_that_point_right() {
    local folder
    for folder in "${order[@]}"; do
        sources_of "$folder"
    done | xargs awk -v order="${order[*]}" '
        BEGIN { for (n = split(order, names, " "); n > 0; n--) rank[names[n]] = n }
        FNR == 1 { split(FILENAME, path, "/"); folder = path[1] == "src" ? path[2] : path[3] }
        match($0, /#include [<"](troupe\/)?[a-z]+\//) {
            target = substr($0, RSTART + 10, RLENGTH - 11)
            sub(/^troupe\//, "", target)
            if (target in rank && rank[target] > rank[folder])
                print FILENAME ":" FNR ": " folder " must not include " target
        }
        folder != "cli" && /#include "troupe\/troupe.h"/ { print FILENAME ":" FNR ": " $0 }'
}

# calls FOLDERS FUNCTIONS: calls of these functions in the sources of these folders, comments and strings left out.
calls() {
    local folder
    for folder in $1; do
        sources_of "$folder"
    done | xargs awk -v functions="$2" '
        {
            gsub(/"([^"\\]|\\.)*"/, "\"\"")
            sub(/\/\/.*/, "")
            if ($0 ~ "(^|[^A-Za-z0-9_.>])(" functions ") *\\(") print FILENAME ":" FNR ":" $0
        }'
}
library="base world plan motion stage io"
files_opened_below_io() { calls "base world plan motion stage" 'f?open|fdopen|freopen|openat|creat|opendir|mkstemp|tmpfile|remove|rename|unlink'; }
words_on_the_users_terminal() { calls "$library" 'v?f?printf|puts|fputs|putchar|perror|exit|abort|system|popen'; }
maths_that_differs() {
    calls "base world plan motion stage" '(a?(sin|cos|tan)h?|atan2|pow|exp2?|expm1|log(2|10|1p)?|hypot|cbrt|fma|sincos)f?'
}
numbers_read_by_locale() { calls "$library" 'strto(d|f|ld)|ato(f|i|l)|v?f?s?scanf'; }
clocks_and_chance() { calls "world plan motion stage io" 'time|clock|clock_gettime|gettimeofday|rand|srand|random|drand48'; }
memory_past_the_allocator() {
    calls "world plan motion stage io" 'malloc|calloc|realloc|free|strdup|alloca|aligned_alloc|posix_memalign'
}

writable_data() {
    [ -f "$build/libtroupe.a" ] || { echo "$build/libtroupe.a is missing"; return; }
    objdump -h "$build/libtroupe.a" | awk '
        /:     file format/ { object = $1 }
        $2 ~ /^\.(data|bss)(\.[^r].*)?$/ && $3 !~ /^0+$/ { print object, $2, "holds", "0x" $3, "bytes that can change" }'
}

sources() {
    find include src tests examples fuzz scripts cmake Makefile CMakeLists.txt -type f -not -path '*/node_modules/*' \
        -not -name package-lock.json 2>/dev/null | sort
}
files_too_long() { sources | xargs wc -l | awk '$2 != "total" && $1 > 600 { print $2 ": " $1 " lines, the most is 600" }'; }
functions_too_long() {
    find src include examples tests -name '*.[ch]' | sort | xargs awk '
        FNR == 1 { begin = 0 }
        /^[A-Za-z].*\{$/ && !/^(typedef|struct|enum|union|static const|extern)/ { begin = FNR; name = $0 }
        /^\}/ { if (begin && FNR - begin > 61) print FILENAME ":" begin ": " FNR - begin - 1 " lines, the most is 60"; begin = 0 }'
}
folders_too_full() {
    find include src tests examples docs fuzz man scripts cmake stages -type d -not -path '*/node_modules*' -not -path 'fuzz/corpus*' | sort |
        while read -r folder; do
            local files
            files=$(find "$folder" -maxdepth 1 -type f | wc -l)
            [ "$files" -le 32 ] || echo "$folder: $files files, the most is 32"
        done
}
unfinished_words() { sources | xargs grep -nHE '\b(TO''DO|FIX''ME|X''XX|HA''CK)\b'; }

# header_alone COMPILER LANGUAGE STANDARD HEADER
header_alone() {
    echo "#include \"${4#include/}\"" | "$1" -std="$3" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude -x "$2" - ||
        echo "$4: does not compile alone as $2"
}
export -f header_alone
headers_that_need_others() {
    local jobs
    jobs=$(nproc 2>/dev/null || echo 2)
    find include -name '*.h' | sort | xargs -P "$jobs" -I{} bash -c 'header_alone cc c c17 {}'
    command -v c++ >/dev/null || return 0
    find include -name '*.h*' | sort | xargs -P "$jobs" -I{} bash -c 'header_alone c++ c++ c++17 {}'
}
headers_left_out_of_troupe_h() {
    local header
    for header in $(cd include && find troupe -mindepth 2 -name '*.h' ! -name api.h | sort); do
        grep -qF "#include \"$header\"" include/troupe/troupe.h || echo "troupe/troupe.h does not include $header"
    done
}

# What a shared library lets its users see, by the visibility that the objects of the static one have.
names_exported() { readelf -sW "$build/libtroupe.a" | awk '$5 == "GLOBAL" && $6 == "DEFAULT" && $7 != "UND" { print $8 }' | sort -u; }
# The functions that the public headers declare; gcc lists them, with where it saw them.
names_declared() {
    echo '#include "troupe/troupe.h"' | gcc -std=c17 -Iinclude -fsyntax-only -x c -aux-info /dev/stdout - |
        sed -nE 's|^/\* include/troupe/.* extern [^(]*\b(tr_[a-z0-9_]+) \(.*|\1|p' | sort -u
}
declared_but_not_exported() {
    comm -3 <(names_declared) <(names_exported) |
        awk -F'\t' '$1 { print $1 ": declared, but without TR_API or a definition" }
                    $2 { print $2 ": exported, but no public header declares it" }'
    [ "$(names_declared | wc -l)" -gt 100 ] || echo "the headers declare hardly any functions: this check sees nothing"
}

# Functions that the public headers declare, each with its noun: "tr_grid_cover grid".
nouns_declared() {
    echo '#include "troupe/troupe.h"' | gcc -std=c17 -Iinclude -fsyntax-only -x c -aux-info /dev/stdout - |
        sed -nE 's|^/\* include/troupe/[a-z]+/([a-z_0-9]+)\.h:.* extern [^(]*\b(tr_[a-z0-9_]+) \(.*|\2 \1|p' | sort -u
}
# A caller is a source of another noun, the C++ header, or an example: what none of them needs, no user needs.
public_functions_without_callers() {
    local callers
    callers=$(find src examples -name '*.[ch]' -o -name '*.cpp' | sort)
    nouns_declared | awk '
        FILENAME == "-" { noun[$1] = $2; next }
        FNR == 1 { base = FILENAME; sub(/.*\//, "", base); sub(/\.[a-z]+$/, "", base); shows = FILENAME !~ /^src\// || FILENAME ~ /^src\/cli\// }
        {
            sub(/\/\/.*/, "")
            while (match($0, /tr_[a-z0-9_]+/)) {
                name = substr($0, RSTART, RLENGTH)
                $0 = substr($0, RSTART + RLENGTH)
                if (name in noun && (shows || (base != noun[name] && index(base, noun[name] "_") != 1)))
                    called[name] = 1
            }
        }
        END { for (name in noun) if (!(name in called)) print noun[name] ".h: nothing calls " name " and no example shows it" }
    ' - include/troupe/troupe.hpp $callers | sort
    [ "$(nouns_declared | wc -l)" -gt 100 ] || echo "the headers declare hardly any functions: this check sees nothing"
}
too_many_parameters() {
    echo '#include "troupe/troupe.h"' | gcc -std=c17 -Iinclude -fsyntax-only -x c -aux-info /dev/stdout - | grep '^/\* include/troupe/' |
        sed 's/([*][^)]*) ([^)]*)/callback/g' |
        awk -F'[()]' '{ if (split($2, parts, ",") > 8) print $0 }'
}
# Benchmarks measure what is inside, and the papers' procedures are made of it; the rest of the tool is a user like others.
internals_in_the_tool() {
    grep -nHE '#include "(base|world|plan|motion|stage|io)/' -r src/cli --include='*.[ch]' | grep -vE '^src/cli/(bench|papers)/'
}
# Turns of phrase that have to be decoded. The pages of papers and of other projects are quoted as they are.
prose_to_be_decoded() {
    grep -rniE "may stand here|here may stand|is no place for|to touch is not|who is sent|is gone round|\bwhat of it\b|\bso many as\b|to be had\b|\bwhoever\b|\bnobody\b.*\bis sent\b|\bwhat is asked for\b|\bby so much\b|\bwhom\b" \
        README.md CONTRIBUTING.md SECURITY.md docs include src man --include='*.md' --include='*.[ch]' --include='*.hpp' --include='*.man' --include='*.json'
}

rule "dependencies point left only: ${order[*]}" includes_that_point_right
rule "only io and cli open files" files_opened_below_io
rule "the library neither prints nor ends the program" words_on_the_users_terminal
rule "results use + - * / sqrt, tr_sin_cos and tr_arc_tangent, no libm that differs between machines" maths_that_differs
rule "numbers are read and written without regard to the locale" numbers_read_by_locale
rule "no clock and no unseeded chance in a result" clocks_and_chance
rule "memory comes from the caller's allocator" memory_past_the_allocator
rule "no data that can change outside what the caller holds" writable_data
rule "files of at most 600 lines" files_too_long
rule "functions of at most 60 lines" functions_too_long
rule "folders of at most 32 files" folders_too_full
rule "nothing unfinished" unfinished_words
rule "every header compiles alone, as C and as C++" headers_that_need_others
rule "troupe.h includes every header" headers_left_out_of_troupe_h
rule "the public functions are exported, and no others" declared_but_not_exported
rule "public functions have callers or an example" public_functions_without_callers
rule "public functions have at most 8 parameters" too_many_parameters
rule "the tool is made of the public interface, but for its benchmarks and the papers' procedures" internals_in_the_tool
rule "plain prose" prose_to_be_decoded
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
