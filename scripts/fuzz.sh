#!/usr/bin/env bash
# Runs fuzz targets one after the other: scripts/fuzz.sh [TIME [TARGET...]] TIME is that of each
# target: ten minutes, if it is not given. TARGET is FOLDER/NAME, as in
# internal/recording/FuzzConvert; without one all targets run. WORKERS is how many processes a
# target has: one, if it is not set. What fails stays in the folder's testdata/fuzz, and the
# script goes on.
set -eu
cd "$(dirname "$0")/.."
time=${1:-10m}
shift $(($# > 0))
if [ $# = 0 ]; then
    mapfile -t targets < <(grep -rHo --include='*_test.go' '^func Fuzz[A-Za-z0-9]*' . |
        sed 's|^\./||; s|[^/]*:func ||' | sort)
    set -- "${targets[@]}"
fi
found=0
for target; do
    echo "== $target $time"
    # What is new is shortened ten times at most: a target whose coverage differs from run to run
    # would do nothing else for a minute each.
    scripts/go test -run '^$' -fuzz "^${target##*/}\$" -fuzztime "$time" -fuzzminimizetime 10x \
        -parallel "${WORKERS:-1}" -timeout 0 "./${target%/*}" || found=1
done
exit $found
