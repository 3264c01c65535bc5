package ompt_bridge

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A script of events as tools of the two older generations are told of it. The logs are golden; golden does not mean that nobody looks, so what
// must not be there is checked apart.
func TestOlderGenerations(t *testing.T) {
	dir := t.TempDir()
	for _, generation := range []string{"2013", "2016"} {
		golden := "testdata/older" + generation + ".log"
		for _, flags := range []string{"-O2", "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all", "-O1 -fsanitize=thread"} {
			program := filepath.Join(dir, "older")
			for _, args := range [][]string{
				{"-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-Isrc", "-c", "testdata/log" + generation + ".c", "-o", program + ".o"},
				{"-std=gnu11", "-Wall", "-Wextra", "-Wno-missing-field-initializers", "-Wno-unused-function", "-Werror", "testdata/older.c", program + ".o", "-o", program, "-pthread"},
			} {
				if out, err := exec.Command("gcc", append(strings.Fields(flags+" -g"), args...)...).CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", flags, err, out)
				}
			}
			got, err := exec.Command(program).CombinedOutput()
			if err != nil {
				t.Fatalf("%s, %s: %v\n%s", generation, flags, err, got)
			}
			if strings.Contains(string(got), "!!") || strings.Contains(string(got), "?") {
				t.Errorf("%s: the tool complains:\n%s", generation, got)
			}
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(want) {
				t.Errorf("%s, %s: the log differs from %s:\n%s", generation, flags, golden, got)
			}
		}
	}
}
