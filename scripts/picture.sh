#!/usr/bin/env bash
# Writes docs/report.png: the page of a run of examples/heat, in a headless Chromium. Below 150 KB.
set -eu
cd "$(dirname "$0")/.."
opari=$PWD/bin/opari
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp examples/heat/*.c examples/heat/*.h examples/heat/Makefile "$work"
make --no-print-directory -C "$work" CC="$opari cc gcc" heat
(
    cd "$work"
    OMP_NUM_THREADS=2 OMP_SCHEDULE=static "$opari" run --trace=heat.trace ./heat 1000 500
    "$opari" report --format=html -o heat.html heat.trace
    # The page names the program by its path, which is nobody's business.
    sed -i "s|$work/||g" heat.html
)
# Without --no-sandbox Chromium does not start as root.
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --force-color-profile=srgb \
    --user-data-dir="$work/profile" --window-size=1180,740 --virtual-time-budget=3000 \
    --screenshot="$work/report.png" "file://$work/heat.html" 2>/dev/null
# A page of text and flat areas keeps its look with a palette, at a third of the size.
pngquant --force --strip --output "$work/report.png" 128 "$work/report.png"
[ "$(stat -c %s "$work/report.png")" -lt 150000 ] || {
    echo "picture.sh: report.png has 150 KB or more" >&2
    exit 1
}
mv "$work/report.png" docs/report.png
