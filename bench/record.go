package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"opari/internal/recording"
)

// recordVariants are the ways to run bench/events/events.c: thread states only, recording to a
// place where no file can be, and recording a trace.
var recordVariants = []struct{ name, env string }{
	{"states", "OPARI=state"},
	{"buffer", "OPARI_TRACE=/dev/null/none"},
	{"written", "OPARI_TRACE=trace"},
	{"profile", "OPARI_PROFILE=profile"},
}

// record measures what an event costs with a trace: ns in alternating runs, instructions if
// callgrind is installed, and bytes.
func (s *setting) record(rounds, threads int) error {
	program, err := s.events()
	if err != nil {
		return err
	}
	ns := map[string]map[string][]float64{} // by variant and construct
	var names []string
	for range rounds {
		for _, v := range recordVariants {
			removeRecordings(s.work)
			_, out, err := command(s.work, []string{v.env}, program, strconv.Itoa(threads))
			if err != nil {
				return err
			}
			if ns[v.name] == nil {
				ns[v.name] = map[string][]float64{}
			}
			if names, err = readings(out, ns[v.name]); err != nil {
				return err
			}
		}
	}
	fmt.Printf("\nrecord: ns per call of the library, %d threads, medians of %d alternating "+
		"runs\n%-14s", threads, rounds, "construct")
	for _, v := range recordVariants {
		fmt.Printf(" %9s", v.name)
	}
	fmt.Println()
	for _, name := range names {
		fmt.Printf("%-14s", name)
		for _, v := range recordVariants {
			_, median, _ := quartiles(ns[v.name][name])
			fmt.Printf(" %9.1f", median)
		}
		fmt.Println()
	}
	if err := s.recordBytes(program); err != nil {
		return err
	}
	return s.recordInstructions(program)
}

// readings adds a program's output, "name ns, name ns, ...", to the values of each name. It
// returns the names in their order.
func readings(out string, values map[string][]float64) ([]string, error) {
	var names []string
	for part := range strings.SplitSeq(strings.TrimSpace(out), ", ") {
		at := strings.LastIndexByte(part, ' ')
		value, err := strconv.ParseFloat(part[at+1:], 64)
		if err != nil || at < 0 {
			return nil, fmt.Errorf("the program printed %q", out)
		}
		names = append(names, part[:at])
		values[part[:at]] = append(values[part[:at]], value)
	}
	return names, nil
}

// events builds bench/events/events.c with the static library.
func (s *setting) events() (string, error) {
	program := filepath.Join(s.work, "events")
	args := []string{"gcc", "-O2", "-o", program}
	for _, flag := range []string{"--cflags", "--libs"} {
		_, out, err := command(s.work, nil, s.opari, "config", flag)
		if err != nil {
			return "", err
		}
		if flag == "--libs" {
			args = append(args, filepath.Join(s.root, "bench", "events", "events.c"))
		}
		args = append(args, strings.Fields(out)...)
	}
	_, _, err := command(s.work, nil, args...)
	return program, err
}

func removeRecordings(work string) {
	_ = os.RemoveAll(filepath.Join(work, "trace"))
	removeProfiles(work)
}

// recordBytes returns the disk space of a run's record, including the unused space of the last
// chunk.
func (s *setting) recordBytes(program string) error {
	removeRecordings(s.work)
	if _, _, err := command(s.work, []string{"OPARI_TRACE=trace"}, program, "1"); err != nil {
		return err
	}
	folder := filepath.Join(s.work, "trace")
	files, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var size int64
	for _, f := range files {
		is, err := f.Info()
		if err != nil {
			return err
		}
		size += is.Size()
	}
	processes, _, err := recording.Read(folder)
	if err != nil {
		return err
	}
	records := processes[0].Records()
	fmt.Printf("%.2f bytes per record written (%d records)\n",
		float64(size)/float64(records), records)
	return nil
}

var collected = regexp.MustCompile(`(?m)^(?:summary|totals): (\d+)`)

// recordInstructions returns instructions per call: the difference between a long run and a short
// one.
func (s *setting) recordInstructions(program string) error {
	if !found("valgrind") {
		fmt.Println("valgrind is not installed: no instructions are counted")
		return nil
	}
	const short, long, constructs = 0.03, 0.09, 7
	for _, v := range recordVariants[:3] {
		var counts []float64
		for _, millions := range []float64{short, long} {
			removeRecordings(s.work)
			out := filepath.Join(s.work, "callgrind.out")
			if _, _, err := command(s.work, []string{v.env}, "valgrind", "-q", "--tool=callgrind",
				"--callgrind-out-file="+out, program, "1", fmt.Sprint(millions)); err != nil {
				return err
			}
			n, err := readCollected(out)
			if err != nil {
				return err
			}
			counts = append(counts, n)
		}
		fmt.Printf("%s: %.1f instructions per call\n", v.name,
			(counts[1]-counts[0])/((long-short)*1e6*constructs))
	}
	return nil
}

// readCollected returns the sum in a file of callgrind.
func readCollected(path string) (float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if m := collected.FindStringSubmatch(lines.Text()); m != nil {
			return strconv.ParseFloat(m[1], 64)
		}
	}
	return 0, fmt.Errorf("%s has no sum", path)
}
