package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// generate writes a C file with n regions, ten in a function and four lines each: the shape of
// real code, only longer. It keeps nothing in memory, because the peak of a child process is
// never below this process's own.
func generate(w io.Writer, n int) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "#include <omp.h>")
	for f := 0; n > 0; f, n = f+1, n-10 {
		fmt.Fprintf(b, `void f%d(int n, double *a, double *b)
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
`, f)
	}
	return b.Flush()
}

// generateFortran writes what generate writes in Fortran, in free or fixed form.
func generateFortran(w io.Writer, n int, indent string) error {
	b := bufio.NewWriter(w)
	for f := 0; n > 0; f, n = f+1, n-10 {
		for line := range strings.Lines(fmt.Sprintf(`subroutine f%d(n, a, b)
integer :: n, i
double precision :: a(*), b(*), s
s = 0
!$omp parallel private(i) shared(a, b, n) reduction(+:s)
!$omp do schedule(static)
do i = 1, n
  a(i) = a(i) + 2.0 * b(i)
end do
!$omp end do nowait
!$omp critical (update)
a(1) = a(1) + 1.0
!$omp end critical (update)
!$omp single
b(1) = a(1)
!$omp end single
!$omp barrier
!$omp master
b(2) = a(2)
!$omp end master
!$omp atomic
a(3) = a(3) + 1.0
!$omp end parallel
!$omp parallel do private(i) schedule(dynamic, 16)
do i = 1, n
  b(i) = a(i) * 0.5
end do
!$omp end parallel do
!$omp parallel sections
!$omp section
a(4) = b(4)
!$omp section
b(5) = a(5) + s
!$omp end parallel sections
!$omp flush
end subroutine
`, f)) {
			if line[0] != '!' {
				line = indent + line
			}
			if _, err := b.WriteString(line); err != nil {
				return err
			}
		}
	}
	return b.Flush()
}

// instrumenter is a program that instruments in.EXT in its working folder, as out.EXT.
type instrumenter struct {
	name string
	argv []string
	most int // regions that it can take
}

// speed times the instrumentation of generated files in CPU time, which other work on the machine
// disturbs less than elapsed time.
func (s *setting) speed(largest int) error {
	tools := []instrumenter{{
		name: "opari", argv: []string{s.opari, "--force"},
		most: math.MaxInt,
	}}
	if found("opari2") {
		tools = append(tools,
			instrumenter{name: "opari2", argv: []string{"opari2"}, most: 100_000})
	}
	if old, err := s.opari1(); err == nil {
		tools = append(tools, instrumenter{
			name: "opari 1.1", argv: []string{old},
			most: math.MaxInt,
		})
	} else {
		fmt.Println("opari 1.1 is not to be had, so not compared:", err)
	}
	for _, language := range []struct {
		name, ext string
		generate  func(io.Writer, int) error
	}{
		{"C", ".c", generate},
		{"free Fortran", ".f90", func(w io.Writer, n int) error {
			return generateFortran(w, n, "  ")
		}},
		{"fixed Fortran", ".f", func(w io.Writer, n int) error {
			return generateFortran(w, n, "      ")
		}},
	} {
		fmt.Printf("\nInstrumenting generated %s (ten regions per function), best of 3\n%-10s %9s "+
			"%8s %12s %8s\n", language.name, "tool", "regions", "CPU s", "regions/s", "peak MB")
		for _, n := range []int{10, 10_000, 100_000, largest} {
			in, err := s.generated(n, language.ext, language.generate)
			if err != nil {
				return err
			}
			for _, t := range tools {
				if n > t.most {
					fmt.Printf("%-10s %9d (aborts above %d)\n", t.name, n, t.most)
					continue
				}
				best, err := s.instrument(&t, in)
				if err != nil {
					fmt.Printf("%-10s %9d fails: %.100s\n", t.name, n, err)
					continue
				}
				fmt.Printf("%-10s %9d %8.3f %12.0f %8.1f\n", t.name, n, best.cpu.Seconds(),
					float64(n)/best.cpu.Seconds(), float64(best.rss)/1e6)
			}
		}
	}
	return nil
}

// generated writes a file of n regions and returns its path.
func (s *setting) generated(n int, ext string, write func(io.Writer, int) error) (string, error) {
	path := filepath.Join(s.work, fmt.Sprintf("regions%d%s", n, ext))
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	if err := write(f, n); err != nil {
		f.Close()
		return "", err
	}
	return path, f.Close()
}

// instrument returns the least cost of three runs, and the peak of all.
func (s *setting) instrument(t *instrumenter, in string) (cost, error) {
	best := cost{cpu: time.Hour}
	for range 3 {
		dir, err := os.MkdirTemp(s.work, "speed")
		if err != nil {
			return best, err
		}
		name, out := "in"+filepath.Ext(in), "out"+filepath.Ext(in)
		if err := os.Link(in, filepath.Join(dir, name)); err != nil {
			return best, err
		}
		c, _, err := command(dir, nil, append(slices.Clone(t.argv), name, out)...)
		os.RemoveAll(dir)
		if err != nil {
			return best, err
		}
		best.cpu, best.rss = min(best.cpu, c.cpu), max(best.rss, c.rss)
	}
	return best, nil
}

// opari1 finds OPARI 1.1 in PATH, or unpacks its Debian package without installing it.
func (s *setting) opari1() (string, error) {
	dir := filepath.Join(s.work, "opari1")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	if _, _, err := command(dir, nil, "sh", "-c",
		"apt-get -qq download opari && dpkg -x opari_*.deb ."); err != nil {
		return "", err
	}
	return filepath.Join(dir, "usr", "bin", "opari"), nil
}
