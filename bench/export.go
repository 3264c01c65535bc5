package main

import (
	"fmt"
	"os"
	"path/filepath"
)

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
