#!/usr/bin/env bash
# make check: go vet, staticcheck, and the tests that need Go and gcc alone and are done in
# seconds. What starts compilers in numbers, a browser or mpirun is left out (internal/expensive):
# make test runs it.
set -u
cd "$(dirname "$0")/.." || exit 1
goroot=$(scripts/go env GOROOT) || exit 1
export PATH=$goroot/bin:$PATH
failed=0
go vet ./... || failed=1
go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./... || failed=1
go test -short -vet=off "$@" ./... | grep -vF '[no test files]'
[ "${PIPESTATUS[0]}" = 0 ] || failed=1
[ $failed = 0 ] && echo "passed; make test runs the rest"
exit $failed
