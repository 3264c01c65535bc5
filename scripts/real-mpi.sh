#!/usr/bin/env bash
# A hybrid program by others, from Debian's source packages, on four ranks with two threads each:
# hypre, the solvers for structured grids, whose loops have their directives by _Pragma in macros.
# It is built twice from an unchanged tree, with CC=mpicc and with CC="opari cc mpicc", and must
# print the same: bare, and traced. The trace must be one that otfprint and otfprofile take, and
# its messages and collective operations those that a counter of its own has seen in the bare
# program (scripts/real/count_mpi.c), by sender and receiver, number and bytes. Both builds and
# all runs take 86 s of processor time.
set -eu
cd "$(dirname "$0")/.."
top=$PWD
opari=${OPARI_BIN:-$top/bin/opari}
[ -n "${OPARI_BIN:-}" ] || make -s bin/opari
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive OMP_DYNAMIC=false

. scripts/real/fetch.sh

fail() {
    echo "real: hypre: $*"
    exit 1
}

# broken FILE WHAT: fails with the end of the output in FILE.
broken() {
    tail -n 15 "$1"
    fail "$2"
}

# The libraries that the driver for structured grids needs, and the driver. LAPACK is the
# system's: two names of hypre's own lead there.
build() {
    local cc=$1 dir
    ./configure --with-openmp --disable-fortran --with-lapack --with-blas CC=mpicc \
        CFLAGS="-O1 -g -w -fopenmp -Dhypre_dpotrf=dpotrf_ -Dhypre_dsygv=dsygv_" || return 1
    mkdir -p hypre/include hypre/lib
    for dir in utilities krylov multivector struct_mv struct_ls; do
        make -s -j2 -C $dir CC="$cc" || return 1
    done
    $cc -O1 -g -w -fopenmp -DHAVE_CONFIG_H \
        -I. -Iutilities -Ikrylov -Imultivector -Istruct_mv -Istruct_ls test/struct.c -o struct \
        {utilities,krylov,multivector,struct_mv,struct_ls}/*.o \
        {utilities,struct_mv,struct_ls}/*.obj -lm -llapack -lblas
}

# Three solvers: PFMG alone, conjugate gradients with it, and with two steps of Jacobi. Times
# differ; what the solvers have reached does not.
runs=("-solver 1" "-solver 11" "-solver 17")
ranks() { mpirun --oversubscribe --mca mpi_yield_when_idle 1 -n 4 "$@"; }
results() { grep -E 'Iterations|Residual|processes|\(nx|\(Px|solver ID' "$1"; }

fetch hypre || exit 1
for kind in bare ours; do
    cp -r "$work/hypre" "$work/$kind"
done
# The builds run beside each other: configure keeps one processor busy.
(cd "$work/bare/src" && build mpicc) >"$work/bare.log" 2>&1 &
bare=$!
(cd "$work/ours/src" && build "$opari cc mpicc") >"$work/ours.log" 2>&1 &
ours=$!
wait $bare || { wait $ours || true; broken "$work/bare.log" "the bare build failed"; }
wait $ours || broken "$work/ours.log" "the instrumented build failed"
mpicc -O1 -shared -fPIC scripts/real/count_mpi.c -o "$work/count.so"

for i in "${!runs[@]}"; do
    read -ra options <<<"-P 2 2 1 -n 10 12 14 ${runs[$i]}"
    trace=$work/trace$i
    what=${runs[$i]}
    (cd "$work" && ranks bare/src/struct "${options[@]}") >"$work/bare.out" 2>&1 ||
        broken "$work/bare.out" "the bare program failed"
    (cd "$work" && COUNT_MPI=$work/count$i ranks env LD_PRELOAD="$work/count.so" \
        bare/src/struct "${options[@]}") >"$work/counted.out" 2>&1 ||
        broken "$work/counted.out" "the counted program failed"
    (cd "$work" && ranks "$opari" run --trace="$trace" ours/src/struct "${options[@]}") \
        >"$work/ours.out" 2>&1 || broken "$work/ours.out" "the traced program failed"
    results "$work/bare.out" >"$work/bare.results"
    results "$work/ours.out" | cmp "$work/bare.results" ||
        fail "$what: traced, it prints something else"
    grep -q 'Iterations = [1-9]' "$work/bare.results" ||
        broken "$work/bare.out" "$what: it has solved nothing"

    otfprofile -i "$trace/trace.otf" -o "$work/profile$i" >"$work/otfprofile.log" 2>&1 ||
        broken "$work/otfprofile.log" "otfprofile does not take the trace"
    otfprint "$trace/trace.otf" >"$work/print" 2>"$work/print.log" ||
        broken "$work/print.log" "otfprint does not take the trace"
    # Threads of a rank are processes t * 4 + rank + 1. A message counts where it is sent; all
    # that is sent is received.
    awk -F '[ ,:]+' '
        / SendMessage: / {
            for (i = 1; i < NF; i++) {
                if ($i == "sender") s = ($(i + 1) - 1) % 4
                if ($i == "receiver") r = ($(i + 1) - 1) % 4
                if ($i == "length") l = $(i + 1)
            }
            n[s " " r]++; b[s " " r] += l; sent++
        }
        / R(eceive|ecv)Message: / { received++ }
        /DefCollective: / {
            match($0, /collective [0-9]+/); id = substr($0, RSTART + 11, RLENGTH - 11)
            match($0, /"[^"]*"/); name[id] = substr($0, RSTART + 1, RLENGTH - 2)
        }
        / (CollectiveOperation|Collective): / {
            match($0, /collective [0-9]+/)
            if (RSTART) c[substr($0, RSTART + 11, RLENGTH - 11)]++
        }
        END {
            for (k in n) print "message " k " " n[k] " " b[k]
            for (k in c) print name[k] " " c[k]
            if (sent != received) print sent " sent, " received " received"
        }
    ' "$work/print" | sort >"$work/traced.counts"
    cat "$work/count$i".? |
        awk '$1 == "message" { print; next } { n[$1] += $2 } END { for (k in n) print k, n[k] }' |
        sort >"$work/counted.counts"
    diff "$work/counted.counts" "$work/traced.counts" ||
        fail "$what: messages in the trace (>) are not those of the program (<)"
    [ "$(grep -c ^message "$work/counted.counts")" -gt 7 ] || fail "$what: hardly a message"
    regions=$(grep -c 'DefFunction:.*"parallel.*struct_' "$work/print" || true)
    [ "$regions" -gt 10 ] || fail "$what: $regions parallel regions in the trace"
    awk -v what="$what" -v regions="$regions" '
        $1 == "message" { n += $4; b += $5 }
        $1 != "message" { c += $2 }
        END {
            print "real: hypre " what ": same results bare and traced; " \
                n " messages, " b " bytes, " c " collective calls in the trace as counted; " \
                regions " functions of parallel regions"
        }
    ' "$work/counted.counts"
done
echo "real: hypre: $SECONDS s"
