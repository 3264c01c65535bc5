#!/usr/bin/env bash
# Installs what a make target needs and this machine lacks, from Debian's packages. Prints nothing
# when nothing is missing.
#
#   scripts/install-tools.sh build|demo|site|deb|rpm|test|bench|conformance
#
# Installing needs root; without it the missing packages are named and the script fails.
set -eu

target=${1:?which target: build, demo, site, deb, rpm, test, bench or conformance}
missing=()

# need PACKAGE COMMAND-OR-FILE: the package is missing when neither the command nor the file exists.
need() {
    case $2 in
    /*) compgen -G "$2" >/dev/null || missing+=("$1") ;;
    *) command -v "$2" >/dev/null || missing+=("$1") ;;
    esac
}

# Debian 12 calls the compilers of LLVM 19 by version; their runtime is found through the compiler.
llvm() {
    need clang-19 clang-19
    need libomp-19-dev '/usr/lib/llvm-19/lib/libomp.so'
}

# The documentation site and its pictures.
site() {
    need make make
    need mkdocs mkdocs
    need mkdocs-material /usr/share/mkdocs/themes/material
    need chromium chromium
    need pngquant pngquant
}

# What makes packages, with the library for arm64 in them.
packages() {
    need make make
    need git git
    need gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc
    need libc6-dev-arm64-cross /usr/aarch64-linux-gnu/include/stdio.h
}

need ca-certificates /etc/ssl/certs/ca-certificates.crt
need gcc gcc
need libc6-dev /usr/include/stdio.h
case $target in
build) ;;
site) site ;;
demo)
    need make make
    ;;
deb)
    packages
    need dpkg dpkg-deb
    ;;
rpm)
    packages
    need rpm rpmbuild
    ;;
test | conformance)
    need make make
    need g++ g++
    need gfortran gfortran
    need git git
    need cmake cmake
    need ninja-build ninja
    need ccache ccache
    need meson meson
    need autoconf autoreconf
    need automake automake
    need libtool libtoolize
    need openmpi-bin mpicc.openmpi
    need libopenmpi-dev mpifort.openmpi
    need iproute2 ip # two machines in one
    need mpich mpirun.mpich # beside Open MPI, which stays what mpicc and mpirun are
    need libmpich-dev mpifort.mpich
    need pkg-config pkg-config
    need binutils nm
    need xz-utils xz
    need gcc-12-source '/usr/src/gcc-12/gcc-12*.tar.xz'
    need valgrind valgrind
    need python3 python3
    need libblas-dev '/usr/lib/*/libblas.so'
    need liblapack-dev '/usr/lib/*/liblapack.so'
    need flang-19 flang-new-19
    need clang-22 clang-22 # the newest; its runtime is that of LLVM 19
    need otf-trace otfprint
    need libopen-trace-format-dev /usr/include/open-trace-format/otf.h
    need libotf2-trace-dev /usr/include/otf2/otf2.h
    need otf2-tools otf2-print
    need vite vite # reads OTF2, too
    need xvfb xvfb-run
    need xauth xauth
    need opari2 opari2
    need libpomp2-dev /usr/include/opari2/pomp2_lib.h
    need python3-otf2 /usr/lib/python3/dist-packages/otf2/reader.py
    need zlib1g-dev /usr/include/zlib.h
    need protobuf-compiler protoc # decodes exports for Perfetto
    site
    need clang-tools-19 /usr/lib/llvm-19/bin/clang-offload-packager # clang's own way to a device
    need shellcheck shellcheck
    need clang-format-19 clang-format-19
    packages
    need rpm rpmbuild
    need lintian lintian
    need debootstrap debootstrap
    need qemu-user qemu-aarch64
    for machine in riscv64-linux-gnu s390x-linux-gnu arm-linux-gnueabihf; do
        need "gcc-$machine" "$machine-gcc"
    done
    need libc6-dev-riscv64-cross /usr/riscv64-linux-gnu/include/stdio.h
    need libc6-dev-s390x-cross /usr/s390x-linux-gnu/include/stdio.h
    need libc6-dev-armhf-cross /usr/arm-linux-gnueabihf/include/stdio.h
    need musl-tools musl-gcc
    need zsh zsh
    need jq jq
    need python3-yaml /usr/lib/python3/dist-packages/yaml/__init__.py
    llvm
    ;;
bench)
    need make make
    need gfortran gfortran
    need opari2 opari2
    need libpomp2-dev /usr/include/opari2/pomp2_lib.h
    need libotf2-trace-dev /usr/include/otf2/otf2.h
    need libopen-trace-format-dev /usr/include/open-trace-format/otf.h
    need zlib1g-dev /usr/include/zlib.h
    llvm
    ;;
*)
    echo "install-tools: unknown target $target" >&2
    exit 2
    ;;
esac

if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(id -u)" != 0 ]; then
        echo "install-tools: missing: ${missing[*]}" >&2
        echo "install-tools: apt-get install ${missing[*]}, or run make as root" >&2
        exit 1
    fi
    echo "install-tools: installing ${missing[*]}" >&2
    export DEBIAN_FRONTEND=noninteractive
    log=$(mktemp)
    for try in 1 2; do
        if { apt-get update &&
            apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
            break
        elif [ $try = 2 ]; then
            tail -n 20 "$log" >&2
            exit 1
        fi
        sleep 5
    done
    rm -f "$log"
fi
"$(dirname "$0")/go" version >/dev/null
