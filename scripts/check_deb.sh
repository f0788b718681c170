#!/usr/bin/env bash
# scripts/check_deb.sh BUILD - does the Debian package install and run where nothing else is installed? Makes the package of
# what was built in the folder BUILD, and a bare Debian of the same release, with mmdebstrap and from where apt gets its
# packages on this machine. Without mmdebstrap, or where it cannot make one, it says what it skipped. About a minute.
set -uo pipefail
cd "$(dirname "$0")/.."
build=${1:?usage: check_deb.sh BUILD}
version=$(sed -nE 's/#define TR_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)/\2/p' include/troupe/base/version.h | paste -sd.)
work=$(mktemp -d "${TMPDIR:-/tmp}/troupe-deb-XXXXXX")
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    exit $((failed != 0))
}
skip() {
    echo "skipped deb: $1"
    skipped=$((skipped + 1))
    finish
}

command -v dpkg-deb >/dev/null || skip "this is not Debian"
if ! (cd "$build" && cpack -G DEB -B "$work/deb" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip) >"$work/log" 2>&1; then
    echo "broken: cpack -G DEB"
    tail -20 "$work/log" | sed 's/^/  /'
    failed=1
    finish
fi
passed=1

command -v mmdebstrap >/dev/null || skip "mmdebstrap is not installed"
release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
[ -n "$release" ] || skip "this Debian has no codename"
# Sources of others are left out: they have no "main" of this release.
sources=()
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    [ -f "$file" ] && grep -v '^ *#' "$file" | grep -qw "$release" && grep -v '^ *#' "$file" | grep -qw main && sources+=("$file")
done

mkdir "$work/inside"
cp "$work"/deb/*.deb tests/install/bare.sh tests/install/complete.sh tests/install/consumer.c "$work/inside"
cat >"$work/hook" <<END
#!/bin/sh
cp -r "$work/inside" "\$1/root/inside" && chroot "\$1" sh -c 'cd /root/inside && sh ./bare.sh $version' >"$work/said" 2>&1
END
chmod +x "$work/hook"
if ! timeout 500 mmdebstrap --variant=minbase --dpkgopt=force-unsafe-io --customize-hook="$work/hook" "$release" /dev/null \
    "${sources[@]}" >"$work/log" 2>&1 && [ ! -s "$work/said" ]; then
    skip "mmdebstrap makes no bare $release here ($(grep -m1 '^E:' "$work/log" || tail -1 "$work/log"))"
fi
grep -v '^passed:' "$work/said"
count() { grep -c "^$1" "$work/said"; }
passed=$((passed + $(count passed:))) failed=$(count broken:) skipped=$(count skipped)
grep -q 'leaves nothing behind$' "$work/said" || { echo "broken: the checks ended early" && failed=$((failed + 1)); }
finish
