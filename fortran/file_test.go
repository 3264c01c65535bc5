package fortran

import (
	"fmt"
	"strings"
	"testing"

	"opari/internal/source"
	"opari/parse/construct"
)

// outline parses text and lists its constructs, one on each line: name, first line, lines of the
// body, last line, and remarks.
func outline(t *testing.T, form Form, text string) (string, source.Diagnostics) {
	t.Helper()
	f := source.New("f", []byte(text))
	tree, ds := File(f, Options{Form: form})
	var b strings.Builder
	var walk func(cs []*construct.Construct, indent string)
	walk = func(cs []*construct.Construct, indent string) {
		for _, c := range cs {
			line := func(at int) int { return f.PhysicalLine(at) }
			fmt.Fprintf(&b, "%s%s %d", indent, c.Directive.Name, line(c.Directive.Extent.Start))
			if c.Kind != construct.NoBlock {
				fmt.Fprintf(&b, " %d-%d", line(c.Body.Start), line(max(c.Body.Start, c.Body.End-1)))
			}
			if c.Fortran.End != nil {
				fmt.Fprintf(&b, " end %d", line(c.Fortran.End.Extent.Start))
			}
			for _, s := range []string{c.Unsafe, c.KeepOut, c.Fortran.NoSplit} {
				if s != "" {
					fmt.Fprintf(&b, " (%s)", s)
				}
			}
			b.WriteByte('\n')
			walk(c.Inner, indent+" ")
		}
	}
	walk(tree.Constructs, "")
	return b.String(), ds
}

func TestExtents(t *testing.T) {
	tests := []struct {
		name string
		form Form
		text string
		want string
	}{
		{"loop without end directive", Free, `subroutine s
!$omp do
do i = 1, 3
  do j = 1, 3; end do
end do
x = 1
end`, "do 2 3-5\n"},
		{"end directive behind comments", Free, `subroutine s
!$omp do
do i = 1, 3
end do
! comment

!$omp end do
end`, "do 2 3-6 end 7\n"},
		{"end directive of the construct around", Free, `subroutine s
!$omp parallel
!$omp do
do i = 1, 3
end do
!$omp end parallel
end`, "parallel 2 3-5 end 6\n do 3 4-5\n"},
		{"shared termination", Fixed, `      subroutine s
!$omp do
      do 10 i = 1, 3
      do 10 j = 1, 3
   10 continue
      end`, "do 2 3-5\n"},
		{"shared termination, the inner loop", Fixed, `      subroutine s
      do 10 i = 1, 3
!$omp do
      do 10 j = 1, 3
   10 continue
      end`, "do 3 4-5 (its loop ends at a statement that another loop shares)\n"},
		{"an assignment to a variable that begins like a loop", Fixed, `      subroutine s
!$omp parallel
      do 10 i = 1.5
!$omp end parallel
      end`, "parallel 2 3-3 end 4\n"},
		{"strictly structured block", Free, `subroutine s
!$omp parallel
block
  call a
end block
call b
end`, "parallel 2 3-5\n"},
		{"loosely structured block that begins with BLOCK", Free, `subroutine s
!$omp parallel
block
end block
!$omp end parallel
end`, "parallel 2 3-4 end 5\n"},
		{"sections", Free, `subroutine s
!$omp sections
call a
!$omp section
!$omp section
call b
!$omp end sections
end`, "sections 2 3-6 end 7\n section 3 3-3\n section 4 5-5 (it is empty)\n section 5 6-6\n"},
		{"atomic", Free, `subroutine s
!$omp atomic capture
v = x
x = x + 1
!$omp atomic
x = x + 1; y = 1
!$omp atomic
x = x + 1
!$omp end atomic
end`, "atomic 2 3-4\natomic 5 6-6\natomic 7 8-8 end 9\n"},
		{"loop constructs before one loop", Free, `subroutine s
!$omp do
!$omp tile sizes(2)
do i = 1, 3
end do
!$omp end tile
!$omp end do
end`, "do 2 3-6 end 7\n tile 3 4-5 end 6\n"},
		{"a generic interface, and a main program without PROGRAM", Free, `module m
interface operator (.add.)
module procedure f
end interface
interface g
module procedure f, h
module subroutine s
end subroutine
end interface
contains
integer function f(a, b)
end function
end module
submodule (m) n
contains
module procedure s
!$omp flush
end procedure
end submodule
use m
!$omp barrier
end`, "flush 17\nbarrier 21\n"},
		{
			"in definitions", Free, `module m
type t
!$omp nothing
integer i
end type
interface
!$omp nothing (
subroutine s
!$omp declare simd
end subroutine
end interface
end`,
			"nothing 3 (in the definition of a type or in an interface block: nothing is " +
				"executed)\n" +
				"nothing 7 (in the definition of a type or in an interface block: nothing is " +
				"executed)\n" +
				"declare simd 9\n",
		},
		{"macros", Free, `#include "more.h"
#define DoWhat Do2
#define Do2 do
#define Set num_threads(2)
#define loop parallel do
#define Task task
#undef Task
subroutine s
!$omp parallel DoWhat
do i = 1, 3
end do
!$omp end parallel DoWhat
!$omp parallel Set
!$omp task
!$omp end task
!$omp end parallel
!$omp loop private(Set)
do i = 1, 3
end do
!$omp end loop
!$omp parallel Other
do i = 1, 3
end do
!$omp end parallel Other
end`, `parallel 9 (the directive's name comes from macro DoWhat)
parallel 13 14-15 end 16 (a clause comes from macro Set)
 task 14 15-15 end 15
loop 17 (the directive's name comes from macro loop)
parallel 21 ('Other' may be a macro, and stand for a part of the directive's name)
`},
		{"what stands alone", Free, `subroutine s
!$omp barrier
!$omp ordered depend(source)
!$omp flush(x)
end`, "barrier 2\nordered 3\nflush 4\n"},
		{"pure", Free, `module m
contains
real(8) pure elemental function f(x)
!$omp simd
do i = 1, 2
end do
end
end module`, "simd 4 5-6 (in a PURE procedure, where no call may stand)\n"},
		{"a macro hides the loop", Free, `subroutine s
!$omp do
LOOP(i, 3)
x = 1
END_LOOP
!$omp end do
end`, "do 2 3-3 (no DO loop follows that opari can see)\n"},
		{"keywords as names", Free, `subroutine s
if(1) = 2; end = 4; enddo = 5; do = 3; block = 1
!$omp parallel
type(1) = 3
!$omp end parallel
end`, "parallel 3 4-4 end 5\n"},
		{
			"branches", Free, `subroutine s
#ifdef A
!$omp parallel
#else
!$omp parallel if(x)
#endif
x = 1
!$omp end parallel
!$omp do
#ifdef A
do i = 1, 2
#else
do i = 1, 3
#endif
end do
end`,
			"parallel 3 4-7 end 8 (its end stands in another branch of #if)\n" +
				"parallel 5 6-6 (its end stands in another branch of #if)\n" +
				"do 9 10-15\n",
		},
		{"units", Free, `integer function f(x)
  interface
    subroutine i
    end subroutine
  end interface
  type t
    integer, pointer :: do
  contains
    procedure :: end
  end type t
!$omp barrier
contains
  type(t) function g()
!$omp flush
  end function
end
!$omp barrier
end program`, "barrier 11\nflush 14\nbarrier 17\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ds := outline(t, test.form, test.text)
			if ds.HasErrors() {
				t.Error(ds)
			}
			if got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"subroutine s\n!$omp parallel\nend\n": "f:2:1: error: " +
			"the directive 'parallel' has no end",
		"subroutine s\n  !$omp end parallel\nend\n": "f:2:3: error: " +
			"'end parallel' ends nothing",
		"subroutine s\n!$omp section\nend\n": "f:2:1: error: " +
			"a section outside of a sections construct",
		"!$omp parallel private(x\nend\n": "f:1:23: error: " +
			"the '(' after 'private' is never closed",
		"!$omp parallel\ndo i = 1, 2\n!$omp end parallel\nend do\nend\n": "error: " +
			"'end parallel' ends nothing",
		"x = 1\x00":                        "f:1:6: error: a NUL byte",
		"!$omp single\n!$omp end parallel": "f:2:1: error: 'end parallel' ends nothing",
	} {
		_, ds := outline(t, Free, text)
		if !ds.HasErrors() || !strings.Contains(fmt.Sprint(ds), want) {
			t.Errorf("%q: got %v, want %s", text, ds, want)
		}
	}
}

func TestDeclareAt(t *testing.T) {
	f := source.New("f", []byte(`module m
implicit none (type, external)
contains
subroutine s
#ifdef A
use n
#endif
integer i
!$omp barrier
end
end
`))
	tree, _ := File(f, Options{Form: Free})
	if c := tree.Constructs[0]; f.PhysicalLine(c.Fortran.DeclareAt) != 8 {
		t.Errorf("declared at line %d, not behind the USE and its #endif",
			f.PhysicalLine(c.Fortran.DeclareAt))
	}
}

func TestLayout(t *testing.T) {
	long := "parallel private(" + strings.Repeat("a_name, ", 40) + "b)"
	for _, form := range []Form{Free, Fixed} {
		text := string(Layout{Form: form}.AppendDirective(nil, long))
		var joined strings.Builder
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			if len(line) > form.LineLimit() {
				t.Errorf("%v: a line has %d columns", form, len(line))
			}
			line = strings.TrimSuffix(line, "&")
			joined.WriteString(line[len("!$omp "):])
		}
		if joined.String() != long {
			t.Errorf("%v: got %s", form, joined.String())
		}
	}
}

// FuzzFile requires that reading ends for any text, and that the extents lie within it and nest.
func FuzzFile(f *testing.F) {
	for _, s := range []string{
		"!$omp parallel do private(i) &\n!$omp& shared(a)\ndo i = 1, 2; end do\nend\n",
		"      do 10 i=1,3\nc$omp atomic\n   10 x = 5hhello\n",
		"#if A\n!$omp sections\n#else\n!$omp section\n#endif\n",
		"block\n!$omp sections\nblock\n!$omp section\nend block\nend block\n",
		"x = 'a&\n !$omp\n&b'\n",
		"# 3 \"x\" 3\n\tdo\n\t1i=1,2\n", "#if \n!$omp seCtions\nA\n#else",
	} {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, fixed bool) {
		o := Options{Form: Free}
		if fixed {
			o.Form = Fixed
		}
		file := source.New("f", text)
		tree, ds := File(file, o)
		if tree == nil {
			t.Fatal("no tree")
		}
		if ds.HasErrors() {
			return
		}
		var walk func(cs []*construct.Construct, start, end int)
		walk = func(cs []*construct.Construct, start, end int) {
			for _, c := range cs {
				if c.Extent.Start < start || c.Extent.End > end || c.Extent.End < c.Extent.Start {
					t.Fatalf("%s: extent %v outside of %d-%d", c.Directive.Name, c.Extent, start,
						end)
				}
				if c.Unsafe == "" && c.Kind != construct.NoBlock &&
					(c.Body.Start < c.Extent.Start || c.Body.End > c.Extent.End ||
						c.Body.End < c.Body.Start) {
					t.Fatalf("%s: body %v outside of %v", c.Directive.Name, c.Body, c.Extent)
				}
				if c.Unsafe != "" {
					walk(c.Inner, 0, len(text))
				} else {
					walk(c.Inner, c.Extent.Start, c.Extent.End)
				}
			}
		}
		walk(tree.Constructs, 0, len(text))
	})
}
