package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// generate returns a C file with n regions, ten in a function and four lines each: the shape of real code, only more of it.
func generate(n int) []byte {
	b := make([]byte, 0, n*75)
	b = append(b, "#include <omp.h>\n"...)
	for f := 0; n > 0; f, n = f+1, n-10 {
		b = append(b, "void f"...)
		b = strconv.AppendInt(b, int64(f), 10)
		b = append(b, `(int n, double *a, double *b)
{
    int i;
    double s = 0.0;
    #pragma omp parallel private(i) shared(a, b, n) reduction(+:s)
    {
        #pragma omp for schedule(static) nowait
        for (i = 0; i < n; i++)
            a[i] = a[i] + 2.0 * b[i];
        #pragma omp critical(update)
        {
            a[0] += 1.0;
        }
        #pragma omp single
        {
            b[0] = a[0];
        }
        #pragma omp barrier
        #pragma omp master
        {
            b[1] = a[1];
        }
        #pragma omp atomic
        a[2] += 1.0;
    }
    #pragma omp parallel for private(i) schedule(dynamic, 16)
    for (i = 0; i < n; i++)
        b[i] = a[i] * 0.5;
    #pragma omp parallel sections
    {
        #pragma omp section
        {
            a[3] = b[3];
        }
        #pragma omp section
        b[4] = a[4] + s;
    }
    #pragma omp flush
}
`...)
	}
	return b
}

// instrumenter is a program that instruments in.c in its working folder.
type instrumenter struct {
	name string
	argv []string
	most int // regions that it can take
}

// speed times the instrumentation of generated files as CPU time, which other work on the machine disturbs less than the clock.
func (s *setting) speed(largest int) error {
	tools := []instrumenter{{name: "opari", argv: []string{s.opari, "in.c", "out.c", "--force"}, most: math.MaxInt}}
	if found("opari2") {
		tools = append(tools, instrumenter{name: "opari2", argv: []string{"opari2", "in.c", "out.c"}, most: 100_000})
	}
	if old, err := s.opari1(); err == nil {
		tools = append(tools, instrumenter{name: "opari 1.1", argv: []string{old, "in.c", "out.c"}, most: math.MaxInt})
	} else {
		fmt.Println("opari 1.1 is not to be had, so not compared:", err)
	}
	fmt.Printf("\nInstrumenting generated C (ten regions per function), best of 3\n%-10s %9s %9s %8s %12s %8s\n", "tool", "regions", "lines", "CPU s", "regions/s", "peak MB")
	for _, n := range []int{10, 10_000, 100_000, largest} {
		text := generate(n)
		lines := strings.Count(string(text), "\n")
		for _, t := range tools {
			if n > t.most {
				fmt.Printf("%-10s %9d %9d  (aborts above %d)\n", t.name, n, lines, t.most)
				continue
			}
			best, err := s.instrument(&t, text)
			if err != nil {
				fmt.Printf("%-10s %9d %9d  fails: %.100s\n", t.name, n, lines, err)
				continue
			}
			fmt.Printf("%-10s %9d %9d %8.3f %12.0f %8.1f\n", t.name, n, lines, best.cpu.Seconds(), float64(n)/best.cpu.Seconds(), float64(best.rss)/1e6)
		}
	}
	return nil
}

// instrument returns the cheapest of three runs, the peak of all.
func (s *setting) instrument(t *instrumenter, text []byte) (cost, error) {
	best := cost{cpu: time.Hour}
	for range 3 {
		dir, err := os.MkdirTemp(s.work, "speed")
		if err != nil {
			return best, err
		}
		if err := os.WriteFile(filepath.Join(dir, "in.c"), text, 0o644); err != nil {
			return best, err
		}
		c, _, err := command(dir, nil, t.argv...)
		os.RemoveAll(dir)
		if err != nil {
			return best, err
		}
		best.cpu, best.rss = min(best.cpu, c.cpu), max(best.rss, c.rss)
	}
	return best, nil
}

// opari1 finds OPARI 1.1: on the path, or in its Debian package, which is unpacked and not installed.
func (s *setting) opari1() (string, error) {
	dir := filepath.Join(s.work, "opari1")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	if _, _, err := command(dir, nil, "sh", "-c", "apt-get -qq download opari && dpkg -x opari_*.deb ."); err != nil {
		return "", err
	}
	return filepath.Join(dir, "usr", "bin", "opari"), nil
}
