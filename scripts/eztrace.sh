#!/usr/bin/env bash
# Unpacks EZTrace, a tracing tool by others, and what reads its traces, once, and prints the
# folder: Debian's packages, not installed, because EZTrace brings an OpenMP runtime of its own
# along.
set -eu

out=${OPARI_CORPUS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/opari/corpus}/eztrace
if [ ! -d "$out" ]; then
    mkdir -p "$(dirname "$out")"
    tmp=$(mktemp -d "$out.XXXXXX")
    trap 'rm -rf "$tmp"' EXIT
    cd "$tmp"
    packages=(eztrace libeztrace0 libomp5-14 libopen-trace-format2-10 otf2-tools)
    apt-get -qq download "${packages[@]}" >apt.log 2>&1 ||
        { apt-get -qq update && apt-get -qq download "${packages[@]}"; } >apt.log 2>&1 ||
        { cat apt.log >&2; exit 1; }
    mkdir root
    for p in *.deb; do
        dpkg -x "$p" root
    done
    mv -T root "$out" 2>/dev/null || [ -d "$out" ]
fi
echo "$out"
