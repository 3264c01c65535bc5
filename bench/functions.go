package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
)

// functions runs the programs of bench/functions, in C and in Fortran.
func (s *setting) functions(rounds, threads int) error {
	if err := s.functionsOf("cells.c", rounds, threads, "gcc"); err != nil {
		return err
	}
	return s.functionsOf("cells.f90", rounds, threads, "gfortran", "-fno-inline")
}

// functionsOf runs one of them in turn: plain, with directives only, with all functions as
// regions, and with those that the library may switch off. It prints medians of the ratio of
// processor time to the plain program of the same round.
func (s *setting) functionsOf(file string, rounds, threads int, compiler ...string) error {
	source := filepath.Join(s.root, "bench", "functions", file)
	profile := "OPARI_PROFILE=" + filepath.Join(s.work, "profile")
	trace := "OPARI_TRACE=" + filepath.Join(s.work, "trace")
	variants := []struct {
		name, flags, env string
		ratios           []float64
	}{
		{"plain", "-", "", nil},
		{"directives, profile", "", profile, nil},
		{"--functions, off", "--functions", "", nil},
		{"--functions=auto, off", "--functions=auto", "", nil},
		{"--functions, profile", "--functions", profile, nil},
		{"--functions=auto, profile", "--functions=auto", profile, nil},
		{"--functions, trace", "--functions", trace, nil},
		{"--functions=auto, trace", "--functions=auto", trace, nil},
	}
	for i, v := range variants {
		argv := append([]string{s.opari, "cc"}, compiler...)
		argv = append(argv, "-O2", "-fopenmp", source, "-o", "cells"+strconv.Itoa(i), "-lm")
		env := []string{"OPARI_FLAGS=" + v.flags}
		if v.flags == "-" {
			argv, env = argv[2:], nil
		}
		if _, _, err := command(s.work, env, argv...); err != nil {
			return err
		}
	}
	for range rounds {
		took := make([]float64, len(variants))
		for _, i := range rand.Perm(len(variants)) {
			env := []string{
				"OMP_NUM_THREADS=" + strconv.Itoa(threads), "OMP_WAIT_POLICY=passive",
			}
			if variants[i].env != "" {
				env = append(env, variants[i].env)
			}
			_, out, err := command(s.work, env, "./cells"+strconv.Itoa(i), "100")
			if err != nil {
				return err
			}
			if took[i], err = strconv.ParseFloat(strings.TrimSpace(out), 64); err != nil {
				return err
			}
		}
		for i := range variants {
			variants[i].ratios = append(variants[i].ratios, took[i]/took[0])
		}
		removeRecordings(s.work)
	}
	fmt.Printf("\nA program of small functions, %s, %d threads, %d rounds: processor time, "+
		"ratio to the plain program [quartiles]\n", compiler[0], threads, rounds)
	for _, v := range variants[1:] {
		q1, median, q3 := quartiles(v.ratios)
		fmt.Printf("%-27s %6.3f [%5.3f,%5.3f]\n", v.name, median, q1, q3)
	}
	return nil
}
