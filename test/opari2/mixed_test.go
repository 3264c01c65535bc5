package opari2

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"opari/internal/expensive"
)

const first = `#include <stdio.h>
int second(void);
int main(void)
{
    int s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(1)
    for (int i = 0; i < 10; i++)
        s += i;
    printf("%d\n", s + second());
    return 0;
}
`

const second = `int second(void)
{
    int s = 0;
#pragma omp parallel num_threads(1)
    {
#pragma omp critical(name)
        s++;
    }
    return s;
}
`

// TestMixed: a program may have one unit that opari has instrumented, and one from OPARI2. The
// library hears both.
func TestMixed(t *testing.T) {
	expensive.Compilers(t, "opari2", "gcc", "nm", "awk")
	dir := t.TempDir()
	for name, text := range map[string]string{"a.c": first, "b.c": second} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	opari := filepath.Join(dir, "opari")
	if out, err := exec.Command("go", "build", "-o", opari,
		"opari/cmd/opari").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	build := exec.Command("sh", "-ec", `
./opari pomp2 --prefix=ours
ours/bin/opari2 a.c
opari2 b.c
gcc -fopenmp -c a.mod.c b.mod.c
ours/bin/opari2-config --create-pomp2-regions a.mod.o b.mod.o | sh >init.c
gcc -c init.c
gcc -fopenmp a.mod.o b.mod.o init.o -lpomp -o program
./program 2>&1
`)
	build.Dir = dir
	out, err := build.CombinedOutput()
	want := regexp.MustCompile(`(?s)fork  parallel.*enter for.*join  parallel.*fork  parallel.*` +
		`enter critical name.*join  parallel`)
	if err != nil || !want.Match(out) {
		t.Errorf("%v\n%s", err, out)
	}
}
