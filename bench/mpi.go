package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// mpi prints what the MPI layer adds to a call, with one rank: linked and off, and traced.
func (s *setting) mpi(rounds int) error {
	source := filepath.Join(s.root, "bench", "mpi", "calls.c")
	plain, ours := filepath.Join(s.work, "plain"), filepath.Join(s.work, "ours")
	for _, argv := range [][]string{
		{"mpicc", "-O2", source, "-o", plain},
		{s.opari, "cc", "mpicc", "-O2", source, "-o", ours},
	} {
		if _, _, err := command(s.work, nil, argv...); err != nil {
			return err
		}
	}
	trace := filepath.Join(s.work, "trace")
	ways := []struct {
		name string
		argv []string
	}{
		{"plain", []string{plain}},
		{"linked, off", []string{ours}},
		{"traced", []string{s.opari, "run", "--trace=" + trace, ours}},
	}
	ns := make([]map[string][]float64, len(ways))
	var names []string
	for range rounds {
		for _, i := range rand.Perm(len(ways)) {
			if err := os.RemoveAll(trace); err != nil {
				return err
			}
			_, out, err := command(s.work, []string{
				"OMPI_ALLOW_RUN_AS_ROOT=1",
				"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
			}, ways[i].argv...)
			if err != nil {
				return err
			}
			if ns[i] == nil {
				ns[i] = map[string][]float64{}
			}
			if names, err = readings(out, ns[i]); err != nil {
				return err
			}
		}
	}
	fmt.Printf("\nMPI's calls, one rank, %d rounds: ns each, medians\n%-24s", rounds, "calls")
	for _, w := range ways {
		fmt.Printf(" %12s", w.name)
	}
	fmt.Println()
	for _, name := range names {
		fmt.Printf("%-24s", name)
		for i := range ways {
			_, median, _ := quartiles(ns[i][name])
			fmt.Printf(" %12.1f", median)
		}
		fmt.Println()
	}
	return nil
}
