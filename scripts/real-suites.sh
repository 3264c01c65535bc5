#!/usr/bin/env bash
# Test suites of programs by others, from Debian's source packages: each is configured, built and
# tested twice from an unchanged tree, with the bare compilers, and with one line in the
# environment, CC="opari cc gcc" CXX="opari cc g++" FC="opari cc gfortran". The suites must pass,
# with the same results, and the wrapped build must have instrumented directives. Takes a quarter
# of an hour; names as arguments select. What a package needs besides compilers: libsharp-dev
# libcfitsio-dev (healpix-cxx).
set -eu
cd "$(dirname "$0")/.."
top=$PWD
opari=${OPARI_BIN:-$top/bin/opari}
[ -n "${OPARI_BIN:-}" ] || make -s bin/opari
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

. scripts/real/fetch.sh

# suite PACKAGE BUILD TEST RESULTS: BUILD and TEST are functions that run in the tree; RESULTS is
# an expression of awk's for the lines of the test's output that are compared.
suite() {
    local package=$1 kind start=$SECONDS
    if [ ${#selected[@]} -gt 0 ] && [[ " ${selected[*]} " != *" $package "* ]]; then
        return
    fi
    fetch "$package" || { failed=1; return; }
    for kind in bare ours; do
        mv "$work/$package" "$work/$package.tree"
        cp -a "$work/$package.tree" "$work/$package"
        local -x CC=gcc CXX=g++ FC=gfortran OMP_NUM_THREADS=2
        [ $kind = bare ] || { CC="$opari cc gcc" CXX="$opari cc g++" FC="$opari cc gfortran"; }
        if ! (cd "$work/$package" && OPARI_COVERAGE=$work/$package.coverage "$2") \
            >"$work/log" 2>&1; then
            echo "suites: $package: the $kind build failed:"
            tail -n 15 "$work/log"
            failed=1
            return
        fi
        (cd "$work/$package" && OMP_WAIT_POLICY=passive "$3") >"$work/$package.$kind.log" 2>&1 ||
            echo "exit code $?" >>"$work/$package.$kind.log"
        awk "$4"' || /^exit code/' "$work/$package.$kind.log" >"$work/$package.$kind"
        rm -rf "${work:?}/$package"
        mv "$work/$package.tree" "$work/$package"
    done
    if grep -H '^exit code' "$work/$package.ours" || [ ! -s "$work/$package.bare" ] ||
        ! cmp "$work/$package.bare" "$work/$package.ours"; then
        echo "suites: $package: its tests end otherwise, or fail:"
        diff "$work/$package.bare" "$work/$package.ours" | head -n 10
        tail -n 10 "$work/$package.ours.log"
        failed=1
        return
    fi
    local directives
    directives=$(grep -c '"instrumented":true' "$work/$package.coverage" || true)
    if [ "$directives" = 0 ]; then
        echo "suites: $package: nothing is instrumented"
        failed=1
        return
    fi
    echo "suites: $package: its tests pass," \
        "$(wc -l <"$work/$package.bare") lines of results are the same;" \
        "$directives directives instrumented; $((SECONDS - start)) s"
}

build_libsharp() { ./configure --enable-openmp && make -j2; }
test_check() { make check; }

build_healpix() {
    # The version is no number any more; the program only warns of it.
    sed -i 's/1000\.\*CFITSIO_VERSION/1000.*CFITSIO_MAJOR/' cxxsupport/fitshandle.cc
    ./configure && make -j2
}

build_mumps() {
    cp "$top/scripts/real/mumps.inc" Makefile.inc
    make prerequisites CC="$CC" FC="$FC" && make -C src -j2 d CC="$CC" FC="$FC" &&
        make -C examples d CC="$CC" FC="$FC"
}
test_mumps() { cd examples && ./dsimpletest <input_simpletest_real && ./c_example; }

build_graphicsmagick() {
    configure_graphicsmagick &&
        make -s -j2
}
test_graphicsmagick() { make -s -j2 check; }

build_fftw() { ./configure --enable-openmp --disable-fortran --disable-doc && make -j2; }
# check would take thirty times as many transforms, chosen by chance.
test_fftw() { make -C tests smallcheck; }

build_john() { make -C src linux-x86-64 OMPFLAGS=-fopenmp CC="$CC"; }
test_john() { make -C src check && run/john --test=0; } # every cipher by its test vectors

selected=("$@")
suite libsharp build_libsharp test_check '/^(PASS|FAIL|XFAIL|# [A-Z]+:)/'
suite healpix-cxx build_healpix test_check '/^(PASS|FAIL|XFAIL|# [A-Z]+:)/'
suite mumps build_mumps test_mumps '/Solution|RINFOG|INFOG|Error/'
suite graphicsmagick build_graphicsmagick test_graphicsmagick '/^(# [A-Z]+:)/'
suite fftw3 build_fftw test_fftw '/FFTW .*passed/'
suite john build_john test_john '/^(Benchmarking|Testing|Self|All)/'
exit $failed
