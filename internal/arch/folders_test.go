package arch

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// mostFiles is how many files a folder has besides tests, so that a person can keep them in mind.
const mostFiles = 20

// crowded lists the folders that have more, with how many they may have and why. They get no more,
// and lose their row once they are parted.
var crowded = map[string]struct {
	files int
	why   string
}{
	"otf":                {34, "the interface of libotf; a file for each kind of stream"},
	"otf2":               {23, "a file for each part of an archive"},
	"internal/recording": {32, "to be parted: reading recordings, and writing traces"},
	"parse":              {26, "to be parted: the automaton, and what it knows of declarations"},
	"internal/sampling":  {22, "to be parted: perf events, and what is made of samples"},
	"rewrite":            {21, "a file for each rule"},
	"bench":              {22, "a file for each benchmark"},
}

// TestFolders checks how many files of Go and C a folder has, besides tests and test data.
func TestFolders(t *testing.T) {
	files := map[string]int{}
	sources(t, []string{".go", ".c", ".h"}, func(dir, file string, _ []byte) {
		if !strings.HasSuffix(file, "_test.go") {
			files[dir]++
		}
	})
	for _, dir := range slices.Sorted(maps.Keys(files)) {
		most, n := mostFiles, files[dir]
		if row, known := crowded[dir]; known {
			if most = row.files; n <= mostFiles {
				t.Errorf("%s has %d files: remove its row (%s)", dir, n, row.why)
			}
		}
		if n > most {
			t.Errorf("%s has %d files, more than %d: it wants rooms", dir, n, most)
		}
	}
	for dir := range crowded {
		if files[dir] == 0 {
			t.Errorf("there is no folder %s: remove its row", dir)
		}
	}
}
