package commandline

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func parseWords(s string) *Command {
	compiler, args, _ := SplitCompiler(strings.Fields(s))
	return Parse(compiler, args)
}

func TestPlainName(t *testing.T) {
	for name, want := range map[string]string{
		"gcc": "gcc", "/usr/bin/gcc-12": "gcc", "x86_64-linux-gnu-gcc-12.2": "gcc", "g++": "g++",
		"arm-none-eabi-g++": "g++", "cc": "cc",
		"c++": "c++", "clang": "clang", "clang-19": "clang", "clang++-19": "clang++",
		"mpicc": "mpicc", "mpicxx": "mpicxx", "mpif90": "mpif90",
		"x86_64-linux-gnu-gfortran-12": "gfortran", "c99-gcc": "gcc", "gcc.exe": "gcc",
		"icx": "icx", "flang-new-19": "flang-new",
		"gcc-ar": "", "gcc-ranlib-12": "", "ld": "", "make": "", "xcc": "", "opari": "",
		"ccache": "", "clang-format": "", "clang-tidy-19": "",
	} {
		if got := PlainName(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestSplitCompiler(t *testing.T) {
	for _, c := range []struct {
		words, compiler, args string
		ok                    bool
	}{
		{"gcc -c f.c", "gcc", "-c f.c", true},
		{"ccache gcc -c f.c", "ccache gcc", "-c f.c", true},
		{"/usr/bin/ccache distcc mpicc f.c", "/usr/bin/ccache distcc mpicc", "f.c", true},
		{"tool f.c", "tool", "f.c", false},
		{"ccache", "ccache", "", false},
		{"ccache --version", "ccache", "--version", false},
	} {
		compiler, args, ok := SplitCompiler(strings.Fields(c.words))
		if strings.Join(compiler, " ") != c.compiler || strings.Join(args, " ") != c.args ||
			ok != c.ok {
			t.Errorf("%s: %v %v %v", c.words, compiler, args, ok)
		}
	}
}

func TestCCompilerOf(t *testing.T) {
	for name, want := range map[string]string{
		"gcc": "gcc", "g++": "gcc", "/opt/bin/g++-12": "/opt/bin/gcc-12",
		"x86_64-linux-gnu-g++": "x86_64-linux-gnu-gcc", "clang++-19": "clang-19",
		"mpicxx": "mpicc", "gfortran-12": "gcc-12", "c++": "cc", "mpic++": "mpicc",
	} {
		if got := CCompilerOf(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// show returns a command as kind:words for each argument except ordinary ones.
func (c *Command) show() string {
	names := map[Kind]string{
		Input: "file", Output: "out", Language: "lang", Preprocessor: "pp",
		Dependencies: "deps", Mode: "mode", Link: "link", LastStep: "once",
	}
	var out []string
	for _, a := range c.Args {
		if a.Kind != Other {
			out = append(out, names[a.Kind]+":"+strings.Join(a.Words, "_"))
		}
	}
	return strings.Join(out, " ")
}

func TestParseCommand(t *testing.T) {
	for _, c := range []struct{ words, want string }{
		{"gcc -fopenmp -O2 -c f.c -o f.o", "mode:-c file:f.c out:-o_f.o"},
		{"gcc -of.o f.c", "out:-of.o file:f.c"},
		{
			"gcc -I dir -Idir -DA=1 -D B -UC -include a.h -includeb.h f.c",
			"pp:-I_dir pp:-Idir pp:-DA=1 pp:-D_B pp:-UC pp:-include_a.h pp:-includeb.h file:f.c",
		},
		{
			"gcc -isystem d -isystemd -iquote d -idirafter d -imacros m f.c",
			"pp:-isystem_d pp:-isystemd pp:-iquote_d pp:-idirafter_d pp:-imacros_m file:f.c",
		},
		{
			"gcc -MD -MF f.d -MTt -MQ q -MP f.c",
			"deps:-MD deps:-MF_f.d deps:-MTt deps:-MQ_q deps:-MP file:f.c",
		},
		{
			"gcc -x c f.x -xc++ g.x -x none h.c",
			"lang:-x_c file:f.x lang:-xc++ file:g.x lang:-x_none file:h.c",
		},
		{
			"gcc -Wp,-MD,f.d -Xpreprocessor -DX -Wl,-rpath,/x -Xlinker --as-needed -Wall f.c",
			"pp:-Wp,-MD,f.d pp:-Xpreprocessor_-DX link:-Wl,-rpath,/x link:-Xlinker_--as-needed " +
				"file:f.c",
		},
		{
			"gcc a.o -L dir -Ldir -l m -lm -shared -static -rdynamic -pie -T script -u sym -z now",
			"file:a.o link:-L_dir link:-Ldir link:-l_m link:-lm link:-shared link:-static " +
				"link:-rdynamic link:-pie link:-T_script link:-u_sym link:-z_now",
		},
		{
			"gcc --param x=1 -aux-info a -save-temps=obj -isysroot d --sysroot d -B d -Bd f.c",
			"once:-aux-info_a once:-save-temps=obj file:f.c",
		},
		{
			"gcc -std=c99 -nostdinc -undef -trigraphs -traditional-cpp f.c",
			"pp:-nostdinc pp:-undef pp:-trigraphs pp:-traditional-cpp file:f.c",
		},
		{
			"gcc -finput-charset=latin1 -fexec-charset=utf-8 f.c",
			"pp:-finput-charset=latin1 file:f.c",
		},
		{"gcc --output=f f.c", "out:-o_f file:f.c"},
		{"clang -nostdlibinc -nostdlib f.c", "pp:-nostdlibinc link:-nostdlib file:f.c"},
	} {
		if got := parseWords(c.words).show(); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.words, got, c.want)
		}
	}
}

func TestOpenMPSwitch(t *testing.T) {
	for words, want := range map[string]bool{
		"gcc -fopenmp f.c": true, "clang -fopenmp=libomp f.c": true, "icx -qopenmp f.c": true,
		"icx -fiopenmp f.c": true, "nvc -mp f.c": true,
		"nvc -mp=multicore f.c": true, "gcc f.c": false, "gcc -fopenmp-simd f.c": false,
		"gcc -fopenmp -fno-openmp f.c": false,
		"gcc -fno-openmp -fopenmp f.c": true, "clang -Xpreprocessor -fopenmp f.c": true,
		"gcc -fopenacc f.c":                               false,
		"gcc -Xpreprocessor -fopenmp-simd f.c":            false,
		"gcc -march=native -mprefer-vector-width=256 f.c": false,
	} {
		if got := parseWords(words).OpenMP; got != want {
			t.Errorf("%s: %v", words, got)
		}
	}
	for words, want := range map[string]bool{
		"gcc f.o /usr/lib/gcc/x86_64-linux-gnu/12/libgomp.so": true, "gcc f.o -lgomp": true,
		"clang f.o -l omp":    true,
		"gcc f.o libiomp5.so": true, "gcc f.o -lm": false, "gcc f.o mylibgomp.c": false,
	} {
		if got := parseWords(words).LinksRuntime; got != want {
			t.Errorf("%s: library %v", words, got)
		}
	}
}

func TestPlain(t *testing.T) {
	for words, plain := range map[string]bool{
		"gcc -fopenmp --version": true, "gcc -dumpversion": true, "gcc -dumpmachine": true,
		"gcc -print-search-dirs": true, "gcc --help": true,
		"gcc --help=common": true, "gcc -v": true, "gcc -### f.c": true, "gcc -E f.c": true,
		"gcc -M f.c": true, "gcc -MM f.c": true,
		"gcc -fsyntax-only f.c": true, "gcc -xc -": true, "gcc": true, "gcc -o": true,
		"gcc -c f.h": true, "gcc -x c-header f.c": true,
		"gcc -v f.c": false, "gcc f.c": false, "gcc -dumpbase x f.c": false, "gcc f.o": false,
		"gcc -dA -c f.c": false, "gcc -MD -c f.c": false,
	} {
		if c := parseWords(words); (c.Plain != "") != plain {
			t.Errorf("%s: plain %q", words, c.Plain)
		}
	}
}

func TestLanguages(t *testing.T) {
	for words, want := range map[string]string{
		"gcc f.c g.cc h.i k.ii l.C m.o": "c c++ c-pre c++-pre c++ -",
		"g++ f.c h.i":                   "c++ c++-pre",
		"gcc -x c++ f.c":                "c++",
		"gcc -x cpp-output f.txt":       "c-pre",
		"gcc -x c f.o -x none g.o":      "c -",
		"gcc f.s f.S f.a f.so.1":        "- - - -",
	} {
		var got []string
		for _, a := range parseWords(words).Args {
			f := a.File
			switch {
			case f == nil:
				continue
			case !f.Source:
				got = append(got, "-")
				continue
			}
			s := "c"
			if f.Lang&2 != 0 {
				s = "c++"
			}
			if f.Preprocessed {
				s += "-pre"
			}
			got = append(got, s)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", words, got, want)
		}
	}
}

func TestPreprocess(t *testing.T) {
	for _, c := range []struct{ words, want string }{
		{"gcc -fopenmp -O2 -DA -c f.c -o d/f.o", "gcc -D_POMP=202611 -fopenmp -O2 -DA -E f.c"},
		{"gcc -fopenmp -MD -c f.c", "gcc -D_POMP=202611 -fopenmp -MD -MF f.d -MQ f.o -E f.c"},
		{
			"gcc -fopenmp -MD -c f.c -o d/f.o",
			"gcc -D_POMP=202611 -fopenmp -MD -MF d/f.d -MQ d/f.o -E f.c",
		},
		{
			"gcc -fopenmp -MMD -MF x -MT y -c f.c",
			"gcc -D_POMP=202611 -fopenmp -MMD -MF x -MT y -E f.c",
		},
		{
			"gcc -fopenmp -xc f.txt -xnone a.o -o p -lm -shared -P -dD -save-temps -v",
			"gcc -D_POMP=202611 -fopenmp -E -x c f.txt",
		},
		{"gcc -fopenmp -Wextra f.c", "gcc -D_POMP=202611 -fopenmp -Wextra -C -E f.c"},
		{
			"ccache clang -fopenmp f.c",
			"ccache clang -D_POMP=202611 -fopenmp -Qunused-arguments -E f.c",
		},
		{"gcc -fopenmp -U_POMP f.c", "gcc -D_POMP=202611 -fopenmp -U_POMP -E f.c"},
	} {
		cmd := parseWords(c.words)
		if got := strings.Join(cmd.Preprocess(cmd.Sources()[0], false), " "); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.words, got, c.want)
		}
	}
}

func TestCompile(t *testing.T) {
	for _, c := range []struct{ words, want string }{
		{
			"gcc -fopenmp -I d -DX -include a.h -MD -MF b -Wp,-DY -O2 -c f.c -o f.o",
			"gcc -fopenmp -O2 -c T0 -o f.o",
		},
		{"gcc -fopenmp a.o f.c b.o g.c -lm -o p", "gcc -fopenmp a.o T0 b.o T1 -lm -o p"},
		{"gcc -fopenmp -x c f.txt -x none g.c a.o", "gcc -fopenmp -x cpp-output T0 -x none T1 a.o"},
		{"gcc -fopenmp g.c -x c++ f.txt", "gcc -fopenmp T0 -x c++-cpp-output T1 -x none"},
		{"gcc -fopenmp -DX f.c start.S", "gcc -fopenmp -DX T0 start.S"},
		{"gcc -fopenmp -DX f.c start.s", "gcc -fopenmp T0 start.s"},
		{
			"clang -Xpreprocessor -fopenmp -Xpreprocessor -DX f.c -lomp",
			"clang -Xpreprocessor -fopenmp T0 -lomp",
		},
	} {
		cmd := parseWords(c.words)
		replaced := map[*File]string{}
		for i, f := range cmd.Sources() {
			replaced[f] = "T" + string(rune('0'+i))
		}
		if got := strings.Join(cmd.Compile(replaced), " "); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.words, got, c.want)
		}
	}
}

func TestConfigureCheck(t *testing.T) {
	for words, want := range map[string]bool{
		"gcc -c conftest.c": true, "gcc conftest.o -o conftest": true,
		"gcc -c /b/CMakeFiles/CMakeScratch/TryCompile-a/x.c": true,
		"gcc -c /b/CMakeFiles/CMakeTmp/x.c":                  true,
		"gcc -c b/meson-private/tmpx1/testfile.c":            true,
		"gcc -c f.c": false, "gcc -c a/myconftest.c": false,
	} {
		if got := parseWords(words).IsConfigureCheck(); got != want {
			t.Errorf("%s: %v", words, got)
		}
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string][]string{
		"":                           nil,
		" a  b\n\tc ":                {"a", "b", "c"},
		`"a b" 'c d' e\ f`:           {"a b", "c d", "e f"},
		`-DMSG="\"a b\"" ''`:         {`-DMSG="a b"`, ""},
		`'it\'s' x"y"z`:              {"it's", "xyz"},
		"a\\\\b \"open end":          {`a\b`, "open end"},
		"one\\\ntwo three\r\nfour":   {"one\ntwo", "three", "four"},
		`"C:\\dir" '"' "'" "" plain`: {`C:\dir`, `"`, "'", "", "plain"},
	} {
		got := SplitWords(text)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if back := SplitWords(string(QuoteResponse(got))); len(got) > 0 &&
			!reflect.DeepEqual(back, got) {
			t.Errorf("%q: quoted and read back: %q", got, back)
		}
	}
	if got := ShellQuote([]string{"gcc", "-DX=a b", "", "it's", "-o", "a/b.o", "$x"}); got !=
		`gcc '-DX=a b' '' 'it'\''s' -o a/b.o '$x'` {
		t.Errorf("shell: %s", got)
	}
}

func TestResponseFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	inner := write("inner", "'-DX=a b' g.c")
	outer := write("outer", "-c @"+inner+" @missing")
	self := filepath.Join(dir, "self")
	write("self", "@"+self)
	got := expandResponse([]string{"f.c", "@" + outer, "@", "-O2"})
	if want := []string{
		"f.c", "-c", "-DX=a b", "g.c", "@missing", "@",
		"-O2",
	}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := expandResponse([]string{"@" + self}); len(got) != 1 {
		t.Errorf("a file that names itself: %q", got)
	}
	options := write("options", "-O2 -Werror -Wall -flto -fdiagnostics-color")
	c := Parse([]string{"gcc"}, []string{"@" + options, "f.c"})
	if !c.Optimizes || !c.WarningsAreErrors || !c.WarnsOfIndentation() || !c.OptimizesInLink ||
		!c.ChoosesColor {
		t.Errorf("options in a response file: %+v", c)
	}
}

// A system's own name for its compiler is a link to the compiler.
func TestSystemsCompiler(t *testing.T) {
	dir := t.TempDir()
	for name, gcc := range map[string]bool{"x86_64-linux-gnu-gcc-12": true, "clang-19": false} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o777); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(dir, name+"-dir", "cc")
		if err := os.MkdirAll(filepath.Dir(link), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(dir, name), link); err != nil {
			t.Fatal(err)
		}
		if c := (&Command{Compiler: []string{link}}); c.IsGCC() != gcc {
			t.Errorf("cc, a link to %s: GCC's %v", name, !gcc)
		}
	}
}
