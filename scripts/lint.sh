#!/usr/bin/env bash
# Style: gofumpt, go vet, staticcheck over the Go code; gcc's and clang's warnings over the C code;
# warnings of shellcheck and of esbuild over scripts and the page; lengths and documents.
set -u
cd "$(dirname "$0")/.." || exit 1
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
gobin mvdan.cc/gofumpt@v0.12.0 && gobin honnef.co/go/tools/cmd/staticcheck@v0.8.2 &&
    gobin github.com/evanw/esbuild/cmd/esbuild@v0.28.2 || exit 1
PATH=$($go env GOROOT)/bin:$PATH

# The library as the embedded package builds it: C11, hidden symbols, static and shared, no warning
# from either compiler. A file that another one includes is no unit of its own.
# What clang is asked for it finds without making code.
mapfile -t sources < <(git ls-files 'pomp/src/*.c' 'ompt_bridge/src/*.c' 'ompt_bridge/tools/*.c')
included=$(sed -n 's/^#include "\(.*\.c\)".*/\1/p' "${sources[@]}" | xargs -n 1 basename)
warn=(-std=c11 -O2 -fPIC -pthread -fvisibility=hidden)
warn+=(-Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Werror)
kinds=("" -DPOMP_INTERPOSE "-DPOMP_INTERPOSE -DPOMP_WRAPPED" "-DOPARI_SHARED -DPOMP_INTERPOSE")
kinds+=(-DOPARI_NO_TSC)
# library CC [FLAGS]
library() {
    local bad=0 units=0 f kind out
    for f in "${sources[@]}"; do
        grep -qx "$(basename "$f")" <<<"$included" && continue
        for kind in "${kinds[@]}"; do
            units=$((units + 1))
            # shellcheck disable=SC2086 # a kind is options
            out=$("$@" "${warn[@]}" $kind -c "$f" -o /dev/null 2>&1) || {
                say "$1" "FAILED $f $kind"
                printf '%s\n' "$out"
                bad=1
            }
        done
    done
    [ $units -gt 0 ] || { say "$1" "FAILED: no source of the library found"; bad=1; }
    [ $bad = 1 ] || say "$1" ok
    return $bad
}
# The MPI layer, with MPI's own compilers: mpi_layer MPICC.
mpi_layer() {
    local bad=0 f cc out
    for f in internal/mpi/src/{mpi_layer,fortran,fortran08}.c; do
        for cc in gcc clang-19; do
            out=$(OMPI_CC=$cc MPICH_CC=$cc $1 "${warn[@]}" -I pomp/src \
                -c "$f" -o /dev/null 2>&1) || {
                say "$1, $cc" "FAILED $f"
                printf '%s\n' "$out"
                bad=1
            }
        done
    done
    [ $bad = 1 ] || say "$1" ok
    return $bad
}
c_code() {
    local bad=0
    library gcc || bad=1
    library clang-19 -fsyntax-only || bad=1
    mpi_layer mpicc || bad=1
    mpi_layer mpicc.mpich || bad=1
    return $bad
}
# The compilers have one processor, the checks of the Go code the other.
c_code >"$tools/c_code" 2>&1 &
compilers=$!

mapfile -t files < <(git ls-files '*.go')
check gofumpt "$tools/gofumpt" -l "${files[@]}"
check "go vet" go vet ./...
check staticcheck "$tools/staticcheck" ./...
check "tag man" go vet -tags man ./cmd/opari
check "go mod tidy" go mod tidy -diff

# Functions that are called through a variable look unreachable to shellcheck: SC2317.
mapfile -t files < <(git ls-files '*.sh' scripts/go .ci/run)
check shellcheck shellcheck -x -e SC2317 "${files[@]}"
check esbuild "$tools/esbuild" --log-level=warning --outdir="$tools/page" internal/report/page/*.js
# Off until the C files are in their folders and formatted once: clang-format-19 -i FILE...
# mapfile -t files < <(git ls-files '*.[ch]' ':!*testdata*')
# check clang-format clang-format-19 --dry-run -Werror "${files[@]}"
documents() { go test -count=1 ./internal/arch | grep -v '^ok '; [ "${PIPESTATUS[0]}" = 0 ]; }
check documents documents

wait $compilers || failed=1
cat "$tools/c_code"
exit $failed
