#!/usr/bin/env bash
# Makes what users install and installs it: tarballs, packages for Debian and Fedora, and the module
# by go install. A fresh Debian with gcc and make alone runs the README's first example from the
# package. A second run must give the same bytes. What is for arm64 takes another minute of CPU;
# OPARI_ALL=1 includes it.
set -eu
cd "$(dirname "$0")/.." || exit 1
go=$PWD/scripts/go
work=$(mktemp -d)
fresh=$work/fresh
chroots= # the process that makes a fresh Debian

# What a failed step leaves mounted must not be deleted.
clean() {
    [ -z "$chroots" ] || wait "$chroots" || true
    umount "$fresh/proc" 2>/dev/null || true
    rm -rf --one-file-system "$work"
}
trap clean EXIT

fail() {
    echo "packages: $*" >&2
    exit 1
}
left_out() { echo "packages: not tested: $*"; }

# The fresh Debian is made while the packages are.
debian() {
    local mirror
    mirror=$(sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb *\(\[[^]]*\] *\)\?\([^ ]*\).*/\2/p' \
        /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep debian | head -n 1)
    debootstrap --variant=minbase --include=gcc,libc6-dev,make bookworm "$fresh" \
        "${mirror:-http://deb.debian.org/debian}" >"$work/debootstrap.log" 2>&1
}
if [ "$(id -u)" = 0 ] && unshare --mount true 2>/dev/null; then
    debian &
    chroots=$!
fi

$go build -o "$work/release" ./packaging/release
if [ -n "${OPARI_ALL:-}" ]; then
    "$work/release" -o "$work/first" dist deb
    "$work/release" -o "$work/first" -arch amd64 rpm
else
    "$work/release" -o "$work/first" -arch amd64 dist deb rpm
    left_out "what is for arm64, which takes a minute of CPU; OPARI_ALL=1 includes it"
fi
(umask 077 && TZ=Asia/Tokyo "$work/release" -o "$work/second" -arch amd64 dist deb rpm)
for file in "$work"/second/*; do
    case $file in
    */SHA256SUMS) grep -qFf "$file" "$work/first/SHA256SUMS" || fail "checksums differ" ;;
    *) cmp "$work/first/${file##*/}" "$file" || fail "a second run made another ${file##*/}" ;;
    esac
done
(cd "$work/first" && sha256sum --quiet -c SHA256SUMS)
echo "packages: a second run gave the same bytes"

# The tarball runs from anywhere, and its SPDX document lists the modules that go finds in it.
tar -C "$work" -xzf "$work"/first/opari-*-linux-amd64.tar.gz
tree=$(echo "$work"/opari-*-linux-amd64)
"$tree/bin/opari" version | grep -qx "commit     $(git rev-parse HEAD).*" || fail "wrong commit"
python3 - "$tree/bin/opari" "$work"/first/opari-*-linux-amd64.spdx.json <<'PYTHON'
import hashlib, json, subprocess, sys
program, document = sys.argv[1:]
spdx = json.load(open(document))
packages = {p["name"]: p for p in spdx["packages"]}
assert spdx["spdxVersion"] == "SPDX-2.3" and spdx["dataLicense"] == "CC0-1.0"
sums = packages["opari"]["checksums"]
assert sums[0]["checksumValue"] == hashlib.sha256(open(program, "rb").read()).hexdigest()
ids = [p["SPDXID"] for p in spdx["packages"]]
assert len(set(ids)) == len(ids) > 5
for r in spdx["relationships"]:
    assert r["relatedSpdxElement"] in ids, r
deps = subprocess.run(["go", "version", "-m", program], capture_output=True, text=True,
                      check=True).stdout
deps = [l.split()[1:3] for l in deps.splitlines() if l.startswith("\tdep\t")]
assert len(deps) == len(ids) - 2, (len(deps), len(ids))
for path, version in deps:
    assert packages[path]["versionInfo"] == version, path
PYTHON
for shell in bash zsh; do
    $shell -n "$tree"/share/*/*completions/opari 2>/dev/null ||
        $shell -n "$tree"/share/zsh/site-functions/_opari || fail "the completion for $shell"
done
echo "packages: the tarball runs, and its list of contents is that of go"

lintian --fail-on error,warning --tag-display-limit 0 "$work"/first/*.deb 2>/dev/null ||
    fail "lintian has objections"
echo "packages: lintian has no objection"
if [ -n "${OPARI_ALL:-}" ]; then
    dpkg-deb -x "$work"/first/opari_*_arm64.deb "$work/arm64"
    qemu-aarch64 "$work/arm64/usr/bin/opari" version | grep -q linux/arm64 ||
        fail "the package for arm64 does not run"
    readelf -h "$work/arm64/usr/lib/opari/libpomp.so" | grep -q AArch64 ||
        fail "libpomp.so for arm64 is for another machine"
    nm -s "$work/arm64/usr/lib/opari/libpomp.a" | grep -q 'POMP_For_enter in' ||
        fail "libpomp.a for arm64 has no index"
    echo "packages: the program for arm64 runs"
fi

rpm=$(echo "$work"/first/*.rpm)
rpm -qlp "$rpm" 2>/dev/null >"$work/list"
for file in /usr/bin/opari /usr/bin/opari-gcc /usr/lib64/pkgconfig/pomp.pc \
    /usr/share/man/man1/opari-cc.1 /usr/lib/opari/libpomp.a /usr/include/opari/pomp_lib.h; do
    grep -qx "$file" "$work/list" || fail "${rpm##*/} has no $file"
done
mkdir "$work/rpm"
rpm2archive - <"$rpm" | tar -C "$work/rpm" -xz
"$work/rpm/usr/bin/opari" version >/dev/null
echo "packages: the package for Fedora is whole"

# What a module proxy would serve. The other modules come from the cache that built opari above.
"$work/release" -o "$work/proxy" -module example.org/opari proxy
cache=$($go env GOMODCACHE)
env GOPATH="$work/gopath" GOMODCACHE="$work/modules" GOFLAGS=-modcacherw GONOSUMDB='*' \
    GOPROXY="file://$work/proxy,file://$cache/cache/download" \
    "$go" install example.org/opari/cmd/opari@latest >"$work/install.log" 2>&1 ||
    fail "go install: $(cat "$work/install.log")"
installed=$work/gopath/bin/opari
"$installed" version | grep -q '^version    0\.1\.0' || fail "go install: the wrong version"
printf 'int main(void) {\n#pragma omp parallel\n  ;\n  return 0;\n}\n' >"$work/p.c"
export XDG_CACHE_HOME=$work/cache
"$installed" cc gcc -fopenmp "$work/p.c" -o "$work/p"
"$installed" run "$work/p" 2>&1 | grep -q 'parallel .*p\.c:2' || fail "go install: no measurement"
echo "packages: go install gives a program that measures"

if [ -z "$chroots" ]; then
    left_out "the package in a fresh Debian, because that needs root and namespaces"
    exit 0
elif ! wait "$chroots"; then
    tail -n 3 "$work/debootstrap.log"
    left_out "the package in a fresh Debian, because debootstrap cannot make one"
    exit 0
fi
cp "$work"/first/opari_*_"$(dpkg --print-architecture)".deb "$fresh/opari.deb"
awk '/^## C with make/ { on = 1 } on && /^\$ / { print substr($0, 3) } on && /^```$/ { exit }' \
    README.md >"$fresh/example"
grep -q 'make CC="opari cc gcc"' "$fresh/example" || fail "README.md has no first example"
mount -t proc proc "$fresh/proc"
chroot "$fresh" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root sh -ec '
    dpkg -i /opari.deb >/dev/null
    cp -r /usr/share/doc/opari /root/opari
    cd /root/opari
    set +e
    . /example || exit 1
    test -s heat.html || exit 1
    opari-gcc -fopenmp -c relax.c -o again.o || exit 1
    dpkg -r opari >/dev/null && ! test -e /usr/bin/opari-gcc
' >"$work/example.log" 2>&1 || fail "the first example: $(cat "$work/example.log")"
umount "$fresh/proc"
grep -q 'for  *relax\.c:29' "$work/example.log" || fail "the report: $(cat "$work/example.log")"
echo "packages: a fresh Debian runs the first example from the package"
