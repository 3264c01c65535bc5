package eventlog

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The program prints the return addresses of three of its calls. The first call is inlined from
// text that opari added, and the second is in the program. The third is in code of another
// section, which precedes the rest.
const calls = `#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) void where(void) { printf("%p\n", __builtin_return_address(0)); fflush(stdout); }
#line 1 "<opari>"
static inline __attribute__((always_inline)) void added(void) {
  where();
}
#line 10 "f.c"
__attribute__((noinline)) void body(void) {
  added();
  where();
}
int main(void) {
  body();
  where();
  return system("cat /proc/$PPID/maps > maps");
}
`

func TestPlaces(t *testing.T) {
	for _, cc := range []string{"gcc", "clang-19"} {
		for _, flags := range []string{"-O0 -g", "-O2 -g", "-O2 -g -gdwarf-4", "-O1"} {
			t.Run(cc+" "+flags, func(t *testing.T) {
				if _, err := exec.LookPath(cc); err != nil {
					t.Skipf("%v: make test installs it", err)
				}
				got := placesOf(t, cc, strings.Fields(flags))
				want := []string{"f.c:11", "f.c:12", "f.c:16"}
				if flags == "-O1" {
					want = []string{"body+", "body+", "main+"}
				}
				for i, w := range want {
					if !strings.HasPrefix(got[i], w) {
						t.Errorf("call %d is at %s, want %s", i, got[i], w)
					}
				}
			})
		}
	}
}

// placesOf builds and runs the program, and returns the places that it prints.
func placesOf(t *testing.T, cc string, flags []string) []string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f.c"), []byte(calls), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command(cc,
		append(flags, "-fno-optimize-sibling-calls", "f.c", "-o", "program")...)
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.Command("./program")
	run.Dir = dir
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	p := readPlaces(filepath.Join(dir, "maps"))
	defer p.close()
	var all []string
	for line := range strings.Lines(string(out)) {
		var address uint64
		if _, err := fmt.Sscanf(line, "%v", &address); err != nil {
			t.Fatal(err)
		}
		all = append(all, p.of(address, dir))
	}
	if len(all) != 3 {
		t.Fatalf("the program printed %q", out)
	}
	return all
}
