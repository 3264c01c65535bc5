#!/usr/bin/env bash
# Programs by others, from Debian's source packages, built twice from an unchanged tree: with the
# bare compiler, and with CC="opari cc gcc" CXX="opari cc g++" (FC="opari cc gfortran"). Both must
# print the same, and the instrumented one must leave a profile that knows its directives.
#   libimagequant   several files, configure and make
#   fasttree        one file of 10,000 lines
#   graphicsmagick  350 files, configure and make; 22 of its files hold 276 directives
#   muscle          in C++: 150 files, 31,000 lines, make
#   kraken2         in C++: 12 files with 28 directives and lock objects, make
#   mumps           Fortran: the solver for real numbers in double precision, 148 files of fixed
#                   form, 143,000 lines and 825 directives, with its own stand-in for MPI
# What the two builds cost is printed too.
set -eu
cd "$(dirname "$0")/.."
top=$PWD
opari=${OPARI_BIN:-$top/bin/opari}
[ -n "${OPARI_BIN:-}" ] || make -s bin/opari
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

. scripts/real/fetch.sh

# try KIND DIR BUILD RUN builds and runs the program in a copy of its tree.
try() {
    local kind=$1 dir=$2 build=$3 run=$4 cc=gcc cxx=g++
    [ "$kind" = bare ] || { cc="$opari cc gcc" cxx="$opari cc g++"; }
    cp -r "$dir" "$dir.$kind"
    (cd "$dir.$kind" && CC=$cc CXX=$cxx $build && times >"$dir.$kind.time") \
        >"$dir.$kind.log" 2>&1 || return 1
    (cd "$dir.$kind" && OMP_NUM_THREADS=2 $run) >"$dir.$kind.out" 2>&1 ||
        echo "exit $?" >>"$dir.$kind.out"
}

# twice PACKAGE BUILD RUN [REGIONS]: BUILD and RUN are functions; the first is given CC and CXX in
# the environment and runs in the tree. Both kinds are built beside each other: configure keeps one
# processor busy. The profile must have at least so many regions.
twice() {
    local package=$1 build=$2 run=$3 want=${4:-1} start=$SECONDS dir=$work/$1
    fetch "$package" || { failed=1; return; }
    local kind time cost=
    local -A tried
    for kind in bare ours; do
        try $kind "$dir" "$build" "$run" &
        tried[$kind]=$!
    done
    for kind in bare ours; do
        wait "${tried[$kind]}" && continue
        echo "real: $package: the $kind build failed:"
        tail -n 15 "$dir.$kind.log"
        failed=1
        wait
        return
    done
    for kind in bare ours; do
        time=$(awk -F '[ms ]+' 'END { print 60 * $1 + $2 + 60 * $3 + $4 }' "$dir.$kind.time")
        cost="$cost $kind $time s"
    done
    if ! cmp "$dir.bare.out" "$dir.ours.out"; then
        echo "real: $package: instrumented, it prints something else"
        diff "$dir.bare.out" "$dir.ours.out" | head -n 10
        failed=1
        return
    fi
    (cd "$dir.ours" && OMP_NUM_THREADS=2 OPARI_PROFILE=$dir.profile $run) \
        >"$dir.measured.out" 2>&1 || true
    if ! cmp "$dir.bare.out" "$dir.measured.out"; then
        echo "real: $package: measured, it prints something else"
        failed=1
        return
    fi
    local regions
    regions=$(cat "$dir".profile.* 2>/dev/null | grep -c '"region":[0-9]*,"name"' || true)
    if [ "$regions" -lt "$want" ]; then
        echo "real: $package: $regions regions in the profile, not $want"
        failed=1
        return
    fi
    echo "real: $package: same results bare, instrumented and measured" \
        "($(wc -l <"$dir.bare.out") lines); $regions regions in the profile;" \
        "CPU time of the build:$cost; $((SECONDS - start)) s"
}

build_libimagequant() {
    # configure takes one word for a compiler; make takes the line.
    CC=gcc ./configure --with-openmp || return 1
    make -j2 CC="$CC" static &&
        $CC -O2 -fopenmp "$top/scripts/real/quantize.c" -I. libimagequant.a -lm -o quantize
}
run_libimagequant() { ./quantize; }

build_fasttree() { $CC -O2 -fopenmp -DOPENMP -DUSE_DOUBLE -w -o FastTree fasttree.c -lm; }
run_fasttree() {
    awk 'BEGIN { srand(7); n = 40; m = 200; split("A C G T", b, " ")
        for (j = 0; j < m; j++) root[j] = b[int(rand() * 4) + 1]
        for (i = 0; i < n; i++) { print ">s" i; s = ""
            for (j = 0; j < m; j++)
                s = s (rand() < 0.2 + i % 7 / 20 ? b[int(rand() * 4) + 1] : root[j])
            print s } }' >alignment.fa
    ./FastTree -nt -quiet -nosupport alignment.fa
}

build_graphicsmagick() {
    CFLAGS=-O1 CC=gcc configure_graphicsmagick &&
        make -j2 CC="$CC" utilities/gm
}
run_graphicsmagick() {
    local step
    for step in "-blur 0x3" "-resize 50%" "-median 2" "-swirl 60" "-emboss 1" "-normalize" \
        "-rotate 30" "-edge 1" "-modulate 90,110,70" "-despeckle" "-sharpen 0x2" "-wave 4x20" \
        "-colorspace YUV" "-shear 10x5" "-segment 1x1.5" "-gamma 1.3" "-threshold 40%"; do
        # shellcheck disable=SC2086 # a step is an option and its value
        ./utilities/gm convert -size 320x240 gradient:navy-gold -bordercolor teal -border 9 \
            $step "ppm:out.ppm" && echo "$step $(cksum <out.ppm)"
    done
}

build_muscle() {
    cd src && echo '"opari"' >gitver.txt && touch -d '+1 hour' gitver.txt &&
        make -j2 CXX="$CXX" CXXFLAGS="-O1 -fopenmp"
}
run_muscle() {
    awk 'BEGIN { srand(11); split("A C D E F G H I K L M N P Q R S T V W Y", b, " ")
        for (j = 0; j < 90; j++) root[j] = b[int(rand() * 20) + 1]
        for (i = 0; i < 14; i++) { print ">s" i; s = ""
            for (j = 0; j < 90; j++) {
                r = rand()
                s = s (r < 0.05 ? "" : r < 0.2 + i % 5 / 20 ? b[int(rand() * 20) + 1] : root[j])
            }
            print s } }' >proteins.fa
    ./src/Linux/muscle -align proteins.fa -output aligned.fa -threads 2 -quiet && cat aligned.fa
}

build_kraken2() {
    cd src && make -j2 CXX="$CXX" CXXFLAGS="-O1 -fopenmp -std=c++11 -DLINEAR_PROBING" \
        build_db classify estimate_capacity
}
run_kraken2() {
    mkdir -p db && awk 'BEGIN { srand(5); split("A C G T", b, " ")
        print "1\t|\t1\t|\tno rank\t|" >"db/nodes.dmp"
        print "1\t|\troot\t|\t\t|\tscientific name\t|" >"db/names.dmp"
        for (i = 2; i < 22; i++) {
            print i "\t|\t" int(i / 2) "\t|\tspecies\t|" >"db/nodes.dmp"
            print i "\t|\ttaxon " i "\t|\t\t|\tscientific name\t|" >"db/names.dmp"
            print "g" i "\t" i >"db/map"; print ">g" i >"db/genomes.fa"; s = ""
            for (j = 0; j < 4000; j++) s = s b[int(rand() * 4) + 1]
            print s >"db/genomes.fa"
            for (k = 0; k < 60; k++) {
                print ">r" i "." k >"db/reads.fa"
                print substr(s, int(rand() * 3900) + 1, 100) >"db/reads.fa"
            }
        }
    }' &&
        ./src/estimate_capacity -k 35 -l 31 -p 2 <db/genomes.fa &&
        ./src/build_db -k 35 -l 31 -c 200000 -H db/hash -t db/taxo -o db/opts -m db/map -n db -p 2 \
            <db/genomes.fa 2>/dev/null &&
        ./src/classify -H db/hash -t db/taxo -o db/opts -p 2 -R db/report db/reads.fa 2>/dev/null &&
        cat db/report && cksum db/hash
}

build_mumps() {
    local fc="${CC%gcc}gfortran"
    cp "$top/scripts/real/mumps.inc" Makefile.inc
    make prerequisites CC="$CC" FC="$fc" && make -C src -j2 d CC="$CC" FC="$fc" &&
        $fc -O1 -fopenmp -w -Iinclude -Ilibseq "$top/scripts/real/solve.F90" -o solve \
            -Llib -ldmumps -lmumps_common -LPORD/lib -lpord -Llibseq -lmpiseq -llapack -lblas
}
run_mumps() { ./solve; }

twice libimagequant build_libimagequant run_libimagequant
twice fasttree build_fasttree run_fasttree
twice graphicsmagick build_graphicsmagick run_graphicsmagick
if [ -n "${OPARI_ALL:-}" ]; then
    twice muscle build_muscle run_muscle
else
    echo "muscle: left out, it takes three minutes (OPARI_ALL=1)"
fi
twice kraken2 build_kraken2 run_kraken2
twice mumps build_mumps run_mumps 30
exit $failed
