package reports

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/eventlog"
	"opari/internal/omp"
	"opari/internal/report/profile"
)

// RankFiles returns the profiles NAME.RANK of an MPI program's ranks, in the order of ranks. It
// returns nil if a file has the name itself, or if no such profile exists.
func RankFiles(name string) []string {
	if disk.Exists(name) {
		return nil
	}
	found, _ := filepath.Glob(Globbed(name) + ".[0-9]*")
	lowest, ranks := -1, 0
	for _, file := range found {
		rank, of := RankOf(file)
		if of > 0 && file == fmt.Sprintf("%s.%d", name, rank) && (lowest < 0 || rank < lowest) {
			lowest, ranks = rank, of
		}
	}
	var files []string
	for rank := range ranks {
		// The lowest rank decides, because files of an earlier run with more ranks may remain.
		file := fmt.Sprintf("%s.%d", name, rank)
		if _, of := RankOf(file); of == ranks {
			files = append(files, file)
		}
	}
	return files
}

// Globbed escapes a name into a pattern that matches only this name.
func Globbed(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(name)
}

// RankOf returns the rank of a profile and the number of ranks. Both are 0 if the header has no
// rank, or the file is no profile.
func RankOf(file string) (rank, ranks int) {
	f, err := os.Open(file)
	if err != nil {
		return 0, 0
	}
	defer f.Close()
	return profile.HeaderRank(f)
}

// readRun reads the profile of a process, or the profiles of a program's ranks as one.
func readRun(name string) (*profile.Profile, error) {
	files := RankFiles(name)
	if files == nil {
		if err := CheckRun(name); err != nil {
			return nil, err
		}
		profiles, err := ReadProfiles([]string{name})
		if err != nil {
			return nil, err
		}
		return profiles[0], nil
	}
	return ReadRanks(files)
}

// ReadRanks reads the profiles of ranks as one. It reads them one by one to keep their order.
func ReadRanks(files []string) (*profile.Profile, error) {
	var read []*profile.Profile
	for _, file := range files {
		one, err := ReadProfiles([]string{file})
		if err != nil {
			return nil, err
		}
		read = append(read, one...)
	}
	return profile.Ranks(read), nil
}

// fileOf returns one of the files that a profile's name means.
func fileOf(name string) string {
	if files := RankFiles(name); len(files) > 0 {
		return files[0]
	}
	return name
}

// ReadProfiles reads the profiles of processes, in the order of process numbers.
func ReadProfiles(files []string) ([]*profile.Profile, error) {
	var profiles []*profile.Profile
	calls := eventlog.NewCalls()
	defer calls.Close()
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, failure.OS(name, err)
		}
		p, err := profile.Read(name, f)
		_ = f.Close()
		if err != nil {
			return nil, err
		}
		for _, r := range p.Regions {
			if r.Kind == omp.KindMPI && r.File == "" {
				r.File, r.Begin[0] = calls.Place(r.Directive)
				r.Directive = r.Name
			}
		}
		profiles = append(profiles, p)
	}
	slices.SortFunc(profiles, func(a, b *profile.Profile) int { return a.PID - b.PID })
	return profiles, nil
}
