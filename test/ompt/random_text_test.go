package ompt

import (
	"fmt"
	"strings"
)

// programText is the text of a program, in Fortran or in the common part of C and C++.
type programText struct {
	fortran bool
	text    strings.Builder
	indent  int
}

func (s *programText) both(c, fortran string) string {
	if s.fortran {
		return fortran
	}
	return c
}

func (s *programText) line(format string, args ...any) {
	s.text.WriteString(strings.Repeat("  ", s.indent))
	fmt.Fprintf(&s.text, format, args...)
	s.text.WriteByte('\n')
}

// lines writes text that all programs share.
func (s *programText) lines(text string) {
	for line := range strings.Lines(text) {
		s.line("%s", strings.TrimSuffix(line, "\n"))
	}
}

// block writes body between two lines.
func (s *programText) block(first, last string, inside func()) {
	s.line("%s", first)
	s.indent++
	inside()
	s.indent--
	s.line("%s", last)
}

func (s *programText) truth(is bool) string {
	if is {
		return s.both("1", ".true.")
	}
	return s.both("0", ".false.")
}

func (s *programText) cell(i int) string { return fmt.Sprintf(s.both("cell[%d]", "cell(%d)"), i) }

// arguments returns numbers unchanged, and names as addresses in C.
func (s *programText) arguments(given []any) string {
	var names []string
	for _, a := range given {
		name := fmt.Sprint(a)
		if _, is := a.(string); is && !s.fortran && name != "c" {
			name = "&" + name
		}
		names = append(names, name)
	}
	return "(" + strings.Join(names, ", ") + ")"
}

func (s *programText) call(name string, given ...any) {
	s.line("%s", s.both("", "call ")+name+s.arguments(given)+s.both(";", ""))
}

func (s *programText) when(test, argument string, then func()) {
	s.block("if ("+test+s.arguments([]any{argument})+s.both(") {", ") then"),
		s.both("}", "end if"), then)
}

func (s *programText) alone(directive string) {
	s.line("%s%s", s.both("#pragma omp ", "!$omp "), directive)
}

// construct writes a construct with a structured block. Fortran has nowait on the end directive.
func (s *programText) construct(name, clauses, nowait string, body func()) {
	if s.fortran {
		s.block("!$omp "+name+clauses, "!$omp end "+name+nowait+s.again(name, clauses), body)
		return
	}
	s.alone(name + clauses + nowait)
	s.block("{", "}", body)
}

// again returns the name of a critical construct, which its end directive repeats.
func (s *programText) again(name, clauses string) string {
	if name == "critical" {
		return clauses
	}
	return ""
}

// shared writes a loop of n iterations under a directive.
func (s *programText) shared(name, clauses, nowait, variable string, n int, body func()) {
	if !s.fortran {
		s.alone(name + clauses + nowait)
		s.block(fmt.Sprintf("for (int %s = 0; %s < %d; %s++) {", variable, variable, n, variable),
			"}", body)
		return
	}
	name = strings.Replace(name, "for", "do", 1)
	s.alone(name + clauses)
	s.block(fmt.Sprintf("do %s = 0, %d", variable, n-1), "end do", body)
	s.alone("end " + name + nowait)
}

func (s *programText) section(body func()) {
	s.alone("section")
	s.block(s.both("{", "block"), s.both("}", "end block"), body)
}

// copied writes a single construct whose value all threads add. Without the first statement
// Fortran's block would be the entire body of the construct around it.
func (s *programText) copied(body func()) {
	s.line("%s", s.both(";", "continue"))
	s.block(s.both("{", "block"), s.both("}", "end block"), func() {
		s.line("%s", s.both("long c = 0;", "integer :: c"))
		if s.fortran {
			s.block("!$omp single", "!$omp end single copyprivate(c)", body)
		} else {
			s.alone("single copyprivate(c)")
			s.block("{", "}", body)
		}
		s.call("add", "c")
	})
}

// loopVariables declares the loop variables of shared.
const loopVariables = "integer :: i, i0, i1, i2, i3, i4, i5, i6"

func (s *programText) begin() {
	if !s.fortran {
		s.lines("#include <omp.h>\n#include <stdio.h>\n" +
			"static long sum, cell[4], pair[2];\nstatic omp_lock_t lock;\nstatic omp_nest_lock_t " +
			"nest;\n" +
			"static void add(long n)\n{\n#pragma omp atomic\n  sum += n;\n}\n")
		return
	}
	s.lines("module random\n  use omp_lib\n  implicit none\n  integer(8) :: sum = 0\n  integer " +
		":: cell(0:3) = 0, pair(0:1) = 0\n" +
		"  integer(omp_lock_kind) :: lock\n  integer(omp_nest_lock_kind) :: nest\ncontains\n" +
		"  subroutine add(n)\n    integer, intent(in) :: n\n!$omp atomic\n    sum = sum + n\n  " +
		"end subroutine\n")
}

func (s *programText) function(i int, body func()) {
	if s.fortran {
		s.block(fmt.Sprintf("subroutine f%d()", i), "end subroutine", func() {
			s.line("%s", loopVariables)
			body()
		})
		return
	}
	s.line("static void f%d(void)", i)
	s.block("{", "}", body)
}

func (s *programText) main(body func()) {
	begin, end := "{", "}"
	if s.fortran {
		begin, end = "end module\nprogram main\n  use random\n  implicit none\n  "+
			loopVariables, "end program"
	} else {
		s.line("int main(void)")
	}
	s.block(begin, end, func() {
		s.call("omp_set_max_active_levels", 3)
		s.call("omp_init_lock", "lock")
		s.call("omp_init_nest_lock", "nest")
		body()
		s.call("omp_destroy_nest_lock", "nest")
		s.call("omp_destroy_lock", "lock")
		s.line("%s", s.both(`printf("%ld %ld %ld\n", sum, pair[0], pair[1]);`,
			"print *, sum, pair"))
		s.lines(s.both("return 0;\n", ""))
	})
}
