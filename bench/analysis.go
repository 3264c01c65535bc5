package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"opari/otf"
)

// analysis measures the cost of analysing a trace.
func (s *setting) analysis(rounds int, events uint64) error {
	stub := filepath.Join(s.work, "trace")
	written, err := teams(stub, events)
	if err != nil {
		return err
	}
	var cpu []float64
	var memory int64
	for range rounds {
		c, _, err := command(s.work, nil, s.opari, "report", "-o", filepath.Join(s.work, "report"),
			stub+".otf")
		if err != nil {
			return err
		}
		cpu = append(cpu, float64(c.cpu)/1e9)
		memory = max(memory, c.rss)
	}
	low, middle, high := quartiles(cpu)
	fmt.Printf("\nanalysis: %d events of 4 threads: %.1f s of CPU time [%.1f, %.1f], %.0f ns an "+
		"event, at most %.0f MB, %d runs\n",
		written, middle, low, high, middle*1e9/float64(written), float64(memory)/1e6, rounds)
	return nil
}

// teams writes a trace of at least so many events: parallel regions of four threads with a loop,
// a critical construct and a barrier.
func teams(stub string, events uint64) (uint64, error) {
	const threads = 4
	w := otf.NewWriter(stub, 0, otf.NewFileManager(100))
	err := errors.Join(w.WriteDefTimerResolution(0, 1_000_000_000),
		w.WriteDefSclFile(0, 1, "teams.c"))
	for i, f := range []struct{ name, group string }{
		{"parallel teams.c:1", "parallel"},
		{"parallel: implicit task teams.c:1", "implicit task"},
		{"for teams.c:3", "for"},
		{"critical teams.c:4", "critical"},
		{"critical: wait teams.c:4", "waiting"},
		{"for: implicit barrier teams.c:3", "implicit barrier"},
	} {
		n := uint32(i + 1)
		line := []uint32{1, 1, 3, 4, 4, 3}[i]
		err = errors.Join(err, w.WriteDefFunctionGroup(0, n, f.group), w.WriteDefScl(0, n, 1, line),
			w.WriteDefFunction(0, n, f.name, n, n))
	}
	for t := range uint32(threads) {
		kind := "worker"
		if t == 0 {
			kind = "initial"
		}
		err = errors.Join(err, w.WriteDefProcess(0, t+1, fmt.Sprintf("thread %d (%s)", t, kind), 0))
	}
	if err != nil {
		return 0, err
	}
	now := uint64(1000)
	var written uint64
	put := func(write func(time uint64, function, process, source uint32) error, function,
		process uint32,
	) {
		now += 50
		written++
		err = errors.Join(err, write(now, function, process, 0))
	}
	for err == nil && written < events {
		put(w.WriteEnter, 1, 1)
		for _, enter := range []uint32{2, 3, 4, 5} {
			for t := range uint32(threads) {
				put(w.WriteEnter, enter, t+1)
			}
		}
		for _, leave := range []uint32{5, 4} {
			for t := range uint32(threads) {
				put(w.WriteLeave, leave, t+1)
			}
		}
		for t := range uint32(threads) {
			put(w.WriteEnter, 6, t+1)
		}
		for _, leave := range []uint32{6, 3, 2} {
			for t := range uint32(threads) {
				put(w.WriteLeave, leave, t+1)
			}
		}
		put(w.WriteLeave, 1, 1)
	}
	return written, errors.Join(err, w.Close())
}
