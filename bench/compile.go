package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// withoutOpenMP is a file without OpenMP.
const withoutOpenMP = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint f(int " +
	"n)\n{\n    return n + 1;\n}\n"

// compile compares the compiler alone with the compiler behind `opari cc`, by the CPU time of all
// processes and by elapsed time.
func (s *setting) compile() error {
	fmt.Printf("\nCompiling, median of alternating runs\n%-44s %12s %12s %10s %10s\n", "file",
		"bare CPU ms", "opari cc", "added ms", "added %")
	if err := s.compileFile("no OpenMP switch, no directive", withoutOpenMP, "-O2"); err != nil {
		return err
	}
	if err := s.compileFile("-fopenmp, no directive", withoutOpenMP, "-O2 -fopenmp"); err != nil {
		return err
	}
	for _, regions := range []int{10, 30} { // usual, and dense with directives
		text, err := sourceWith(regions)
		if err != nil {
			return err
		}
		for _, flags := range []string{"-O2 -fopenmp", "-O0 -fopenmp"} {
			if err := s.compileFile(fmt.Sprintf("%s, %d regions, %d lines", flags, regions,
				strings.Count(text, "\n")), text, flags); err != nil {
				return err
			}
		}
	}
	return s.compileFortran()
}

// sourceWith returns a file with that many regions, and with functions that have none.
func sourceWith(regions int) (string, error) {
	var text strings.Builder
	text.WriteString("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include " +
		"<math.h>\n")
	err := generate(&text, regions)
	text.WriteString(plainFunctions(40))
	return text.String(), err
}

func (s *setting) compileFile(what, text, flags string) error {
	argv := append([]string{"gcc"}, strings.Fields(flags)...)
	return s.compare(what, "file.c", text, 31, argv...)
}

// compare compiles text, as a file called name, by the command alone and by `opari cc` with the
// command, in turn.
func (s *setting) compare(what, name, text string, rounds int, compiler ...string) error {
	if err := os.WriteFile(filepath.Join(s.work, name), []byte(text), 0o644); err != nil {
		return err
	}
	argv := append(compiler, "-c", name, "-o", "out.o")
	wrapped := append([]string{s.opari, "cc"}, argv...)
	var bare, ours, wall []float64
	for range rounds {
		start := time.Now()
		b, _, err := command(s.work, nil, argv...)
		if err != nil {
			return err
		}
		middle := time.Now()
		o, _, err := command(s.work, nil, wrapped...)
		if err != nil {
			return err
		}
		wall = append(wall, time.Since(middle).Seconds()-middle.Sub(start).Seconds())
		bare, ours = append(bare, b.cpu.Seconds()), append(ours, o.cpu.Seconds())
	}
	_, b, _ := quartiles(bare)
	_, o, _ := quartiles(ours)
	_, w, _ := quartiles(wall)
	fmt.Printf("%-44s %12.1f %12.1f %10.1f %10.1f   (by the clock %+.1f ms)\n", what, b*1e3, o*1e3,
		(o-b)*1e3, 100*(o-b)/math.Max(b, 1e-9), w*1e3)
	return nil
}

// plainFunctions is code without directives, like most of a file.
func plainFunctions(n int) string {
	text := ""
	for i := range n {
		text += fmt.Sprintf(`static double g%d(const double *a, int n, double x)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * sin(x * i) + sqrt(fabs(a[n - 1 - i]));
    return s > 1 ? log(s) : s;
}
double h%d(const double *a, int n) {
	char b[64];
	snprintf(b, sizeof b, "%%g", g%d(a, n, %d.5));
	return atof(b) + (double)strlen(b);
}
`, i, i, i, i)
	}
	return text
}
