package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// changedProgram is a program of bench/whatif with its change.
type changedProgram struct {
	name, file, change string
	compiler           []string
	launch             []string // what starts it
	computes           bool
}

// measuredPrograms are the programs to run; nil: all.
var measuredPrograms []string

// realtime says that they run before all else, so that a busy machine does not disturb them.
var realtime bool

// Part predicts for each program of bench/whatif what a change saves, and runs it with the
// change: in each round a traced run, one as it is, and one with the change. It prints medians.
func (s *setting) whatIf(rounds int) error {
	files, err := filepath.Glob(filepath.Join(s.root, "bench", "whatif", "*.*"))
	if err != nil {
		return err
	}
	spin, err := s.roundsOfMillisecond()
	if err != nil {
		return err
	}
	fmt.Printf("\nWhat if: medians of %d rounds, ms\n%-12s %-42s %8s %9s %9s %7s\n", rounds,
		"program", "change", "run", "predicted", "measured", "off")
	for _, file := range files {
		if filepath.Ext(file) == ".h" {
			continue
		}
		p, err := readChanged(file)
		if err != nil {
			return err
		}
		if measuredPrograms != nil && !slices.Contains(measuredPrograms, p.name) {
			continue
		}
		if len(p.launch) > 0 && !found(p.launch[0]) {
			fmt.Printf("%-12s left out: there is no %s\n", p.name, p.launch[0])
			continue
		}
		if realtime {
			p.launch = append([]string{"chrt", "-f", "1"}, p.launch...)
		}
		var env []string
		if p.computes {
			env = append(env, "SPIN="+spin)
		}
		if err := s.predictAndRun(&p, rounds, env); err != nil {
			return err
		}
	}
	return nil
}

// readChanged reads the first line of a program, in which HERE is the line that has the mark.
func readChanged(file string) (changedProgram, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return changedProgram{}, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	p := changedProgram{
		file: file, change: strings.Trim(first, "/! "),
		compiler: []string{"gcc"},
	}
	base := filepath.Base(file)
	p.name = strings.TrimSuffix(base, filepath.Ext(base))
	p.computes = strings.HasPrefix(p.name, "spin")
	for i, line := range strings.Split(string(text), "\n") {
		if strings.Contains(line, "/* HERE */") || strings.Contains(line, "! HERE") {
			p.change = strings.ReplaceAll(p.change, "HERE", fmt.Sprintf("%s:%d", base, i+1))
		}
	}
	switch {
	case filepath.Ext(file) == ".F90":
		p.compiler = []string{"gfortran"}
	case strings.Contains(string(text), "#include <mpi.h>"):
		p.compiler, p.launch = []string{"mpicc"}, []string{"mpirun", "--oversubscribe", "-n", "2"}
	}
	return p, nil
}

func (s *setting) predictAndRun(p *changedProgram, rounds int, env []string) error {
	env = append(env, "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"OMPI_MCA_mpi_yield_when_idle=1", "OMP_WAIT_POLICY=passive", "OMP_DYNAMIC=false")
	before, after := filepath.Join(s.work, p.name), filepath.Join(s.work, p.name+"-changed")
	for program, flag := range map[string]string{before: "-O1", after: "-DCHANGED"} {
		argv := append([]string{s.opari, "cc"}, p.compiler...)
		argv = append(argv, "-fopenmp", flag, p.file, "-o", program)
		if _, _, err := command(s.work, env, argv...); err != nil {
			return err
		}
	}
	var runs, predicted, measured []float64
	for range rounds {
		trace := filepath.Join(s.work, p.name+".trace")
		if err := os.RemoveAll(trace); err != nil {
			return err
		}
		argv := append(append([]string{}, p.launch...), s.opari, "run", "--trace="+trace, before)
		if _, _, err := command(s.work, env, argv...); err != nil {
			return err
		}
		saving, err := s.predicted(trace, p.change)
		if err != nil {
			return err
		}
		was, err := s.took(env, append(append([]string{}, p.launch...), before)...)
		if err != nil {
			return err
		}
		is, err := s.took(env, append(append([]string{}, p.launch...), after)...)
		if err != nil {
			return err
		}
		runs = append(runs, was)
		predicted, measured = append(predicted, saving), append(measured, was-is)
	}
	_, run, _ := quartiles(runs)
	_, guess, _ := quartiles(predicted)
	_, truth, _ := quartiles(measured)
	fmt.Printf("%-12s %-42s %8.0f %9.0f %9.0f %5.1f %%\n", p.name, p.change, run/1e6, guess/1e6,
		truth/1e6, 100*(guess-truth)/math.Abs(truth))
	return nil
}

// predicted returns what a change would save, in ns.
func (s *setting) predicted(trace, change string) (float64, error) {
	_, out, err := command(s.work, nil, s.opari, "report", "--format=json",
		"--what-if="+change, trace)
	if err != nil {
		return 0, err
	}
	var report struct {
		WhatIf []struct {
			Saving float64 `json:"saving_ns"`
		} `json:"what_if"`
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		return 0, err
	}
	if len(report.WhatIf) != 1 {
		return 0, errors.New("the report has no prediction")
	}
	return report.WhatIf[0].Saving, nil
}

// took returns how long a program took, in ns: what it prints, or what a clock says.
func (s *setting) took(env []string, argv ...string) (float64, error) {
	start := time.Now()
	_, out, err := command(s.work, env, argv...)
	took := float64(time.Since(start))
	if err == nil && out != "" {
		took, err = strconv.ParseFloat(strings.TrimSpace(out), 64)
	}
	return took, err
}

// roundsOfMillisecond returns how many rounds of work() take a millisecond of a processor.
func (s *setting) roundsOfMillisecond() (string, error) {
	const ms = 200
	source := filepath.Join(s.work, "rounds.c")
	text := fmt.Sprintf("#include %q\nint main(void)\n{\n    work(%d);\n}\n",
		filepath.Join(s.root, "bench", "whatif", "work.h"), ms)
	if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
		return "", err
	}
	if _, _, err := command(s.work, nil, "gcc", "-O1", "-fopenmp", source, "-o",
		"rounds"); err != nil {
		return "", err
	}
	const tried = 100_000
	c, _, err := command(s.work, []string{fmt.Sprintf("SPIN=%d", tried)}, "./rounds")
	if err != nil {
		return "", err
	}
	return strconv.FormatFloat(tried*ms/(float64(c.cpu)/1e6), 'f', 0, 64), nil
}
