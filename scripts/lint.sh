#!/usr/bin/env bash
# Style: gofumpt, go vet, staticcheck over the Go code; gcc's and clang's warnings over the C code.
set -u
cd "$(dirname "$0")/.."
go=scripts/go
failed=0

say() { printf 'lint: %-12s %s\n' "$1" "$2"; }

# check NAME COMMAND...: a check fails when its command fails or prints anything.
check() {
    local name=$1 out
    shift
    if out=$("$@" 2>&1) && [ -z "$out" ]; then
        say "$name" ok
    else
        say "$name" FAILED
        printf '%s\n' "$out"
        failed=1
    fi
}

# Tools are built before their output counts, so that go's own download messages do not.
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
gobin() { GOBIN=$tools $go install "$1" >/dev/null 2>&1 || GOBIN=$tools $go install "$1"; }
gobin mvdan.cc/gofumpt@v0.12.0 && gobin honnef.co/go/tools/cmd/staticcheck@v0.8.2 || exit 1

files=$(git ls-files '*.go')
check gofumpt "$tools/gofumpt" -l $files
check "go vet" $go vet ./...
goroot=$($go env GOROOT)
check staticcheck env PATH="$goroot/bin:$PATH" "$tools/staticcheck" ./...

# The library's sources, as the embedded package builds them: C11, hidden symbols, no warning from either compiler.
warn="-std=c11 -O2 -fPIC -fvisibility=hidden -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Werror"
for cc in gcc clang-19; do
    for f in $(git ls-files 'pomp/*.c' 'ompt_bridge/*.c' | grep -v testdata); do
        case $f in */src/*) ;; *) continue ;; esac
        out=$($cc $warn -Ipomp/src -Iompt_bridge/src -c "$f" -o /dev/null 2>&1) || {
            say "$cc" "FAILED $f"
            printf '%s\n' "$out"
            failed=1
        }
    done
    [ $failed = 0 ] && say "$cc" ok
done

bash -n scripts/*.sh || failed=1
exit $failed
