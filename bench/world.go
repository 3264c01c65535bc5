package main

import (
	"fmt"
	"os"
	"path/filepath"

	"opari/internal/recording"
)

// ranks measures the cost of making one trace from the recordings of a number of MPI ranks, with
// at least so many events in total, and of analysing it.
func (s *setting) ranks(ranks int, events uint64) error {
	folder := filepath.Join(s.work, "world")
	if err := os.Mkdir(folder, 0o777); err != nil {
		return err
	}
	perRank := (int(events) + ranks - 1) / ranks
	program := recording.Ring{Ranks: ranks, Rounds: (perRank + 5) / 6, PerNode: 16}
	if err := program.Record(folder); err != nil {
		return err
	}
	written := float64(ranks) * float64(6*program.Rounds)
	unify, _, err := command(s.work, nil, s.opari, "trace", "recover", folder)
	if err != nil {
		return err
	}
	analyse, _, err := command(s.work, nil, s.opari, "report", "-o",
		filepath.Join(s.work, "report"), folder)
	if err != nil {
		return err
	}
	fmt.Printf("\nworld: %.3g events of %d ranks\n", written, ranks)
	for _, row := range []struct {
		name string
		cost
	}{
		{"trace recover", unify},
		{"report", analyse},
		{"together", cost{unify.cpu + analyse.cpu, max(unify.rss, analyse.rss)}},
	} {
		fmt.Printf("%-14s %6.2f s of CPU time, %6.2f million events a CPU second, at most %.0f "+
			"MB\n",
			row.name, row.cpu.Seconds(), written/1e6/row.cpu.Seconds(), float64(row.rss)/1e6)
	}
	return nil
}

// export measures the cost of writing a trace in the formats of other tools.
func (s *setting) export(rounds int, events uint64) error {
	stub := filepath.Join(s.work, "trace")
	written, err := teams(stub, events)
	if err != nil {
		return err
	}
	fmt.Println()
	for _, format := range []string{"pprof", "folded", "perfetto", "chrome"} {
		var cpu []float64
		var memory int64
		to := filepath.Join(s.work, format)
		for range rounds {
			c, _, err := command(s.work, nil, s.opari, "export", "--format="+format, "-o", to,
				stub+".otf")
			if err != nil {
				return err
			}
			cpu = append(cpu, float64(c.cpu)/1e9)
			memory = max(memory, c.rss)
		}
		info, err := os.Stat(to)
		if err != nil {
			return err
		}
		low, middle, high := quartiles(cpu)
		fmt.Printf("export --format=%-8s: %d events of 4 threads: %.1f s of CPU time [%.1f, "+
			"%.1f], %.0f ns an event, at most %.0f MB, %d runs; %.1f bytes an event\n",
			format, written, middle, low, high, middle*1e9/float64(written), float64(memory)/1e6,
			rounds, float64(info.Size())/float64(written))
		if err := os.Remove(to); err != nil {
			return err
		}
	}
	return nil
}
