package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// compileFortran compares gfortran alone with gfortran behind `opari cc` on files of 1,000
// regions. It prints the time to instrument 100,000 lines.
func (s *setting) compileFortran() error {
	const regions, rounds = 1000, 5
	for _, body := range []int{1, 8} {
		// body is the number of lines in a loop. With 1 the text is almost only directives: four
		// lines a region, as in the study of peers.
		text := fortranSource(regions, body)
		for _, opt := range []string{"-O0", "-O1", "-O2"} {
			what := fmt.Sprintf("gfortran %s, 1,000 regions, %d lines", opt,
				strings.Count(text, "\n"))
			if err := s.compare(what, "file.f90", text, rounds, "gfortran", opt,
				"-fopenmp"); err != nil {
				return err
			}
		}
	}
	text := fortranSource(regions, 10)
	for strings.Count(text, "\n") < 100_000 {
		text += text
	}
	if err := os.WriteFile(filepath.Join(s.work, "large.f90"), []byte(text), 0o644); err != nil {
		return err
	}
	var cpu []float64
	for range rounds {
		c, _, err := command(s.work, nil, s.opari, "--force", "large.f90", "large.mod.f90")
		if err != nil {
			return err
		}
		cpu = append(cpu, c.cpu.Seconds())
	}
	_, median, _ := quartiles(cpu)
	fmt.Printf("opari large.f90, %d lines, %d directives: %.2f s\n", strings.Count(text, "\n"),
		strings.Count(text, "!$omp"), median)
	return nil
}

// fortranSource returns a file with a number of regions, whose loops have a number of lines.
func fortranSource(regions, lines int) string {
	var b strings.Builder
	body := func() {
		for i := range lines {
			fmt.Fprintf(&b,
				"    b(i) = b(i)*%d.5d0 + sqrt(abs(a(i)))/(1.0d0 + b(max(1, i - %d)))\n", i+1, i)
		}
	}
	for f := 0; regions > 0; f, regions = f+1, regions-14 {
		fmt.Fprintf(&b, "subroutine s%d(n, a, b)\n  implicit none\n  integer, intent(in) :: n\n  "+
			"real(8), intent(inout) :: a(n), b(n)\n  integer :: i\n  real(8) :: s\n", f)
		b.WriteString("  s = 0\n!$omp parallel private(i) shared(a, b, n) reduction(+:s)\n!$omp " +
			"do schedule(static)\n  do i = 1, n\n")
		body()
		b.WriteString(`    s = s + a(i)
  end do
!$omp end do nowait
!$omp critical(update)
  a(1) = a(1) + 1
!$omp end critical(update)
!$omp barrier
!$omp master
  b(2) = a(2)
!$omp end master
!$omp atomic
  a(3) = a(3) + 1
!$omp end parallel
!$omp parallel do private(i) schedule(dynamic, 16)
  do i = 1, n
`)
		body()
		b.WriteString(`  end do
!$omp end parallel do
!$omp parallel sections
!$omp section
  a(4) = b(4)
!$omp section
  b(5) = a(5) + s
!$omp end parallel sections
!$omp parallel
!$omp single
  b(1) = 0
!$omp end single
!$omp end parallel
end subroutine
`)
	}
	return b.String()
}
