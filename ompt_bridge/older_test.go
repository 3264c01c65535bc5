package ompt_bridge

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// TestOlderGenerations runs a script of events for tools of the two older generations. The logs
// are golden files. A golden file may be updated without being read, so the test also checks what
// must not be in the logs.
func TestOlderGenerations(t *testing.T) {
	expensive.Compilers(t)
	dir := t.TempDir()
	for _, generation := range []string{"2013", "2016"} {
		golden := "testdata/older" + generation + ".log"
		for _, flags := range []string{
			"-O2",
			"-O1 -fsanitize=address,undefined -fno-sanitize-recover=all", "-O1 -fsanitize=thread",
		} {
			program := filepath.Join(dir, "older")
			for _, args := range [][]string{
				{
					"-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-Isrc",
					"-c", "testdata/log" + generation + ".c", "-o", program + ".o",
				},
				{
					"-std=gnu11", "-Wall", "-Wextra", "-Wno-missing-field-initializers",
					"-Wno-unused-function", "-Werror", "testdata/older.c", program +
						".o", "-o", program, "-pthread",
				},
			} {
				if out, err := exec.Command("gcc",
					append(strings.Fields(flags+" -g"), args...)...).CombinedOutput(); err != nil {
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

// TestNamesOf2016 requires that a tool of 2016 with every name of the report's annex compiles in
// C and in C++. The records of A.6 must have the report's layout.
func TestNamesOf2016(t *testing.T) {
	expensive.Compilers(t, "g++")
	for _, command := range []string{
		"gcc -std=c11 -Wall -Wextra -Wconversion -Wshadow -Werror -Isrc -fsyntax-only " +
			"testdata/names2016.c",
		"g++ -std=c++20 -Wall -Wextra -Werror -Isrc -fsyntax-only -include src/ompt_2016.h -x " +
			"c++ /dev/null",
	} {
		args := strings.Fields(command)
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
}
