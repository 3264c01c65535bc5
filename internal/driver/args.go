package driver

import (
	"path/filepath"
	"slices"
	"strings"

	"opari/internal/omp"
)

// kind says what an argument of a compiler is to the wrapper.
type kind uint8

const (
	other  kind = iota // goes to every step
	input              // a file
	output             // -o
	lang               // -x
	pp                 // of the preprocessor alone
	deps               // -MD and its kin
	mode               // -c, -S
	link               // of the linker alone
	once               // of the last step alone: -v, -save-temps
)

// An arg is one argument of a compiler, with its value where that is a word of its own.
type arg struct {
	kind  kind
	words []string
	name  string // of the option without its value: "-I"
	value string
	file  *inputFile // for input
}

// inputFile is a file that the compiler is given.
type inputFile struct {
	name     string
	explicit string // the language that -x asked for; "" where the name decides
	source   bool   // C, C++ or Fortran that we instrument
	pre      bool   // preprocessed already
	header   bool
	asm      bool // assembler that is preprocessed
	lang     omp.Language
}

// command is a compiler's command line as far as the wrapper must understand it.
type command struct {
	compiler  []string // launchers and compiler
	given     []string // its arguments as given
	args      []arg
	cxx       bool // the compiler's name is that of a C++ compiler
	fortran   fortranFlags
	clang     bool   // ... of clang
	plain     string // why the compiler is run as it is, whatever the files hold; ""
	mode      string // "-c", "-S", or "" for linking
	output    string // value of the last -o; ""
	openmp    bool
	ompLib    bool // an OpenMP runtime is among the libraries
	langs     bool // -x is used
	std       string
	depsOn    bool // -MD or -MMD
	depsFile  bool // -MF
	depsHeard bool // ... names standard output
	depsGoal  bool // -MT or -MQ
	shared    bool
	static    bool
	partial   bool // -r
	noLib     bool // -nostdlib, -nodefaultlibs
	machine   []string
	saves     string // "cwd" or "obj" for -save-temps
	fallthru  bool   // comments matter to a warning
	pedantic  bool   // a warning about what is in no standard
}

// separate lists the options whose value is the next word. Those that may also be joined are in joined.
var separate = []string{
	"-o", "-x", "-I", "-D", "-U", "-L", "-l", "-A", "-B", "-F", "-T", "-u", "-z", "-e", "-h", "-J", "-G", "-R",
	"-include", "-imacros", "-idirafter", "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-isystem", "-iquote", "-isysroot",
	"-imultilib", "-imultiarch", "-ivfsoverlay", "-include-pch", "-iframework", "-cxx-isystem",
	"-MF", "-MT", "-MQ", "-MJ", "-Xpreprocessor", "-Xassembler", "-Xlinker", "-Xclang", "-Xopenmp-target", "--param", "-aux-info",
	"-dumpbase", "-dumpbase-ext", "-dumpdir", "--sysroot", "-target", "-arch", "-mllvm", "-framework", "-working-directory",
	"-wrapper", "-Tbss", "-Tdata", "-Ttext", "-gcc-toolchain", "-install_name", "-specs",
}

// joined lists the options whose value may follow in the same word.
var joined = []string{
	"-include", "-imacros", "-idirafter", "-iprefix", "-iwithprefixbefore", "-iwithprefix", "-isystem", "-iquote", "-isysroot",
	"-MF", "-MT", "-MQ", "-o", "-x", "-I", "-D", "-U", "-L", "-l", "-A", "-B", "-T", "-u", "-z", "-J", "-F", "-R",
}

// kinds of options by name; options that begin with a prefix are in prefixKinds.
var kinds = map[string]kind{
	"-o": output, "-x": lang,
	"-c": mode, "-S": mode,
	"-I": pp, "-D": pp, "-U": pp, "-A": pp, "-F": pp, "-H": pp, "-C": pp, "-CC": pp, "-P": pp, "-I-": pp,
	"-include": pp, "-imacros": pp, "-idirafter": pp, "-iprefix": pp, "-iwithprefix": pp, "-iwithprefixbefore": pp, "-isystem": pp,
	"-iquote": pp, "-imultilib": pp, "-imultiarch": pp, "-ivfsoverlay": pp, "-include-pch": pp, "-iframework": pp, "-cxx-isystem": pp,
	"-Xpreprocessor": pp,
	"-nostdinc":      pp, "-nostdinc++": pp, "-undef": pp, "-trigraphs": pp, "-remap": pp, "-traditional-cpp": pp, "-fdirectives-only": pp,
	"-fpch-preprocess": pp, "-fworking-directory": pp, "-fno-working-directory": pp,
	"-MD": deps, "-MMD": deps, "-MF": deps, "-MT": deps, "-MQ": deps, "-MP": deps, "-MG": deps, "-MJ": once,
	"-L": link, "-l": link, "-T": link, "-u": link, "-z": link, "-e": link, "-h": link, "-R": link, "-Tbss": link, "-Tdata": link, "-Ttext": link,
	"-Xlinker": link, "-shared": link, "-static": link, "-r": link, "-s": link, "-rdynamic": link, "-pie": link, "-no-pie": link,
	"-static-pie": link, "-nostdlib": link, "-nostartfiles": link, "-nodefaultlibs": link, "-nolibc": link, "-static-libgcc": link,
	"-shared-libgcc": link, "-static-libstdc++": link, "-framework": link, "-install_name": link, "-symbolic": link, "-export-dynamic": link,
	"-v": once, "-save-temps": once, "-dumpbase": once, "-dumpbase-ext": once, "-dumpdir": once, "-aux-info": once, "-wrapper": once,
}

var prefixKinds = []struct {
	prefix string
	kind   kind
}{
	{"-Wp,", pp},
	{"-Wl,", link},
	{"-fuse-ld=", link},
	{"-finput-charset=", pp},
	{"-save-temps=", once},
	{"-fdump-", once},
	{"-static-lib", link},
	{"-nostdlib", link},
	{"-ftime-report", once},
	{"-fdeps-", once},
}

// asks lists options with which a compiler compiles nothing that could be instrumented.
var asks = []string{"-###", "-E", "-M", "-MM", "-fsyntax-only", "-cc1", "-cc1as", "--version", "--help", "--target-help", "-cc1gen-reproducer"}

func isAsk(a string) bool {
	return slices.Contains(asks, a) || strings.HasPrefix(a, "-dump") && !strings.HasPrefix(a, "-dumpbase") && a != "-dumpdir" ||
		strings.HasPrefix(a, "-print-") || strings.HasPrefix(a, "--print-") || strings.HasPrefix(a, "--help=") ||
		strings.HasPrefix(a, "-showme") || strings.HasPrefix(a, "--showme") || a == "-show" || a == "-compile_info" || a == "-link_info" || // MPI's compilers
		strings.HasPrefix(a, "-fdump-ada-spec") || strings.HasPrefix(a, "--dump")
}

// parseCommand reads the words of a command that start with compiler.
func parseCommand(compiler, given []string) *command {
	c := &command{compiler: compiler, given: given}
	name := plainName(compiler[len(compiler)-1])
	c.cxx, c.clang = slices.Contains(cxxCompilers, name), strings.HasPrefix(name, "clang")
	words := expandResponse(given)
	explicit := ""
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w == "-" || w == "" || w[0] != '-' {
			c.input(w, explicit)
			continue
		}
		if strings.HasPrefix(w, "--") {
			if short := shortForm(w); short != nil {
				words = slices.Concat(words[:i], short, words[i+1:])
				w = short[0]
			}
		}
		a := arg{name: w, words: words[i : i+1]}
		switch {
		case slices.Contains(separate, w):
			if i+1 == len(words) {
				c.plain = "an option lacks its value"
				break
			}
			a.words, a.value = words[i:i+2], words[i+1]
			i++
		default:
			a.split(w)
		}
		c.option(&a)
		if a.kind == lang {
			explicit = a.value
			if explicit == "none" {
				explicit = ""
			}
		}
		c.args = append(c.args, a)
	}
	c.decidePlain()
	c.readFortran()
	return c
}

// split finds the value in a joined form.
func (a *arg) split(w string) {
	if _, whole := kinds[w]; whole || isAsk(w) {
		return
	}
	for _, j := range joined {
		if strings.HasPrefix(w, j) {
			a.name, a.value = j, w[len(j):]
			if len(j) > 2 { // -include=x is no form of GCC's, but -isystem=dir keeps its sign
				return
			}
			break
		}
	}
}

// option classifies a and notes what it asks for.
func (c *command) option(a *arg) {
	w := a.words[0]
	k, known := kinds[a.name]
	if !known {
		for _, p := range prefixKinds {
			if strings.HasPrefix(w, p.prefix) {
				k = p.kind
				break
			}
		}
	}
	a.kind = k
	if isAsk(w) {
		c.plain = w
	}
	switch {
	case k == output:
		c.output = a.value
	case k == mode:
		if c.mode != "-S" {
			c.mode = w
		}
	case k == lang:
		c.langs = true
	case k == deps:
		c.depsOn = c.depsOn || w == "-MD" || w == "-MMD"
		if a.name == "-MF" {
			c.depsFile = true
			c.depsHeard = a.value == "-" || a.value == "/dev/stdout"
		}
		c.depsGoal = c.depsGoal || a.name == "-MT" || a.name == "-MQ"
	case w == "-save-temps" || w == "-save-temps=cwd":
		c.saves = "cwd"
	case w == "-save-temps=obj":
		c.saves = "obj"
	case k == link || k == pp:
		c.linkOrPP(a)
	default:
		c.common(w)
	}
}

func (c *command) linkOrPP(a *arg) {
	switch a.words[0] {
	case "-shared":
		c.shared = true
	case "-static", "-static-pie":
		c.static = true
	case "-r":
		c.partial = true
	case "-nostdlib", "-nodefaultlibs":
		c.noLib = true
	case "-Xpreprocessor":
		if strings.HasPrefix(a.value, "-fopenmp") && a.value != "-fopenmp-simd" {
			a.kind = other // Apple's way of switching OpenMP on
			c.openmp = true
		}
	}
	if a.name == "-l" {
		switch a.value {
		case "gomp", "omp", "iomp5", ":libgomp.so.1", ":libgomp.a":
			c.ompLib = true
		}
	}
}

func (c *command) common(w string) {
	switch {
	case w == "-fopenmp", strings.HasPrefix(w, "-fopenmp="), w == "-qopenmp", w == "-fiopenmp", w == "-mp", strings.HasPrefix(w, "-mp="):
		c.openmp = true
	case w == "-fno-openmp", w == "-qno-openmp":
		c.openmp = false
	case strings.HasPrefix(w, "-std="), strings.HasPrefix(w, "--std="), w == "-ansi":
		c.std = w
	case w == "-m32", w == "-m64", w == "-mx32", strings.HasPrefix(w, "-mabi="), strings.HasPrefix(w, "--target="):
		c.machine = append(c.machine, w)
	case w == "-pedantic", w == "-pedantic-errors", w == "-Wpedantic":
		c.pedantic = true
	case w == "-W", strings.HasPrefix(w, "-Wextra"), strings.HasPrefix(w, "-Wimplicit-fallthrough"):
		c.fallthru = true
	}
}

// input notes a file.
func (c *command) input(name, explicit string) {
	f := &inputFile{name: name, explicit: explicit, source: true}
	ext := filepath.Ext(name)
	switch explicit {
	case "c":
		f.lang = omp.C
	case "c++":
		f.lang = omp.CPlusPlus
	case "cpp-output":
		f.lang, f.pre = omp.C, true
	case "c++-cpp-output":
		f.lang, f.pre = omp.CPlusPlus, true
	case "":
		f.byName(ext, c.cxx)
	default:
		f.source = f.isFortranLanguage(explicit)
		f.header = strings.HasSuffix(explicit, "-header")
		f.asm = explicit == "assembler-with-cpp"
	}
	if base := filepath.Base(name); strings.HasPrefix(base, "libgomp.") || strings.HasPrefix(base, "libomp.") || strings.HasPrefix(base, "libiomp5.") {
		c.ompLib = true
	}
	c.args = append(c.args, arg{kind: input, words: []string{name}, name: name, file: f})
}

var (
	sourceExtensions = []string{".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C"}
	headerExtensions = []string{".h", ".hh", ".H", ".hp", ".hxx", ".hpp", ".HPP", ".h++", ".tcc"}
)

func (f *inputFile) byName(ext string, cxx bool) {
	f.lang = omp.C
	if cxx {
		f.lang = omp.CPlusPlus
	}
	switch {
	case ext == ".c":
	case ext == ".i":
		f.pre = true
	case ext == ".ii":
		f.lang, f.pre = omp.CPlusPlus, true
	case slices.Contains(sourceExtensions, ext):
		f.lang = omp.CPlusPlus
	default:
		f.source = f.isFortranName()
		f.header = slices.Contains(headerExtensions, ext)
		f.asm = ext == ".S" || ext == ".sx"
	}
}

// decidePlain finds the reasons to run the compiler as it is.
func (c *command) decidePlain() {
	files := 0
	for i := range c.args {
		f := c.args[i].file
		if f == nil {
			continue
		}
		files++
		switch {
		case c.plain != "":
		case f.name == "-":
			c.plain = "the source comes from standard input"
		case f.header:
			c.plain = "a header is compiled"
		}
	}
	if files == 0 && c.plain == "" {
		c.plain = "no input"
	}
}

// sources are the files to instrument.
func (c *command) sources() []*inputFile {
	var s []*inputFile
	for i := range c.args {
		if f := c.args[i].file; f != nil && f.source {
			s = append(s, f)
		}
	}
	return s
}

// links reports whether the command ends in a link.
func (c *command) links() bool { return c.mode == "" }
