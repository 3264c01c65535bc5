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

# The library as the embedded package builds it: C11, hidden symbols, static and shared, no warning from either compiler. A file
# that another one includes is no unit of its own.
sources=$(git ls-files 'pomp/src/*.c' 'ompt_bridge/src/*.c' 'ompt_bridge/tools/*.c')
included=$(cat $sources | sed -n 's/^#include "\(.*\.c\)".*/\1/p' | xargs -n 1 basename)
warn="-std=c11 -O2 -fPIC -pthread -fvisibility=hidden -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Werror"
units=0
for cc in gcc clang-19; do
    bad=0
    for f in $sources; do
        printf '%s\n' $included | grep -qx "$(basename "$f")" && continue
        for kind in "" -DPOMP_INTERPOSE "-DPOMP_INTERPOSE -DPOMP_WRAPPED" "-DOPARI_SHARED -DPOMP_INTERPOSE" -DOPARI_NO_TSC; do
            units=$((units + 1))
            out=$($cc $warn $kind -c "$f" -o /dev/null 2>&1) || {
                say "$cc" "FAILED $f $kind"
                printf '%s\n' "$out"
                bad=1
                failed=1
            }
        done
    done
    [ $bad = 1 ] || say "$cc" ok
done
# The MPI layer, with MPI's own compilers.
for mpicc in mpicc mpicc.mpich; do
    bad=0
    for f in internal/mpi/src/mpi_layer.c internal/mpi/src/fortran.c internal/mpi/src/fortran08.c; do
        for cc in gcc clang-19; do
            out=$(OMPI_CC=$cc MPICH_CC=$cc $mpicc $warn -I pomp/src -c "$f" -o /dev/null 2>&1) || {
                say "$mpicc, $cc" "FAILED $f"
                printf '%s\n' "$out"
                bad=1
                failed=1
            }
        done
    done
    [ $bad = 1 ] || say $mpicc ok
done
if [ $units = 0 ]; then
    say C "FAILED: no source of the library found"
    failed=1
fi

bash -n scripts/*.sh || failed=1
exit $failed
