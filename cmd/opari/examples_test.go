package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"opari/internal/expensive"
)

// exampleProgram is the program of the examples. Its argument is a number of steps.
const exampleProgram = `#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    long steps = argc > 1 ? atol(argv[1]) : 200, sum = 0;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < steps; i++) {
        long part = 0;
        for (volatile long j = 0; j < 100 * i; j++)
            part++;
#pragma omp critical(sum)
        sum += part;
    }
    printf("%ld\\n", sum);
    return 0;
}
`

// prepareExamples makes the folder in which the examples find their files.
const prepareExamples = `
printf 'CFLAGS = -O1 -g -fopenmp\nprogram: program.c\n\t$(CC) $(CFLAGS) $< -o $@\n' >Makefile
make CC="opari cc gcc"
opari run --trace=run.trace ./program
mkdir before after tests
for i in 1 2; do
    opari run --profile=before/$i ./program
    cp before/$i after/$i
done
cp program.c tests
`

// TestExamples runs the examples in the help of all commands, each in a folder of its own. Each
// command has one.
func TestExamples(t *testing.T) {
	expensive.Test(t, "it runs each example of the help", "make")
	bin, home, folder := filepath.Dir(built(t)), t.TempDir(), t.TempDir()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	shell := func(dir, command string) error {
		cmd := exec.Command("bash", "-ec", command)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+cache, "OMP_NUM_THREADS=2",
			"PATH="+bin+":"+home+"/bin:"+os.Getenv("PATH"))
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		return nil
	}
	if err := os.WriteFile(filepath.Join(folder, "program.c"), []byte(exampleProgram),
		0o666); err != nil {
		t.Fatal(err)
	}
	if err := shell(folder, prepareExamples); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Example == "" && !c.Hidden {
			t.Errorf("%s has no example", c.CommandPath())
		}
		for line := range strings.Lines(c.Example) {
			line = strings.TrimSuffix(line, "\n")
			command, indented := strings.CutPrefix(line, "  ")
			if !indented || len(line) > 80 || !strings.Contains(command, c.CommandPath()) &&
				c.HasParent() && c.Name() != "completion" && c.Name() != "trace" {
				t.Errorf("%s: %q is no example of it", c.CommandPath(), line)
			}
			if seen[command] {
				continue
			}
			seen[command] = true
			t.Run(command, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "here")
				if err := shell(folder, "cp -rp . '"+dir+"'"); err != nil {
					t.Fatal(err)
				}
				if err := shell(dir, command); err != nil {
					t.Error(err)
				}
			})
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(commands))
}
