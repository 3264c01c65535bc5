package fortran

import (
	"testing"

	"opari/internal/source"
)

// TestPlainBound shows which expressions may be evaluated a second time, and which might be a
// function or an array element.
func TestPlainBound(t *testing.T) {
	for e, want := range map[string][2]bool{
		"n":                         {true, false},
		"(1+n)*2":                   {true, false},
		"v%n-1":                     {true, false},
		"size(a)":                   {true, true},
		"size(a%b,2)-1":             {true, true},
		"ubound(a,dim=k+1,kind=8)":  {true, true},
		"min(size(a),max(n,1),m)":   {true, true},
		"(1+mod(n,2))*len(s)":       {true, true},
		"f(n)":                      {false, false},
		"min(f(n),1)":               {false, false},
		"size(f(n))":                {false, false},
		"size(a(1))":                {false, false},
		"size(a)(1)":                {false, false},
		"size(a,f(n))":              {false, false},
		"size(a+b)":                 {false, false},
		"size([1,2])":               {false, false},
		"v%size(a)":                 {false, false},
		"asize(a)":                  {false, false},
		"size(a":                    {false, false},
		"size()":                    {false, false},
		"":                          {false, false},
		"n==1":                      {false, false},
		"command_argument_count(n)": {false, false},
	} {
		plain, called := plainBound([]byte(e))
		if plain != want[0] || called != want[1] {
			t.Errorf("%q: plain %v, called %v", e, plain, called)
		}
	}
}

// TestIntrinsicsAreStandard requires that a name is not taken for an intrinsic where the file has
// a procedure or a macro of that name.
func TestIntrinsicsAreStandard(t *testing.T) {
	for text, want := range map[string]bool{
		"integer n\ndo i = 1, size(a)\n":                                true,
		"call function_of(size(a)) ! function size\n":                   true,
		"contains\npure integer FUNCTION Size(a)\n":                     false,
		"interface size\n":                                              false,
		"integer, external :: size\n":                                   false,
		"procedure(integer), pointer :: min\n":                          false,
		"integer function resize(a)\n":                                  true,
		"      INTEGER SIZE\n      EXTERNAL\tSIZE\n      DO I = 1, N\n": false,
	} {
		if p := (parser{f: source.New("f.f90", []byte(text))}); p.intrinsicsAreStandard() != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
	p := parser{f: source.New("f.F90", nil)}
	if p.macros.define("define", []byte("SIZE(a) f(a)")); p.intrinsicsAreStandard() {
		t.Error("a macro is taken for the intrinsic")
	}
}
