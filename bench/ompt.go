package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// construct is one that a tool hears of, and how many events one thread tells of it.
type construct struct {
	name   string
	events float64
}

// told are those that are measured.
var told = []construct{
	{"barrier", 4},
	{"for_static", 6},
	{"for_dynamic", 6},
	{"sections", 6},
	{"single", 6},
	{"for_nowait", 2},
	{"single_nowait", 2},
	{"master", 2},
	{"critical", 3},
	{"ordered", 3},
	{"lock", 3},
	{"nest_lock", 3},
	{"flush", 1},
	{"parallel", 4},
	{"task", 3},
	{"taskwait", 4},
}

// ompt prints for each construct what a tool with empty callbacks adds: by our library, by callbacks called by hand at the construct
// (ompt/floor.c), and by LLVM's runtime where clang is installed. Each is the median over the rounds, in which all programs alternate, of the
// difference to the same program without a tool. The first column is what our calls add to the plain program where there is no tool. Where s.distance is
// set the threads meet at locks and the like only so often.
func (s *setting) ompt(rounds, threads int) error {
	names, programs, err := s.providers(threads)
	if err != nil {
		return err
	}
	// Without the tool there is a variable just as long: where the stack begins is worth some nanoseconds, too.
	libraries := "=" + filepath.Join(s.work, "tool.so")
	base := []string{"OMP_NUM_THREADS=" + strconv.Itoa(threads), "OMP_PROC_BIND=true", "OMP_PLACES=cores"}
	base = append(base, s.distance...)
	plain := filepath.Join(s.work, "plain")
	off, added := map[string][]float64{}, map[string][][]float64{} // construct: for each program a value per round
	for range rounds {
		ns := make([]map[string]float64, 2*len(programs)) // without, with
		without := append(slices.Clip(base), "OVERHEAD_LIBRARIES"+libraries)
		bare, err := s.perConstruct(plain, without)
		if err != nil {
			return err
		}
		for _, i := range rand.Perm(len(ns)) {
			env := without
			if i%2 == 1 {
				env = append(slices.Clip(base), "OMP_TOOL_LIBRARIES"+libraries)
			}
			if ns[i], err = s.perConstruct(programs[i/2], env); err != nil {
				return err
			}
		}
		for _, c := range told {
			off[c.name] = append(off[c.name], ns[0][c.name]-bare[c.name])
			if added[c.name] == nil {
				added[c.name] = make([][]float64, len(programs))
			}
			for i := range programs {
				added[c.name][i] = append(added[c.name][i], ns[2*i+1][c.name]-ns[2*i][c.name])
			}
		}
	}
	fmt.Printf("\nA tool with empty callbacks, %d threads, %d rounds: ns that it adds to the construct [quartiles], and per event\n", threads, rounds)
	fmt.Printf("%-15s %6s %26s", "construct", "events", "ours without it")
	for _, n := range names {
		fmt.Printf(" %32s", n)
	}
	fmt.Println()
	for _, c := range told {
		q1, median, q3 := quartiles(off[c.name])
		fmt.Printf("%-15s %6.0f    %7.1f [%6.1f,%6.1f]", c.name, c.events, median, q1, q3)
		for i := range programs {
			q1, median, q3 := quartiles(added[c.name][i])
			fmt.Printf("    %7.1f [%6.1f,%6.1f] %5.1f", median, q1, q3, median/c.events)
		}
		fmt.Println()
	}
	return nil
}

// perConstruct runs one of the programs, at the same addresses each time where that can be had: where things lie is worth some nanoseconds.
func (s *setting) perConstruct(program string, env []string) (map[string]float64, error) {
	argv := []string{program, "15", "150"}
	if found("setarch") {
		argv = append([]string{"setarch", "-R"}, argv...)
	}
	for _, c := range told {
		argv = append(argv, c.name)
	}
	_, out, err := command(s.work, env, argv...)
	if err != nil {
		return nil, err
	}
	all := map[string]float64{}
	for line := range strings.Lines(out) {
		name, number, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if all[name], err = strconv.ParseFloat(number, 64); err != nil {
			return nil, fmt.Errorf("%s printed %q", program, line)
		}
	}
	return all, nil
}

// providers builds the tool and the programs that tell it of their constructs; for several threads also one whose events at locks are as long as ours and
// touch nothing that another thread does.
func (s *setting) providers(threads int) (names, programs []string, err error) {
	source, own := filepath.Join(s.root, "bench", "overhead"), filepath.Join(s.root, "bench", "ompt")
	header := "-I" + filepath.Join(s.root, "ompt_bridge", "src")
	rest := []string{"-I" + source, filepath.Join(source, "main.c"), filepath.Join(source, "reference.c")}
	object := []string{"-I" + source, "-c"}
	if s.distance != nil {
		rest, object = append(rest, "-DOVERHEAD_DELAY"), append(object, "-DOVERHEAD_DELAY")
	}
	if s.ownLocks {
		rest, object = append(rest, "-DOVERHEAD_OWN"), append(object, "-DOVERHEAD_OWN")
	}
	constructs, floor := filepath.Join(source, "constructs.c"), filepath.Join(own, "floor.c")
	instrumented := filepath.Join(s.work, "constructs.o")
	builds := [][]string{
		append([]string{"gcc", "-O2", "-fopenmp", "-o", "plain", constructs}, rest...),
		{"gcc", "-O2", "-fPIC", "-shared", header, filepath.Join(own, "tool.c"), "-o", "tool.so"},
		append([]string{s.opari, "cc", "gcc", "-O2", "-fopenmp", constructs, "-o", instrumented}, object...),
		append([]string{s.opari, "cc", "gcc", "-O2", "-fopenmp", "-o", "ours", instrumented}, rest...),
		append([]string{"gcc", "-O2", "-fopenmp", header, "-o", "floor", floor, "-ldl"}, rest...),
	}
	names = []string{"ours", "floor"}
	if threads > 1 {
		names = append(names, "aslong")
		builds = append(builds, append([]string{"gcc", "-O2", "-fopenmp", "-DAS_LONG=9", header, "-o", "aslong", floor, "-ldl"}, rest...))
	}
	if clang := "clang-19"; found(clang) {
		builds = append(builds, append([]string{clang, "-O2", "-fopenmp", "-o", "llvm", constructs}, rest...))
		names = append(names, "llvm")
	} else {
		fmt.Println(clang, "is not installed: not compared")
	}
	for _, b := range builds {
		if _, _, err := command(s.work, nil, b...); err != nil {
			return nil, nil, err
		}
	}
	for _, n := range names {
		programs = append(programs, filepath.Join(s.work, n))
	}
	return names, programs, nil
}
