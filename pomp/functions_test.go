package pomp

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"opari/internal/expensive"
)

// TestFunctionsOff requires that functions that do little are switched off after a window of
// calls, that functions that take long stay, and that each entry that the program made has been
// recorded once, also under ThreadSanitizer.
func TestFunctionsOff(t *testing.T) {
	expensive.Compilers(t)
	sanitizer := append(sanitized(t, "-fsanitize=thread"), "-fno-openmp", "-pthread")
	for name, flags := range map[string][]string{
		"library": append(library(t).Libs(false), "-pthread"), "ThreadSanitizer": sanitizer,
	} {
		t.Run(name, func(t *testing.T) {
			program := compileProgram(t, "functions_off", flags...)
			counts := filepath.Join(t.TempDir(), "counts")
			p := measure(t, program, []string{"OPARI_TRACE=" + t.TempDir()}, counts)
			text, err := os.ReadFile(counts)
			if err != nil {
				t.Fatal(err)
			}
			var entries [5]int64
			if _, err := fmt.Sscan(string(text), &entries[1], &entries[2], &entries[3],
				&entries[4]); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			for line := 1; line <= 4; line++ {
				got := p.Regions[line].sum().Count
				if got != entries[line] {
					t.Errorf("function %d: %d recorded, %d entered", line, got, entries[line])
				}
				off := p.Off[line]
				if stays := line == 3; stays != (off == 0) || off%1000 != 0 || off > entries[line] {
					t.Errorf("function %d: off after %d calls, of %d", line, off, entries[line])
				}
			}
			if want := int64(4 * 400); entries[3] != want {
				t.Errorf("%d long calls, want %d", entries[3], want)
			}
		})
	}
}
