#!/usr/bin/env bash
# Prints what opari, and tools by others, say of programs with one known defect each. It is the raw
# material of docs/explanation/peers.md and is for by hand; Debian has the tools: perf, gprofng (in
# binutils), valgrind, libpomp2-dev, vite, xvfb. It says which is not there. EZTrace and otf2-print
# come from scripts/eztrace.sh: to install EZTrace removes LLVM's newer OpenMP runtime.
# usage: scripts/peer-findings.sh [PROGRAM...], such as seeds/loop or off/onecore
# BEFORE='chrt -r 5' stands before measured runs, so that others on the machine disturb them less.
set -u
cd "$(dirname "$0")/.." || exit 1
opari=$PWD/bin/opari
ez=$(scripts/eztrace.sh)/usr || exit 1
sources=$PWD/internal/analysis/run/testdata
[ $# -gt 0 ] || set -- seeds/loop seeds/barrier seeds/critical seeds/lock seeds/serial seeds/tiny \
    off/onecore sharing/counts
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export OMP_NUM_THREADS=2
read -ra before <<<"${BEFORE:-}"
flags=(-O2 -g -fopenmp)

# has TOOL: whether it is there; said otherwise.
has() {
    command -v "$1" >/dev/null || { echo "$1: not installed" && false; }
}

# indent TITLE: its input, below a title.
indent() {
    echo "-- $1"
    sed 's/^/   /'
}

of_opari() {
    local sampling=()
    case $1 in off/* | sharing/*) sampling=(--sample) ;; esac
    "$opari" cc gcc "${flags[@]}" "$sources/$1.c" -o measured &&
        "${before[@]}" "$opari" run "${sampling[@]}" --trace=trace ./measured 2>&1 | grep truth
    "$opari" report --tables=findings --top=2 trace
}

of_perf() {
    "${before[@]}" perf record -q -e cpu-clock -o perf.data ./plain >/dev/null 2>&1
    perf report -i perf.data --stdio --no-children --percent-limit 2 2>/dev/null |
        grep -v '^#' | grep -E '^ +[0-9.]+%'
    echo "perf lock:"
    "${before[@]}" perf lock record -o lock.data ./plain >/dev/null 2>&1
    perf lock contention -i lock.data 2>&1 | head -6
    echo "perf sched:"
    "${before[@]}" perf sched record -o sched.data ./plain >/dev/null 2>&1
    perf sched latency -i sched.data 2>/dev/null | grep -E 'Task|plain'
    echo "perf c2c: $(perf c2c record -o c2c.data ./plain 2>&1 >/dev/null | tail -1)"
}

of_gprofng() {
    "${before[@]}" gprofng collect app -O plain.er ./plain 2>&1 | grep -v truth
    gprofng display text -limit 5 -metrics e.totalcpu -functions plain.er 2>&1 | head -12
}

of_valgrind() {
    local tool
    for tool in drd helgrind; do
        echo "$tool: $(timeout 300 valgrind --tool=$tool ./plain 2>&1 | grep 'ERROR SUMMARY')"
    done
    echo "locks held for more than 2 ms: $(timeout 300 valgrind --tool=drd --exclusive-threshold=2 \
        ./plain 2>&1 | grep -c 'was held during')"
}

of_eztrace() {
    local libraries
    libraries=$(dirname "$(echo "$ez"/lib/*/libeztpomp.so)")
    sed "s|^prefix=/usr\$|prefix=$ez|; s|^libdir=\${exec_prefix}/lib\$|libdir=$libraries|" \
        "$ez/bin/eztrace_cc" >eztrace_cc
    export LD_LIBRARY_PATH=$libraries EZTRACE_LIBRARY_PATH=$libraries
    local PATH=$ez/bin:$PATH
    (sh ./eztrace_cc gcc "${flags[@]}" -D_GNU_SOURCE "$sources/$1.c" -o traced) 2>&1 | grep -i error
    timeout 60 eztrace -t openmp -o "$work/ez" ./traced 2>&1 | grep truth
    local trace=ez/traced_trace/eztrace_log.otf2
    echo "otf2-print: $(otf2-print $trace 2>/dev/null | grep -c '^ENTER') regions entered"
    otf2-print $trace 2>/dev/null | sed -n 's/^ENTER .*Region: "\([^"]*\)".*/\1/p' |
        sort | uniq -c | sort -rn | head -6
    echo "a line of the program in it: $(otf2-print -G $trace 2>/dev/null |
        grep -c "$(basename "$1").c")"
    # ViTE draws the threads' states in a window, and writes them as a picture where it has none.
    has vite && has xvfb-run && timeout 60 xvfb-run -a vite -e vite.svg $trace >vite.log 2>&1
    echo "vite: exit code $?, $(wc -c <vite.svg 2>/dev/null || echo no) bytes of a picture"
    tail -2 vite.log
}

of_opari2() {
    cp "$sources/$1.c" "$(dirname "$sources/$1")"/*.h . 2>/dev/null
    opari2 --c "$(basename "$1").c" pomp.c && gcc "${flags[@]}" -c pomp.c -o pomp.o &&
        sh -c "$(opari2-config --create-pomp2-regions pomp.o)" >regions.c &&
        gcc -fopenmp pomp.o regions.c -lpomp -o printing || return
    timeout 60 ./printing 2>&1 >/dev/null | cut -d: -f2- | sort | uniq -c | sort -rn | head -4
}

for program; do
    echo "== $program"
    rm -rf ./*
    gcc "${flags[@]}" "$sources/$program.c" -o plain || continue
    "${before[@]}" ./plain | indent plain
    of_opari "$program" | indent opari
    has perf && of_perf | indent perf
    has gprofng && of_gprofng | indent gprofng
    has valgrind && of_valgrind | indent valgrind
    has opari2-config && of_opari2 "$program" 2>&1 | indent opari2
    of_eztrace "$program" | indent eztrace
done
