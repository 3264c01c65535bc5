#!/usr/bin/env bash
# Other machines than this one, by Debian's cross compilers and qemu: the library's tests on ARM,
# RISC-V and z; traces in OTF on z, where bytes stand the other way round; musl's C library; and
# 32-bit ARM, for which there is no library. RISC-V and z take a minute of CPU each, most of it to
# compile for them; OPARI_ALL=1 includes them.
set -eu
cd "$(dirname "$0")/.." || exit 1
go=$PWD/scripts/go
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "machines: $*" >&2
    exit 1
}

# The tests that need no other tool on the machine and do not look at the emulator's memory.
tests='^Test(CountsAreExact|Counted|MergedCalls|Lazy|HostThreads|Forks|ExitInTheMiddle|Cancellation'
tests+='|NestLockOwners|SilentWithoutProfile)$'
$go test -c -vet=off -o "$work/pomp.test" ./pomp
machines=(aarch64-linux-gnu)
if [ -n "${OPARI_ALL:-}" ]; then
    machines+=(riscv64-linux-gnu s390x-linux-gnu)
else
    echo "machines: not tested: riscv64 and s390x, which take minutes; OPARI_ALL=1 includes them"
fi
for machine in "${machines[@]}"; do
    (cd pomp && OPARI_TEST_MACHINE=$machine "$work/pomp.test" -test.v -test.run "$tests") \
        >"$work/log" 2>&1 || fail "$machine: $(grep -v '^=== ' "$work/log")"
    echo "machines: $machine: $(grep -c '^--- PASS' "$work/log") tests of the library passed"
done

# The tests write by otf here and by libotf, which is not emulated, and compare the bytes.
if [ -n "${OPARI_ALL:-}" ]; then
    tests='^Test(SameBytes|EveryRecord|Samples|MergeKeepsRecords)$'
    GOARCH=s390x CGO_ENABLED=0 $go test -count=1 -short -vet=off -exec qemu-s390x -v \
        -run "$tests" ./otf >"$work/log" 2>&1 ||
        fail "otf on s390x: $(grep -v '^=== ' "$work/log")"
    [ "$(grep -c '^--- PASS' "$work/log")" = 4 ] ||
        fail "otf on s390x: tests are missing: $(cat "$work/log")"
    echo "machines: s390x: traces in OTF have the bytes that libotf writes on this machine"
fi

$go build -o "$work/opari" ./cmd/opari
opari=$work/opari
cat >"$work/f.c" <<'PROGRAM'
#include <stdio.h>
int main(void)
{
  int s = 0;
#pragma pomp inst begin(all)
#pragma omp parallel num_threads(2)
#pragma omp critical
  s += 5;
#pragma pomp inst end(all)
  printf("%d\n", s);
  return 0;
}
PROGRAM
cd "$work"
# There is no OpenMP runtime for musl in Debian. The library links without one.
$opari f.c
$opari install --prefix lib --cc musl-gcc --mpicc -
musl-gcc -static f.mod.c -Wl,-u,pomp_unit_1 lib/lib/libpomp.a -o musl
[ "$($opari run ./musl 2>report)" = 5 ] || fail "musl: the program prints something else"
grep -q 'region(all)' report || fail "musl: $(cat report)"
echo "machines: musl: a static program measures"

# Instrumented text works on any machine; the library says what it needs.
arm-linux-gnueabihf-gcc -fopenmp f.mod.c -o arm
[ "$(OMP_NUM_THREADS=2 qemu-arm -L /usr/arm-linux-gnueabihf ./arm)" = 10 ] ||
    fail "32-bit ARM: the program prints something else"
if $opari config --libs --cc=arm-linux-gnueabihf-gcc >out 2>&1; then
    fail "32-bit ARM: a library was built"
fi
grep -q 'needs a 64-bit machine' out || fail "32-bit ARM: $(cat out)"
echo "machines: 32-bit ARM: instrumented programs run, and nothing is measured"
