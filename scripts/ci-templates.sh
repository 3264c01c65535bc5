#!/usr/bin/env bash
# Runs the shell steps of the GitHub action and of the GitLab template: on a program that became
# slower and has a race, and on one that did neither.
set -eu
cd "$(dirname "$0")/.." || exit 1
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "ci-templates: $*" >&2
    exit 1
}

# step FILE NAME: the shell of a step of the action, or of a job of the template.
step() {
    python3 - "$root/packaging/ci/$1" "$2" <<'PYTHON'
import sys, yaml
text = yaml.safe_load(open(sys.argv[1]))
if "runs" in text:
    steps = [s for s in text["runs"]["steps"] if s["name"] == sys.argv[2]]
    assert len(steps) == 1 and steps[0]["shell"] == "bash"
    inputs = set(text["inputs"])
    for value in steps[0]["env"].values():
        assert value.startswith("${{ inputs.") and value[11:-3] in inputs, value
    assert "${{" not in steps[0]["run"]  # an input is data, not a part of the script
    print(steps[0]["run"])
else:
    print("\n".join(text[sys.argv[2]]["script"]))
PYTHON
}
# run FILE NAME: the exit code, as the service's own shell would have it.
run() {
    local code=0
    step "$1" "$2" >"$work/step.sh"
    (cd "$work" && bash --noprofile --norc -eo pipefail step.sh) \
        >"$work/log" 2>&1 || code=$?
    echo $code
}

scripts/go build -o "$work/bin/opari" ./cmd/opari
export PATH=$work/bin:$PATH GITHUB_STEP_SUMMARY=$work/summary.md
cat >"$work/f.c" <<'PROGRAM'
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
  int n = 0;
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 2; i++) {
    usleep(argc > 1 ? atoi(argv[1]) : 1000);
#ifdef RACE
    n += i;
#endif
  }
  return n > 1;
}
PROGRAM
(cd "$work" && opari cc gcc -fopenmp f.c -o prog)

export OPARI_RUNS=5 OPARI_FAIL_ON=run OPARI_THREADS=2,4
for of in "action.yml|opari compare" "gitlab.yml|.opari-compare"; do
    file=${of%|*} name=${of#*|}
    : >"$GITHUB_STEP_SUMMARY"
    rm -f "$work/opari-compare.md"
    code=$(OPARI_BEFORE="./prog 1000" OPARI_AFTER="./prog 400000" run "$file" "$name")
    [ "$code" = 1 ] || fail "$file: slower: exit code $code: $(cat "$work/log")"
    grep -q '^### slower: ' "$work/opari-compare.md" ||
        fail "$file: $(cat "$work/opari-compare.md")"
    [ "$file" = gitlab.yml ] || cmp -s "$work/opari-compare.md" "$GITHUB_STEP_SUMMARY" ||
        fail "$file: the summary is not that of opari compare"
    code=$(OPARI_BEFORE="./prog 400000" OPARI_AFTER="./prog 1000" run "$file" "$name")
    [ "$code" = 0 ] || fail "$file: faster: exit code $code: $(cat "$work/log")"
    code=$(OPARI_BEFORE=./nothing OPARI_AFTER=./nothing run "$file" "$name")
    [ "$code" != 0 ] || fail "$file: a program that is not there passes"
    echo "ci-templates: $file: a slower program fails, a faster one passes"
done

(cd "$work" && opari cc --race gcc -O1 -fopenmp f.c -o clean &&
    opari cc --race gcc -O1 -DRACE -fopenmp f.c -o racy)
if (cd "$work" && ./clean) 2>&1 | grep -q 'FATAL: ThreadSanitizer'; then
    echo "ci-templates: not tested: races, because ThreadSanitizer does not run here"
    exit 0
fi
for of in "action.yml|opari race" "gitlab.yml|.opari-race"; do
    file=${of%|*} name=${of#*|}
    : >"$GITHUB_STEP_SUMMARY"
    code=$(OPARI_RACE=./racy run "$file" "$name")
    [ "$code" = 66 ] || fail "$file: a race: exit code $code: $(cat "$work/log")"
    grep -q '"version": "2.1.0"' "$work/opari-races.sarif" || fail "$file: no SARIF"
    if [ "$file" = action.yml ]; then
        grep -q '^- .f\.c:10.: ' "$GITHUB_STEP_SUMMARY" ||
            fail "$file: $(cat "$GITHUB_STEP_SUMMARY" "$work/log")"
    else
        jq -e '.[0].location == {path: "f.c", lines: {begin: 10}} and
            (.[0] | has("description", "fingerprint", "severity"))' "$work/opari-races.json" \
            >"$work/log" || fail "$file: $(cat "$work/opari-races.json")"
    fi
    code=$(OPARI_RACE=./clean run "$file" "$name")
    [ "$code" = 0 ] || fail "$file: no race: exit code $code: $(cat "$work/log")"
    echo "ci-templates: $file: a race fails and is named by file and line"
done
