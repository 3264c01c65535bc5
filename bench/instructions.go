package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// instructions prints what constructs cost in C and in Fortran, in instructions. It counts the
// plain program, what the instrumented one adds, and what a tool with empty callbacks adds to
// that. The numbers depend on the compiler and the runtime, not on the load of the machine.
func (s *setting) instructions() error {
	tool, languages, err := s.counted()
	if err != nil {
		return err
	}
	fmt.Printf("\nInstructions per construct, one thread: the plain program, what the " +
		"instrumented one adds, what a tool with empty callbacks adds to that\n")
	fmt.Printf("%-15s %6s", "construct", "events")
	counts := make([][3]map[string]float64, len(languages))
	for i, l := range languages {
		fmt.Printf("   %7s %7s %7s", l, "ours", "tool")
		for n, program := range []string{"plain-" + l, "ours-" + l, "ours-" + l} {
			var env []string
			if n == 2 {
				env = []string{"OMP_TOOL_LIBRARIES=" + tool}
			}
			if counts[i][n], err = s.count(program, env); err != nil {
				return err
			}
		}
	}
	fmt.Println()
	for _, c := range measuredConstructs {
		fmt.Printf("%-15s %6.0f", c.name, c.events)
		for i := range languages {
			plain, ours, with := counts[i][0][c.name], counts[i][1][c.name], counts[i][2][c.name]
			fmt.Printf("   %7.0f %+7.0f %+7.0f", plain, ours-plain, with-ours)
		}
		fmt.Println()
	}
	return nil
}

// counted builds the plain and the instrumented program of each language, and the tool.
func (s *setting) counted() (tool string, languages []string, err error) {
	source, own := filepath.Join(s.root, "bench", "overhead"), filepath.Join(s.root,
		"bench", "ompt")
	tool = filepath.Join(s.work, "tool.so")
	builds := [][]string{
		{
			"gcc", "-O2", "-fPIC", "-shared", "-I" + filepath.Join(s.root, "ompt_bridge", "src"),
			filepath.Join(own, "tool.c"), "-o", tool,
		},
		{"gcc", "-O2", "-I" + source, "-c", filepath.Join(source, "count.c"), "-o", "count.o"},
	}
	for _, l := range []struct{ name, compiler, file string }{
		{"c", "gcc", "constructs.c"},
		{"fortran", "gfortran", "constructs.f90"},
	} {
		if !found(l.compiler) {
			fmt.Println(l.compiler, "is not installed: not compared")
			continue
		}
		languages = append(languages, l.name)
		for name, wrapper := range map[string][]string{"plain-": nil, "ours-": {s.opari, "cc"}} {
			name += l.name
			compile := append(wrapper[:len(wrapper):len(wrapper)], l.compiler, "-O2", "-fopenmp")
			builds = append(builds,
				append(compile[:len(compile):len(compile)], "-I"+source, "-c",
					filepath.Join(source, l.file), "-o", name+".o"),
				append(compile[:len(compile):len(compile)], "count.o", name+".o", "-o", name))
		}
	}
	for _, b := range builds {
		if _, _, err := command(s.work, nil, b...); err != nil {
			return "", nil, err
		}
	}
	return tool, languages, nil
}

var (
	dumpPart  = regexp.MustCompile(`(?m)^part: (\d+)`)
	dumpTotal = regexp.MustCompile(`(?m)^(?:summary|totals): (\d+)`)
)

// count returns the instructions of one construct of each kind: the difference of the two counts
// between marks.
func (s *setting) count(program string, env []string) (map[string]float64, error) {
	dir, err := os.MkdirTemp(s.work, "count")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	argv := []string{
		"valgrind", "-q", "--tool=callgrind", "--dump-before=mark",
		"--callgrind-out-file=" + filepath.Join(dir, "dump"), filepath.Join(s.work, program),
	}
	for _, c := range measuredConstructs {
		argv = append(argv, c.name)
	}
	_, out, err := command(s.work, append(env, "OMP_NUM_THREADS=1"), argv...)
	if err != nil {
		return nil, err
	}
	dumps, err := filepath.Glob(filepath.Join(dir, "dump.*"))
	if err != nil {
		return nil, err
	}
	totals := map[int]float64{}
	for _, d := range dumps {
		text, err := os.ReadFile(d)
		if err != nil {
			return nil, err
		}
		part, total := dumpPart.FindSubmatch(text), dumpTotal.FindSubmatch(text)
		if part == nil || total == nil {
			return nil, fmt.Errorf("%s has no part and total", d)
		}
		n, _ := strconv.Atoi(string(part[1]))
		totals[n], _ = strconv.ParseFloat(string(total[1]), 64)
	}
	all := map[string]float64{}
	for i, name := range strings.Fields(out) {
		few, many := totals[3*i+2], totals[3*i+3]
		if few == 0 || many <= few {
			return nil, fmt.Errorf("%s: no counts of %s", program, name)
		}
		all[name] = (many - few) / 2000
	}
	return all, nil
}
