package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"opari/otf2"
)

// archives compares package otf2 with the C library by CPU time, in alternating runs.
func (s *setting) archives(rounds int, events uint64) error {
	theirs := filepath.Join(s.work, "libotf2")
	build := exec.Command("gcc", "-O2", "-o", theirs,
		filepath.Join(s.root, "bench/otf2/libotf2.c"), "-lotf2")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("libotf2-trace-dev is needed: %w: %s", err, out)
	}
	ours, err := os.Executable()
	if err != nil {
		return err
	}
	fmt.Printf("\notf2: %d enter and leave events, CPU ns per event, medians of %d alternating "+
		"runs\n", events, rounds)
	fmt.Printf("%-22s %8s %8s %7s %10s %10s\n", "", "libotf2", "opari", "ratio",
		"libotf2 MB", "opari MB")
	for _, locations := range []string{"1", "4"} {
		for _, work := range []string{"write", "read"} {
			if err := s.archiveRow(ours, theirs, work, locations, rounds, events); err != nil {
				return err
			}
		}
	}
	return nil
}

// archiveRow measures one kind of work. Both read the output of our writer, which equals the C
// library's in every byte.
func (s *setting) archiveRow(ours, theirs, work, locations string, rounds int, events uint64,
) error {
	var mine, other []float64
	var memory [2]int64
	folder := filepath.Join(s.work, "archive"+locations)
	for range rounds {
		left := filepath.Join(s.work, "left")
		n := fmt.Sprint(events)
		of := [2][]string{{"write", left, locations, n}, {"write", folder, locations, n}}
		if work == "read" {
			of[0] = []string{"read", filepath.Join(folder, "t.otf2")}
			of[1] = of[0]
		}
		if err := os.RemoveAll(left); err != nil {
			return err
		}
		a, theirOut, err := command(s.work, nil, append([]string{theirs}, of[0]...)...)
		if err != nil {
			return err
		}
		b, ourOut, err := command(s.work, nil, append([]string{ours, "otf2-work"}, of[1]...)...)
		if err != nil {
			return err
		}
		if theirOut != ourOut {
			return fmt.Errorf("%s: libotf2 says %q, opari %q", work, theirOut, ourOut)
		}
		other, mine = append(other, float64(a.cpu)/float64(events)),
			append(mine, float64(b.cpu)/float64(events))
		memory = [2]int64{max(memory[0], a.rss), max(memory[1], b.rss)}
	}
	_, x, _ := quartiles(other)
	_, y, _ := quartiles(mine)
	fmt.Printf("%-22s %8.1f %8.1f %7.2f %10.1f %10.1f\n", work+", locations: "+locations, x, y, x/y,
		float64(memory[0])/1e6, float64(memory[1])/1e6)
	return nil
}

// otf2Work does with our package, in one measured process, what bench/otf2/libotf2.c does with the
// C library.
func otf2Work(args []string) error {
	switch {
	case len(args) == 4 && args[0] == "write":
		locations, _ := strconv.ParseUint(args[2], 10, 64)
		events, _ := strconv.ParseUint(args[3], 10, 64)
		return otf2Write(filepath.Join(args[1], "t"), locations, events)
	case len(args) == 2 && args[0] == "read":
		return otf2Read(args[1])
	}
	return fmt.Errorf("otf2-work: what is %v?", args)
}

func otf2Write(stub string, locations, events uint64) error {
	w := otf2.NewWriter(stub)
	time := uint64(1_000_000_000)
	to := make([]*otf2.WLocation, locations)
	for i := range to {
		to[i] = w.Location(uint64(i))
	}
	for i := range events / 2 {
		l, region := to[i%locations], uint32(i%100)+1
		time += 700 + i%7
		if err := l.WriteEnter(time, region); err != nil {
			return err
		}
		time += 300
		if err := l.WriteLeave(time, region); err != nil {
			return err
		}
	}
	for i, l := range to {
		if err := w.WriteLocation(uint64(i), 0, otf2.LocationTypeCpuThread, l.Events(),
			0); err != nil {
			return err
		}
	}
	return w.Close()
}

func otf2Read(path string) error {
	r, err := otf2.OpenReader(path, 100)
	if err != nil {
		return err
	}
	defer r.Close()
	seen, sum := uint64(0), uint64(0)
	event := func(_, time uint64, region uint32) error {
		seen++
		sum += time ^ uint64(region)
		return nil
	}
	if _, err := r.ReadEvents(&otf2.HandlerArray{Enter: event, Leave: event}); err != nil {
		return err
	}
	fmt.Println(seen, sum)
	return nil
}
