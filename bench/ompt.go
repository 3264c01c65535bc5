package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// construct is a construct that a tool gets events of, with the number of events for one thread.
type construct struct {
	name   string
	events float64
}

// measuredConstructs are the constructs to measure.
var measuredConstructs = []construct{
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

// ompt prints for each construct what a tool with empty callbacks adds. It measures our library,
// callbacks called by hand at the construct (ompt/floor.c), and LLVM's runtime if clang is
// installed.
//
// Each value is the median, over the rounds, of the difference to the same program without a
// tool. All programs alternate within a round. The first column is what our calls add to the
// plain program without a tool. If s.distance is set, it limits how often the threads meet at
// locks and the like.
func (s *setting) ompt(rounds, threads int) error {
	names, err := s.providers(threads)
	if err != nil {
		return err
	}
	base := []string{
		"OMP_NUM_THREADS=" + strconv.Itoa(threads), "OMP_PROC_BIND=true",
		"OMP_PLACES=cores",
	}
	base = append(base, s.distance...)
	// Both maps have, for each construct and program, a value for each round.
	off, added := map[string][]float64{}, map[string][][]float64{}
	for round := range rounds {
		layout := round % layouts
		// The path is as long as several paths may be, since it moves what lies in the heap.
		// Without the tool a variable has the same length, for the stack.
		libraries := "=" + s.work + "/" + strings.Repeat("./", 8*(round%paths)) + "tool.so"
		ns := make([]map[string]float64, 2*len(names)) // without, with
		without := append(slices.Clip(base), "OVERHEAD_LIBRARIES"+libraries)
		bare, err := s.perConstruct(s.program("plain", layout), without)
		if err != nil {
			return err
		}
		for _, i := range rand.Perm(len(ns)) {
			env := without
			if i%2 == 1 {
				env = append(slices.Clip(base), "OMP_TOOL_LIBRARIES"+libraries)
			}
			if ns[i], err = s.perConstruct(s.program(names[i/2], layout), env); err != nil {
				return err
			}
		}
		for _, c := range measuredConstructs {
			off[c.name] = append(off[c.name], ns[0][c.name]-bare[c.name])
			if added[c.name] == nil {
				added[c.name] = make([][]float64, len(names))
			}
			for i := range names {
				added[c.name][i] = append(added[c.name][i], ns[2*i+1][c.name]-ns[2*i][c.name])
			}
		}
	}
	fmt.Printf("\nA tool with empty callbacks, %d threads, %d rounds: ns that it adds to the "+
		"construct [quartiles], and per event\n", threads, rounds)
	fmt.Printf("%-15s %6s %26s", "construct", "events", "ours without it")
	for _, n := range names {
		fmt.Printf(" %32s", n)
	}
	fmt.Println()
	for _, c := range measuredConstructs {
		q1, median, q3 := quartiles(off[c.name])
		fmt.Printf("%-15s %6.0f    %7.1f [%6.1f,%6.1f]", c.name, c.events, median, q1, q3)
		for i := range names {
			q1, median, q3 := quartiles(added[c.name][i])
			fmt.Printf("    %7.1f [%6.1f,%6.1f] %5.1f", median, q1, q3, median/c.events)
		}
		fmt.Println()
	}
	return nil
}

// perConstruct runs one of the programs, at the same addresses each time if possible: addresses
// make a difference of some nanoseconds.
func (s *setting) perConstruct(program string, env []string) (map[string]float64, error) {
	argv := []string{program, "15", "150"}
	if found("setarch") {
		argv = append([]string{"setarch", "-R"}, argv...)
	}
	for _, c := range measuredConstructs {
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

// layouts is the number of places in a page at which the code of each program begins, layoutStep
// bytes from each other. The place relative to the runtime, the C library and the kernel changes
// a parallel region by up to ten nanoseconds, independently of what is measured.
const (
	layouts    = 8
	paths      = 7   // number of lengths of the tool's path
	layoutStep = 576 // in bytes; it never repeats the same part of a page, nor of a cache's set
)

// program returns the path of a program in one of its layouts.
func (s *setting) program(name string, layout int) string {
	return filepath.Join(s.work, name+"-"+strconv.Itoa(layout))
}

// providers builds the tool, the plain program, and the programs that report their constructs,
// each in all layouts. For several threads it adds one whose events at locks take as long as ours
// and touch no other thread's data.
func (s *setting) providers(threads int) ([]string, error) {
	source, own := filepath.Join(s.root, "bench", "overhead"), filepath.Join(s.root,
		"bench", "ompt")
	header := "-I" + filepath.Join(s.root, "ompt_bridge", "src")
	flags := []string{"-O2", "-fopenmp", "-I" + source, "-c"}
	if s.distance != nil {
		flags = append(flags, "-DOVERHEAD_DELAY")
	}
	if s.ownLocks {
		flags = append(flags, "-DOVERHEAD_OWN")
	}
	constructs, floor := filepath.Join(source, "constructs.c"), filepath.Join(own, "floor.c")
	gcc, opari, clang := []string{"gcc"}, []string{s.opari, "cc", "gcc"}, []string{"clang-19"}
	programs := []provider{
		{"plain", gcc, []string{constructs}, nil},
		{"ours", opari, []string{constructs}, nil},
		{"floor", gcc, []string{header, floor}, []string{"-ldl"}},
		{"aslong", gcc, []string{"-DAS_LONG=9", header, floor}, []string{"-ldl"}},
		{"llvm", clang, []string{constructs}, nil},
	}
	if _, _, err := command(s.work, nil, "gcc", "-O2", "-fPIC", "-shared", header,
		filepath.Join(own, "tool.c"), "-o", "tool.so"); err != nil {
		return nil, err
	}
	if err := s.paddings(); err != nil {
		return nil, err
	}
	var names []string
	measuring := map[string][]string{} // by compiler
	for _, p := range programs {
		if p.name == "aslong" && threads == 1 {
			continue
		}
		if !found(p.compiler[0]) {
			fmt.Println(p.compiler[0], "is not installed: not compared")
			continue
		}
		if p.name != "plain" {
			names = append(names, p.name)
		}
		compiler, err := p.compiler[len(p.compiler)-1], error(nil)
		if measuring[compiler] == nil {
			measuring[compiler], err = s.measuring(compiler, flags)
		}
		if err == nil {
			err = s.build(p, flags, measuring[compiler])
		}
		if err != nil {
			return nil, err
		}
	}
	return names, nil
}

// A provider is a program together with its source of events: how it is compiled and linked.
type provider struct {
	name     string
	compiler []string
	compile  []string
	link     []string
}

// measuring compiles the measuring code, which is the same in all programs of a compiler, and is
// never instrumented.
func (s *setting) measuring(compiler string, flags []string) (objects []string, err error) {
	for _, name := range []string{"main", "reference"} {
		object := name + "-" + compiler + ".o"
		words := slices.Concat([]string{compiler}, flags,
			[]string{filepath.Join(s.root, "bench", "overhead", name+".c"), "-o", object})
		if _, _, err := command(s.work, nil, words...); err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
	return objects, nil
}

// build builds a provider's program in all layouts.
func (s *setting) build(p provider, flags, measuring []string) error {
	builds := [][]string{slices.Concat(p.compiler, flags, p.compile, []string{"-o", p.name + ".o"})}
	for i := range layouts {
		objects := slices.Concat([]string{"-fopenmp", padding(i), p.name + ".o"}, measuring,
			[]string{"-o", s.program(p.name, i)})
		builds = append(builds, slices.Concat(p.compiler, objects, p.link))
	}
	for _, b := range builds {
		if _, _, err := command(s.work, nil, b...); err != nil {
			return err
		}
	}
	return nil
}

func padding(layout int) string { return "padding-" + strconv.Itoa(layout) + ".o" }

// paddings assembles the padding that makes the layouts: code that never runs.
func (s *setting) paddings() error {
	for i := range layouts {
		file := filepath.Join(s.work, "padding.s")
		text := fmt.Sprintf(".text\n.p2align 6\n.fill %d, 1, 0x90\n.section "+
			".note.GNU-stack,\"\",@progbits\n", 64+i*layoutStep)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return err
		}
		if _, _, err := command(s.work, nil, "gcc", "-c", file, "-o", padding(i)); err != nil {
			return err
		}
	}
	return nil
}
