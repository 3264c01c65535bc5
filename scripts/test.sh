#!/usr/bin/env bash
# make test: style, every Go test, then the corpus: GCC's OpenMP tests through the wrapper and through opari file.c,
# the properties of instrumented text, and its extents against gcc and cc/v4. Each step runs even when an earlier one failed; the last line counts them.
set -u
cd "$(dirname "$0")/.."
scripts/install-tools.sh test || exit 1
go=scripts/go
passed=0
failed=0
broken=()

step() {
    local name=$1 start=$SECONDS
    shift
    printf '\n== %s\n' "$name"
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        broken+=("$name")
    fi
    printf '== %s: %d s\n' "$name" $((SECONDS - start))
}

step lint scripts/lint.sh
step "go test" $go test -timeout 20m ./...
corpus=$(scripts/corpus.sh) || exit 1
step corpus env OPARI_CORPUS="$corpus" $go test -count=1 -timeout 60m -v -run "${CORPUS_RUN:-.}" ./test/corpus
step extents env OPARI_CORPUS="$corpus" $go test -count=1 -timeout 30m -v -run 'Oracle|CorpusAgreement' ./parse
step "real program" scripts/real-program.sh

if [ $failed -gt 0 ]; then
    printf '\nfailed: %s\n' "${broken[*]}"
fi
printf '\n%d passed, %d failed\n' $passed $failed
[ $failed = 0 ]
