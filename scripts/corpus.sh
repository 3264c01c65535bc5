#!/usr/bin/env bash
# Unpacks the OpenMP tests of GCC 12 (Debian package gcc-12-source) once, and prints the folder
# they lie in.
set -eu

out=${OPARI_CORPUS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/opari/corpus}
tarball=$(compgen -G '/usr/src/gcc-12/gcc-12*.tar.xz' | head -n 1 || true)
if [ -z "$tarball" ]; then
    echo "corpus: /usr/src/gcc-12/gcc-12*.tar.xz is missing (apt-get install gcc-12-source)" >&2
    exit 1
fi
name=$(basename "$tarball" .tar.xz)
if [ ! -d "$out/$name" ]; then
    mkdir -p "$out"
    tmp=$(mktemp -d "$out/.unpack.XXXXXX")
    trap 'rm -rf "$tmp"' EXIT
    tar -xJf "$tarball" -C "$tmp" --wildcards --strip-components=1 \
        '*/libgomp/testsuite/*' '*/gcc/testsuite/*/gomp/*'
    mv -T "$tmp" "$out/$name" 2>/dev/null || [ -d "$out/$name" ]
fi
echo "$out/$name"
