package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A file that uses nothing of OpenMP, and one of the usual size that does.
const (
	withoutOpenMP = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint f(int n)\n{\n    return n + 1;\n}\n"
	averageRegion = 30
)

// compile compares the compiler alone with the compiler behind `opari cc`: CPU time of all processes, and the clock.
func (s *setting) compile() error {
	var regions strings.Builder
	if err := generate(&regions, averageRegion); err != nil {
		return err
	}
	average := "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <math.h>\n" + regions.String() + plainFunctions(40)
	fmt.Printf("\nCompiling, median of 31 alternating runs\n%-44s %12s %12s %10s %10s\n", "file", "gcc CPU ms", "opari cc", "added ms", "added %")
	for _, c := range []struct{ what, name, text, flags string }{
		{"no OpenMP switch, no directive", "none.c", withoutOpenMP, ""},
		{"-fopenmp, no directive", "none.c", withoutOpenMP, "-fopenmp"},
		{fmt.Sprintf("-fopenmp, %d regions, %d bytes", averageRegion, len(average)), "average.c", average, "-fopenmp"},
	} {
		if err := os.WriteFile(filepath.Join(s.work, c.name), []byte(c.text), 0o644); err != nil {
			return err
		}
		if err := s.compileFile(c.what, c.name, c.flags); err != nil {
			return err
		}
	}
	return nil
}

func (s *setting) compileFile(what, name, flags string) error {
	argv := []string{"gcc", "-O2", "-c", name, "-o", "out.o"}
	if flags != "" {
		argv = append(argv, flags)
	}
	wrapped := append([]string{s.opari, "cc"}, argv...)
	var bare, ours, wall []float64
	for range 31 {
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
	fmt.Printf("%-44s %12.1f %12.1f %10.1f %10.1f   (by the clock %+.1f ms)\n", what, b*1e3, o*1e3, (o-b)*1e3, 100*(o-b)/math.Max(b, 1e-9), w*1e3)
	return nil
}

// plainFunctions is code without directives, as most of a file is.
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
double h%d(const double *a, int n) { char b[64]; snprintf(b, sizeof b, "%%g", g%d(a, n, %d.5)); return atof(b) + (double)strlen(b); }
`, i, i, i, i)
	}
	return text
}
