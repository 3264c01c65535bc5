#!/usr/bin/env bash
# Runs every fuzz target for the time given (default ten minutes each), one after the other.
set -eu
cd "$(dirname "$0")/.."
time=${1:-10m}
found=0
for package in $(scripts/go list ./...); do
    for target in $(scripts/go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
        echo "== $package $target $time"
        scripts/go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package" || found=1
    done
done
exit $found
