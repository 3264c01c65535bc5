package main

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// variant is one build of the overhead program, together with its environment.
type variant struct {
	name    string
	program string
	env     []string
}

// overhead builds bench/overhead in all variants and runs them in turn. For each construct it
// prints the plain cost, and the median over the rounds of the ratio to the plain program of the
// same round.
func (s *setting) overhead(rounds, threads int) error {
	variants, err := s.variants()
	if err != nil {
		return err
	}
	env := []string{
		"OMP_NUM_THREADS=" + strconv.Itoa(threads), "OMP_PROC_BIND=true",
		"OMP_PLACES=cores",
	}
	var constructs []string
	values := map[string]map[string][]float64{} // construct, variant: a value per round
	for range rounds {
		for _, i := range rand.Perm(len(variants)) {
			v := &variants[i]
			_, out, err := command(s.work, append(env, v.env...), v.program, "15", "150")
			if err != nil {
				return err
			}
			for line := range strings.Lines(out) {
				name, number, _ := strings.Cut(strings.TrimSpace(line), "\t")
				ns, err := strconv.ParseFloat(number, 64)
				if err != nil {
					return fmt.Errorf("%s printed %q", v.program, line)
				}
				if values[name] == nil {
					values[name] = map[string][]float64{}
					constructs = append(constructs, name)
				}
				values[name][v.name] = append(values[name][v.name], ns)
			}
		}
		removeProfiles(s.work)
	}
	fmt.Printf("\nOverhead per construct, gcc, %d threads, %d rounds: plain in ns; others: added "+
		"ns, ratio [quartiles of the ratio]\n", threads, rounds)
	fmt.Printf("%-15s %9s", "construct", "plain")
	for _, v := range variants[1:] {
		fmt.Printf(" %28s", v.name)
	}
	fmt.Println()
	for _, c := range constructs {
		plain := values[c][variants[0].name]
		_, median, _ := quartiles(plain)
		fmt.Printf("%-15s %9.1f", c, median)
		for _, v := range variants[1:] {
			var ratio, added []float64
			for i, ns := range values[c][v.name] {
				ratio = append(ratio, ns/math.Max(plain[i], 0.5)) // no cost, no ratio
				added = append(added, ns-plain[i])
			}
			q1, q2, q3 := quartiles(ratio)
			_, a, _ := quartiles(added)
			fmt.Printf(" %+9.1f %6.2f [%4.2f,%4.2f]", a, q2, q1, q3)
		}
		fmt.Println()
	}
	return nil
}

// variants builds the programs. The first is the plain one.
func (s *setting) variants() ([]variant, error) {
	source := filepath.Join(s.root, "bench", "overhead")
	rest := []string{filepath.Join(source, "main.c"), filepath.Join(source, "reference.c")}
	cc := []string{"gcc", "-O2", "-fopenmp", "-I" + source}
	link := func(name string, constructs []string, more ...string) (string, error) {
		argv := append(append(append([]string{}, cc...), rest...), constructs...)
		_, _, err := command(s.work, nil, append(argv, append(more, "-o", name)...)...)
		return filepath.Join(s.work, name), err
	}
	plain, err := link("plain", []string{filepath.Join(source, "constructs.c")})
	if err != nil {
		return nil, err
	}
	all := []variant{{name: "plain", program: plain}}
	if found("opari2") {
		v, err := s.opari2(source, link)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	} else {
		fmt.Println("opari2 is not installed: not compared")
	}
	_, libs, err := command(s.work, nil, s.opari, "config", "--libs")
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(source, "constructs.c"))
	if err != nil {
		return nil, err
	}
	for _, barrier := range []string{"explicit", "implicit"} {
		in, out := barrier+".c", barrier+".mod.c"
		if err := os.WriteFile(filepath.Join(s.work, in), text, 0o644); err != nil {
			return nil, err
		}
		if _, _, err := command(s.work, nil, s.opari, "--parallel-barrier="+barrier, in,
			out); err != nil {
			return nil, err
		}
		program, err := link(barrier, []string{out}, strings.Fields(libs)...)
		if err != nil {
			return nil, err
		}
		all = append(all, variant{barrier + ", off", program, nil},
			variant{
				barrier + ", profile", program,
				[]string{"OPARI_PROFILE=" + filepath.Join(s.work, "profile")},
			})
	}
	return all, nil
}

var declaration = regexp.MustCompile(`extern\s+([^;(){}]*?)\b(POMP2_\w+)\s*\(([^;]*?)\)\s*;`)

// opari2 builds with OPARI2 and a library of wrappers, generated from its header, that only call
// the original functions.
func (s *setting) opari2(source string,
	link func(string, []string, ...string) (string, error),
) (variant, error) {
	v := variant{name: "opari2, empty functions"}
	dir := filepath.Join(s.work, "opari2")
	text, err := os.ReadFile(filepath.Join(source, "constructs.c"))
	if err != nil {
		return v, err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return v, err
	}
	if err := os.WriteFile(filepath.Join(dir, "constructs.c"), text, 0o644); err != nil {
		return v, err
	}
	_, header, err := command(dir, nil, "gcc", "-fopenmp", "-E", "-P", "-include",
		"opari2/pomp2_lib.h", "-x", "c", "/dev/null")
	if err != nil {
		return v, err
	}
	if err := os.WriteFile(filepath.Join(dir, "empty.c"), []byte(emptyLibrary(header)),
		0o644); err != nil {
		return v, err
	}
	script := `opari2 constructs.c && gcc -w -O2 -fopenmp -I` + source +
		` -c constructs.mod.c empty.c &&
		nm -g --defined-only constructs.mod.o |
			awk -f /usr/libexec/pomp2-parse-init-regions.awk >init.c &&
		gcc -w -O2 -c init.c`
	if _, _, err := command(dir, nil, "sh", "-c", script); err != nil {
		return v, err
	}
	v.program, err = link("opari2.exe", []string{
		filepath.Join(dir, "constructs.mod.o"),
		filepath.Join(dir, "empty.o"), filepath.Join(dir, "init.o"),
	})
	return v, err
}

// emptyLibrary defines the functions that OPARI2's preprocessed header declares.
func emptyLibrary(header string) string {
	var b strings.Builder
	w := bufio.NewWriter(&b)
	fmt.Fprintln(w, "#include <opari2/pomp2_lib.h>\n#include <omp.h>")
	for _, m := range declaration.FindAllStringSubmatch(header, -1) {
		result, name, params := strings.TrimSpace(m[1]), m[2], m[3]
		switch {
		case name == "POMP2_Get_num_regions", name == "POMP2_Init_regions",
			name == "POMP2_Get_opari2_version":
			continue // made for each program
		case strings.HasSuffix(name, "_lock"):
			back := ""
			if result != "void" {
				back = "return "
			}
			list := strings.Split(params, ",")
			last := strings.Fields(list[len(list)-1])
			fmt.Fprintf(w, "%s %s(%s) { %somp_%s(%s); }\n", result, name, params, back,
				strings.ToLower(strings.TrimPrefix(name, "POMP2_")),
				strings.TrimLeft(last[len(last)-1], "*"))
		case result == "void":
			fmt.Fprintf(w, "void %s(%s) { __asm__ volatile(\"\"); }\n", name, params)
		default:
			fmt.Fprintf(w, "%s %s(%s) { return 0; }\n", result, name, params)
		}
	}
	w.Flush()
	return b.String()
}

func removeProfiles(dir string) {
	files, _ := filepath.Glob(filepath.Join(dir, "profile.*"))
	for _, f := range files {
		os.Remove(f)
	}
}
