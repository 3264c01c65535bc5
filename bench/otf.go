package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// traces compares package otf with the C library by CPU time, in alternating runs, so that other
// load affects both.
func (s *setting) traces(rounds int, events uint64) error {
	theirs := filepath.Join(s.work, "libotf")
	build := exec.Command("gcc", "-O2", "-I/usr/include/open-trace-format", "-o", theirs,
		filepath.Join(s.root, "bench/otf/libotf.c"), "-lopen-trace-format", "-lz")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("libopen-trace-format-dev is needed: %w: %s", err, out)
	}
	ours, err := os.Executable()
	if err != nil {
		return err
	}
	fmt.Printf("\notf: %d enter and leave events, CPU ns per event, medians of %d alternating "+
		"runs\n", events, rounds)
	fmt.Printf("%-30s %8s %8s %7s %10s %10s\n", "", "libotf", "opari", "ratio",
		"libotf MB", "opari MB")
	for _, row := range [][2]string{
		{"write", "1"}, {"write", "4"}, {"counters", "1"}, {"messages", "1"},
	} {
		for _, read := range []bool{false, true} {
			err := s.traceRow(ours, theirs, row[0], row[1], read, rounds, events)
			if err != nil {
				return err
			}
		}
	}
	return s.traceExtras(ours, rounds, events)
}

// traceRow measures writing records of one kind, or reading them. Both read the output of our
// writer, which equals the C library's in every byte.
func (s *setting) traceRow(ours, theirs, work, streams string, read bool, rounds int,
	events uint64,
) error {
	var mine, other []float64
	var memory [2]int64
	stub := filepath.Join(s.work, "trace"+work+streams)
	args := func(name string) []string {
		if read {
			return []string{"read", stub}
		}
		return []string{work, filepath.Join(s.work, name), streams, fmt.Sprint(events), "0"}
	}
	for range rounds {
		a, theirOut, err := command(s.work, nil, append([]string{theirs}, args("other")...)...)
		if err != nil {
			return err
		}
		b, ourOut, err := command(s.work, nil,
			append([]string{ours, "otf-work"}, args(filepath.Base(stub))...)...)
		if err != nil {
			return err
		}
		if theirOut != ourOut {
			return fmt.Errorf("%s: libotf says %q, opari %q", work, theirOut, ourOut)
		}
		other, mine = append(other, float64(a.cpu)/float64(events)),
			append(mine, float64(b.cpu)/float64(events))
		memory = [2]int64{max(memory[0], a.rss), max(memory[1], b.rss)}
	}
	_, x, _ := quartiles(other)
	_, y, _ := quartiles(mine)
	name := work
	if name == "write" {
		name = "enter, leave"
	}
	name += ", streams: " + streams
	if read {
		name += ", read"
	}
	fmt.Printf("%-30s %8.1f %8.1f %7.2f %10.1f %10.1f\n", name, x, y, x/y,
		float64(memory[0])/1e6, float64(memory[1])/1e6)
	return nil
}

// traceExtras measures what has no counterpart: finding and reading a hundredth of a trace, and
// compression.
func (s *setting) traceExtras(ours string, rounds int, events uint64) error {
	stub := filepath.Join(s.work, "part")
	if _, _, err := command(s.work, nil, ours, "otf-work", "write", stub, "4", fmt.Sprint(2*events),
		"0"); err != nil {
		return err
	}
	span := events * 1003 // ticks: a pair of events takes 1003
	from := 1_000_000_000 + span/2
	var wall []float64
	for range rounds {
		begin := time.Now()
		if _, _, err := command(s.work, nil, ours, "otf-work", "part", stub, fmt.Sprint(from),
			fmt.Sprint(from+span/100)); err != nil {
			return err
		}
		wall = append(wall, time.Since(begin).Seconds()*1000)
	}
	_, elapsed, _ := quartiles(wall)
	fmt.Printf("1 %% of %d events found and read: %.0f ms\n", 2*events, elapsed)
	if err := s.traceStreams(ours, rounds, 2*events); err != nil {
		return err
	}
	return s.tracePacked(ours, rounds, events)
}

// traceStreams measures reading eight streams one after another and two at a time, by elapsed time.
func (s *setting) traceStreams(ours string, rounds int, events uint64) error {
	stub := filepath.Join(s.work, "streams")
	if _, _, err := command(s.work, nil, ours, "otf-work", "write", stub, "8", fmt.Sprint(events),
		"0"); err != nil {
		return err
	}
	elapsed := map[string][]float64{}
	for range rounds {
		for _, workers := range []string{"1", "2"} {
			begin := time.Now()
			if _, _, err := command(s.work, nil, ours, "otf-work", "streams", stub,
				workers); err != nil {
				return err
			}
			elapsed[workers] = append(elapsed[workers], time.Since(begin).Seconds()*1000)
		}
	}
	_, one, _ := quartiles(elapsed["1"])
	_, two, _ := quartiles(elapsed["2"])
	fmt.Printf("8 streams of %d events, elapsed: %.0f ms in turn, %.0f ms two at a time; the "+
		"least %.0f and %.0f\n", events, one, two, slices.Min(elapsed["1"]),
		slices.Min(elapsed["2"]))
	return nil
}

// tracePacked measures compression at level 4 by one processor and by two, in alternating runs.
// Elapsed time shows the gain of parallel blocks only on an idle machine, so it prints the least
// as well.
func (s *setting) tracePacked(ours string, rounds int, events uint64) error {
	packed, plain := filepath.Join(s.work, "packed"), filepath.Join(s.work, "plain")
	if _, _, err := command(s.work, nil, ours, "otf-work", "write", plain, "1", fmt.Sprint(events),
		"0"); err != nil {
		return err
	}
	fmt.Printf("\ncompressed at level 4, 1 stream, %d events, ns per event, %d alternating runs\n",
		events, rounds)
	fmt.Printf("%-10s %10s %14s %15s %8s %8s\n", "", "processors", "elapsed, least",
		"elapsed, median", "CPU", "MB")
	for _, args := range [][]string{
		{"write", packed, "1", fmt.Sprint(events), "4"},
		{"read", packed},
		{"pack", plain, packed + "2", "4"},
	} {
		elapsed, cpu, memory := map[string][]float64{}, map[string][]float64{}, map[string]int64{}
		processors := []string{"1", "2"}
		for range rounds {
			for _, n := range processors {
				begin := time.Now()
				c, _, err := command(s.work, []string{"GOMAXPROCS=" + n},
					append([]string{ours, "otf-work"}, args...)...)
				if err != nil {
					return err
				}
				elapsed[n] = append(elapsed[n], float64(time.Since(begin))/float64(events))
				cpu[n] = append(cpu[n], float64(c.cpu)/float64(events))
				memory[n] = max(memory[n], c.rss)
			}
		}
		for _, n := range processors {
			_, median, _ := quartiles(elapsed[n])
			_, used, _ := quartiles(cpu[n])
			fmt.Printf("%-10s %10s %14.1f %15.1f %8.1f %8.1f\n", args[0], n, slices.Min(elapsed[n]),
				median, used, float64(memory[n])/1e6)
		}
	}
	return nil
}
