#!/bin/sh
# tests/install/bare.sh VERSION - run by scripts/check_deb.sh as root in a bare Debian, in a folder with the package and with
# tests/install: installs the package, uses it as a user would, and removes it. Says "passed", "broken" or "skipped" of each.
set -u
version=$1
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
share=/usr/share

try() {
    what=$1
    shift
    if "$@" >log 2>&1; then
        echo "passed: $what"
    else
        echo "broken: $what"
        tail -20 log | sed 's/^/  /'
    fi
}

installs() { apt-get install -y -q --no-install-recommends ./troupe_*.deb && dpkg --verify troupe; }
says_its_version() { [ "$(troupe version)" = "troupe $version" ]; }
routes() { troupe route --sample office --from 4,0,-6 --to 8,0,8 --png route.png && [ -s route.png ]; }
plays() { troupe play $share/troupe/stages/office.json -o office.glb && troupe audit office.glb --sample office --max-slide 1; }
falls_back() { troupe map --sample maze --backend gl 2>&1 | grep 'drawing with soft'; }
has_pages() {
    for page in troupe $(troupe help | sed -n 's/^  \([a-z]*\) .*/troupe-\1/p'); do
        gzip -dc "$share/man/man1/$page.1.gz" | grep -q 'SH EXIT STATUS' || return 1
    done
}
completes() { bash ./complete.sh bash $share troupe map --sam | grep -x -e --sample; }
has_licence() { grep 'MIT License' $share/doc/troupe/copyright; }
compiles() { # the consumer, and an example that came with the package
    cc -std=c17 -Wall -Wextra -Werror consumer.c -o consumer $(pkg-config --static --cflags --libs troupe) && ./consumer &&
        cc -std=c17 $share/doc/troupe/examples/world/grid.c -o grid $(pkg-config --static --cflags --libs troupe) && ./grid
}
is_removed() { dpkg --purge troupe && [ ! -e $share/troupe ] && [ ! -e $share/doc/troupe ] && [ ! -e /usr/bin/troupe ]; }

try "the package installs with what it depends on" installs
try "troupe version" says_its_version
try "troupe route draws a way" routes
try "troupe play plays an installed stage" plays
try "without OpenGL, maps are drawn by the processor" falls_back
try "every command has its man page" has_pages
try "bash completes options" completes
try "the licence is where Debian has it" has_licence
if apt-get install -y -q --no-install-recommends gcc libc6-dev pkgconf libpng-dev >log 2>&1; then
    try "C programs compile with pkg-config and run" compiles
else
    echo "skipped deb: the bare Debian cannot install a compiler"
fi
try "the package leaves nothing behind" is_removed
