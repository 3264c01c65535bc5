package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"opari/internal/report"
)

// rankFiles are the profiles that the ranks of an MPI program have left as NAME.RANK, in the order
// of ranks, where there is no file of the name itself; nil where it stands for none.
func rankFiles(name string) []string {
	if exists(name) {
		return nil
	}
	found, _ := filepath.Glob(globbed(name) + ".[0-9]*")
	lowest, ranks := -1, 0
	for _, file := range found {
		rank, of := rankOf(file)
		if of > 0 && file == fmt.Sprintf("%s.%d", name, rank) && (lowest < 0 || rank < lowest) {
			lowest, ranks = rank, of
		}
	}
	var files []string
	for rank := range ranks {
		// The first one decides: of an earlier run with more ranks some may be left.
		file := fmt.Sprintf("%s.%d", name, rank)
		if _, of := rankOf(file); of == ranks {
			files = append(files, file)
		}
	}
	return files
}

// globbed is a name as a pattern that it alone matches.
func globbed(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(name)
}

// rankOf says which rank a profile is of, of how many; 0 of 0 where it says nothing of that, or is
// no profile.
func rankOf(file string) (rank, ranks int) {
	f, err := os.Open(file)
	if err != nil {
		return 0, 0
	}
	defer f.Close()
	return report.HeaderRank(f)
}

// readRun reads the profile of a process, or those of the ranks of a program as one.
func readRun(name string) (*report.Profile, error) {
	files := rankFiles(name)
	if files == nil {
		profiles, err := readProfiles([]string{name})
		if err != nil {
			return nil, err
		}
		return profiles[0], nil
	}
	return readRanks(files)
}

// readRanks reads the profiles of ranks as one: one by one, so that they stay in their order.
func readRanks(files []string) (*report.Profile, error) {
	var read []*report.Profile
	for _, file := range files {
		one, err := readProfiles([]string{file})
		if err != nil {
			return nil, err
		}
		read = append(read, one...)
	}
	return report.Ranks(read), nil
}

// fileOf is a file of what a name of a profile stands for.
func fileOf(name string) string {
	if files := rankFiles(name); len(files) > 0 {
		return files[0]
	}
	return name
}
