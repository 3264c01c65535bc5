package opari2

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestIdentify(t *testing.T) {
	o := &Options{}
	a, b := o.Identify("/p/a.c", "/p/b.c", nil, false), o.Identify("/p/a.c", "/p/b.c", nil, false)
	if form := regexp.MustCompile(`^oparix[0-9a-z]{12}$`); a == b || !form.MatchString(a) {
		t.Errorf("the same twice, or another form: %s %s", a, b)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "1")
	a, b = o.Identify("/p/a.c", "/p/b.c", nil, false), o.Identify("/p/a.c", "/p/b.c", nil, false)
	if c := o.Identify("/p/a.c", "/p/c.c", nil, false); a != b || a == c {
		t.Errorf("not reproducible, or not unique: %s %s %s", a, b, c)
	}
}

// TestUnits reads lines as nm prints them for GNU's and other compilers' objects.
func TestUnits(t *testing.T) {
	tpd := &Options{Tpd: true}
	with := strings.ToUpper(tpd.Identify("a", "b", nil, true))
	got := Units(`
a.o:
                 U POMP2_Init_reg_oparixabc_3
0000000000000000 T POMP2_Init_reg_oparixabc_3
0000000000000007 T POMP2_USER_Init_reg_oparixabc_1
0000000000000000 T POMP2_Init_reg_oparixabc_3
0000000000000010 t POMP2_Init_reg_local_3
0000000000000010 T pomp2_init_reg_km7yn6u2ppge4_12_
0000000000000010 D .POMP2_INIT_REG_` + with + `_2
0000000000000010 T POMP2_Init_reg_x_0
0000000000000010 T my_POMP2_Init_regs
`)
	want := []Unit{
		{Symbol: "POMP2_Init_reg_oparixabc_3", Regions: 3, Own: true},
		{Symbol: "POMP2_USER_Init_reg_oparixabc_1", User: true, Regions: 1, Own: true},
		{Symbol: "pomp2_init_reg_km7yn6u2ppge4_12_", Regions: 12},
		{Symbol: "POMP2_INIT_REG_" + with + "_2", Regions: 2, Own: true, Tpd: "pomp_tpd_"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

// TestLocks: units in Fortran have their locks heard if they name a routine for them, but not those
// that disable it, nor any beside units that OPARI2 has instrumented.
func TestLocks(t *testing.T) {
	unit := func(options, text string) string {
		o, _ := parse(t, options+" a.f90")
		return " T pomp2_init_reg_" + o.Identify("a", "b", []byte(text), true) + "_1_\n"
	}
	heard := unit("--omp-tpd", "CALL OMP_SET_LOCK(A)")
	silent := unit("--disable=omp:sync", "call omp_set_lock(a)") + unit("", "call omp_lock(a)")
	inC := strings.ToUpper(heard[:len(" T pomp2")]) + "_Init" + heard[len(" T pomp2_init"):]
	const foreign = " T pomp2_init_reg_km7yn6u2ppge4_12_\n"
	for nm, want := range map[string]bool{
		heard: true, inC: false, silent: false, silent + heard: true, heard + foreign: false,
		heard + inC: true,
	} {
		units := Units(nm)
		if got := slices.ContainsFunc(units, func(u Unit) bool { return u.Locks }); got != want ||
			len(units) == 0 {
			t.Errorf("%q: %v of %+v", nm, got, units)
		}
	}
}

func config(prefix string) (*Config, *strings.Builder, *strings.Builder) {
	var out, errs strings.Builder
	return &Config{Prefix: prefix, Revision: "1", Out: &out, Err: &errs}, &out, &errs
}

func TestAnswer(t *testing.T) {
	for line, want := range map[string]string{
		"--version":                "2.0.7\n",
		"--interface-version":      "3:0:0\n",
		"--revision":               "opari-1",
		"--nm --awk-script":        "/p/libexec/pomp2-parse-init-regions.awk",
		"--region-initialization":  "/p/libexec/pomp2-parse-init-regions.awk",
		"--cflags":                 "-I/p/include",
		"--fortran --cflags=intel": "-I/p/include -warn nounused",
		"":                         configHelp,
	} {
		c, out, errs := config("/p")
		if code := c.Answer(strings.Fields(line)); code != 0 || out.String() != want {
			t.Errorf("%s: %d %q %q", line, code, out, errs)
		}
	}
	c, out, _ := config("/p")
	if code := c.Answer([]string{"--create-pomp2-regions", "a.o", "b.o"}); code != 0 ||
		!strings.HasSuffix(out.String(),
			"nm -B a.o b.o  | /p/libexec/pomp2-parse-init-regions.awk") {
		t.Errorf("%d %q", code, out)
	}
	for _, line := range []string{"--xyz", "--cflags=watcom", "--create-pomp2-regions", "a.o"} {
		c, out, errs := config("/p")
		if code := c.Answer(strings.Fields(line)); code != 1 || out.String() != "" ||
			errs.String() == "" {
			t.Errorf("%s: %d %q %q", line, code, out, errs)
		}
	}
}

// TestScript: the script passes its input on, run by its name and by awk, in a folder whose name
// needs quoting, and for any awk.
func TestScript(t *testing.T) {
	c, _, _ := config(filepath.Join(t.TempDir(), `it's "a" folder`))
	self := filepath.Join(t.TempDir(), "opari")
	echo := "#!/bin/sh\necho called \"$@\"\ncat\n"
	if err := os.WriteFile(self, []byte(echo), 0o777); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := c.Install(self); err != nil {
			t.Fatal(err)
		}
	}
	for _, in := range []string{"", "a T b\n", "a\nb\n"} {
		for _, words := range [][]string{{c.script()}, {program("awk"), "-f", c.script()}} {
			run := exec.Command(words[0], words[1:]...)
			run.Stdin = strings.NewReader(in)
			out, err := run.CombinedOutput()
			if err != nil || string(out) != "called --init-file\n"+in {
				t.Errorf("%q: %v %q", words, err, out)
			}
		}
	}
	header := filepath.Join(c.Prefix, "include", Name, "pomp2_lib.h")
	if err := os.WriteFile(header, []byte("another's\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := c.Install(self); err == nil || !strings.Contains(err.Error(), header) {
		t.Errorf("another's header: %v", err)
	}
}

// TestHeaders: a library can define all that the headers declare, in C and C++, and the headers
// need nothing else.
func TestHeaders(t *testing.T) {
	text := "#include <opari2/pomp2_user_lib.h>\n#include <opari2/pomp2_lib.h>\n" +
		"POMP2_Region_handle *h; POMP2_USER_Region_handle *u; POMP2_Task_handle k;\n"
	c, _, _ := config(t.TempDir())
	if err := c.Install("/bin/true"); err != nil {
		t.Fatal(err)
	}
	for _, words := range [][]string{
		{"gcc", "-std=c99", "-x", "c"},
		{"gcc", "-std=c99", "-fopenmp", "-x", "c"},
		{"gcc", "-fopenmp", "-x", "c++"},
	} {
		words = append(words, "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
			"-I"+filepath.Join(c.Prefix, "include"), "-")
		run := exec.Command(words[0], words[1:]...)
		run.Stdin = strings.NewReader(text)
		if out, err := run.CombinedOutput(); err != nil {
			t.Error(fmt.Sprint(words), err, string(out))
		}
	}
}
