package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
)

// target prints the cost of a target region on the initial device: plain, instrumented, with a
// tool, and traced.
func (s *setting) target(rounds int) error {
	source := filepath.Join(s.root, "bench", "target")
	plain, ours := filepath.Join(s.work, "plain"), filepath.Join(s.work, "ours")
	build := [][]string{
		{"gcc", "-O2", "-fopenmp", filepath.Join(source, "regions.c"), "-o", plain},
		{s.opari, "cc", "gcc", "-O2", "-fopenmp", filepath.Join(source, "regions.c"), "-o", ours},
	}
	for what := range 3 {
		build = append(build, []string{
			"gcc", "-shared", "-fPIC", "-O2",
			fmt.Sprintf("-DWHAT=%d", what), filepath.Join(source, "tool.c"), "-o", s.tool(what),
		})
	}
	for _, argv := range build {
		if _, _, err := command(s.work, nil, argv...); err != nil {
			return err
		}
	}
	ways := []struct{ name, program, env string }{
		{"plain", plain, "OPARI=off"},
		{"nothing active", ours, "OPARI=on"},
		{"profile", ours, "OPARI_PROFILE=" + filepath.Join(s.work, "profile")},
		{"empty callback, not traced", ours, "OMP_TOOL_LIBRARIES=" + s.tool(0)},
		{"kernels traced", ours, "OMP_TOOL_LIBRARIES=" + s.tool(1)},
		{"all traced: 8 records", ours, "OMP_TOOL_LIBRARIES=" + s.tool(2)},
	}
	ns := make([][]float64, len(ways))
	for range rounds {
		took := make([]float64, len(ways))
		for _, i := range rand.Perm(len(ways)) {
			_, out, err := command(s.work, []string{ways[i].env}, ways[i].program)
			if err != nil {
				return err
			}
			if took[i], err = strconv.ParseFloat(strings.TrimSpace(out), 64); err != nil {
				return fmt.Errorf("%s printed %q", ways[i].name, out)
			}
		}
		for i := range ways {
			if i > 0 {
				took[i] -= took[0]
			}
			ns[i] = append(ns[i], took[i])
		}
	}
	fmt.Printf("\nTarget regions, gcc, %d rounds: ns for each; below the first, what is added "+
		"[quartiles]\n", rounds)
	for i, w := range ways {
		q1, median, q3 := quartiles(ns[i])
		fmt.Printf("%-28s %8.1f [%.1f %.1f]\n", w.name, median, q1, q3)
	}
	return nil
}

func (s *setting) tool(what int) string {
	return filepath.Join(s.work, fmt.Sprintf("tool%d.so", what))
}
