#!/usr/bin/env bash
# make test: style, every Go test, with the extents of GCC's OpenMP tests against gcc and cc/v4,
# then the corpus: these tests through the wrapper and through opari file.c, and the properties of
# instrumented text; then programs by others. Each step runs even when an earlier one failed; the
# last line counts them.
set -u
cd "$(dirname "$0")/.." || exit 1
scripts/install-tools.sh test || exit 1
go=scripts/go
passed=0
failed=0
broken=()
again=$(mktemp) # what failed in the Go tests, for the end of the output
trap 'rm -f "$again"' EXIT

step() {
    local name=$1 TIMEFORMAT="== $1: %0R s, CPU %0U s user and %0S s system"
    shift
    printf '\n== %s\n' "$name"
    if time "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        broken+=("$name")
    fi
}

corpus=$(scripts/corpus.sh) || exit 1
export OPARI_CORPUS=$corpus

# The Go tests but for the corpus's own, with the reason of each one that is skipped. They are not
# cached: go test does not see that a test depends on a command that it builds. The parity suite
# may not lie beside the checkout, and a machine may have no network for EZTrace or no address
# space for ThreadSanitizer, one processor, or a kernel that does not tell of other processes. Any
# other reason is a failure: what a test needs is installed above.
may_skip='\.\./shared|EZTrace cannot be had|ThreadSanitizer does not run here|one processor'
may_skip+='|the kernel does not tell'
go_tests() {
    local log status=0 packages
    log=$(mktemp)
    mapfile -t packages < <($go list ./... | grep -v '/test/corpus$')
    $go test -count=1 -vet=off -v -timeout 40m "${packages[@]}" >"$log" 2>&1 || status=1
    if [ $status = 0 ]; then
        grep -E '^ok |: [0-9]+ constructs with a body|: agreement in' "$log"
    else
        grep -v '^=== ' "$log"
        grep -E -A 12 '^ *--- FAIL|^panic: |^FAIL' "$log" | grep -vE '^ *--- (PASS|SKIP)' |
            head -n 150 >"$again"
    fi
    known_skips "$log" || status=1
    rm -f "$log"
    return $status
}

# known_skips LOG prints the skipped tests of a log and fails if one has another reason.
known_skips() {
    if grep -B 1 -E '^ *--- SKIP' "$1" | grep -vE '^--$|^=== '; then
        ! grep -B 1 -E '^ *--- SKIP' "$1" | grep -E '_test\.go:[0-9]+:' |
            grep -vE "$may_skip" || return 1
    fi
}

corpus_tests() {
    local log status
    log=$(mktemp)
    $go test -count=1 -vet=off -timeout 60m -v -run "${CORPUS_RUN:-.}" ./test/corpus | tee "$log"
    status=${PIPESTATUS[0]}
    known_skips "$log" || status=1
    rm -f "$log"
    return "$status"
}

step lint scripts/lint.sh
step "go test" go_tests
step corpus corpus_tests
unset OPARI_CORPUS
step "real program" scripts/real-program.sh
step "hybrid program" scripts/real-mpi.sh
step packages scripts/packages.sh
step "other machines" scripts/machines.sh
step "CI templates" scripts/ci-templates.sh

if [ $failed -gt 0 ]; then
    cat "$again"
    printf '\nfailed: %s\n' "${broken[*]}"
fi
printf '\n%d passed, %d failed\n' $passed $failed
[ $failed = 0 ]
