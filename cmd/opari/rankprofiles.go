package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"opari/internal/report"
)

// rankFiles returns the profiles NAME.RANK of an MPI program's ranks, in the order of ranks. It
// returns nil if a file has the name itself, or if no such profile exists.
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
		// The lowest rank decides, because files of an earlier run with more ranks may remain.
		file := fmt.Sprintf("%s.%d", name, rank)
		if _, of := rankOf(file); of == ranks {
			files = append(files, file)
		}
	}
	return files
}

// globbed escapes a name into a pattern that matches only this name.
func globbed(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(name)
}

// rankOf returns the rank of a profile and the number of ranks. Both are 0 if the header has no
// rank, or the file is no profile.
func rankOf(file string) (rank, ranks int) {
	f, err := os.Open(file)
	if err != nil {
		return 0, 0
	}
	defer f.Close()
	return report.HeaderRank(f)
}

// readRun reads the profile of a process, or the profiles of a program's ranks as one.
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

// readRanks reads the profiles of ranks as one. It reads them one by one to keep their order.
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

// fileOf returns one of the files that a profile's name means.
func fileOf(name string) string {
	if files := rankFiles(name); len(files) > 0 {
		return files[0]
	}
	return name
}
