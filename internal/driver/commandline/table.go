package commandline

// A form says where an option has its value.
type form uint8

const (
	alone  form = iota // no value
	next               // in the next word
	joined             // after the name, in the same word
	either             // joined if there is text, otherwise next
)

// Kind says which step of a compilation gets an argument.
type Kind uint8

// The kinds of arguments.
const (
	Other        Kind = iota // every step
	Input                    // a file
	Output                   // -o
	Language                 // -x
	Preprocessor             // only the preprocessor
	Dependencies             // -MD and the like
	Mode                     // -c, -S
	Link                     // only the linker
	LastStep                 // only the last step: -v, -save-temps
	Query                    // none: the compiler compiles nothing to instrument
)

// An option is a row of the table of compiler options.
type option struct {
	name      string
	form      form
	kind      Kind
	effect    effect // how it changes the command
	long      string // GCC's long name, with two dashes
	longAlias string // another long name
}

// options is the table of all options that the wrapper knows, by kind. Other options have no
// value in the next word and go to every step.
var options = []option{
	{name: "-o", form: either, kind: Output, effect: namesOutput, long: "--output"},
	{name: "-x", form: either, kind: Language, long: "--language"},
	{name: "-c", kind: Mode, effect: setsMode, long: "--compile"},
	{name: "-S", kind: Mode, effect: setsMode, long: "--assemble"},

	{name: "-I", form: either, kind: Preprocessor, long: "--include-directory"},
	{name: "-D", form: either, kind: Preprocessor, long: "--define-macro"},
	{name: "-U", form: either, kind: Preprocessor, long: "--undefine-macro"},
	{name: "-A", form: either, kind: Preprocessor, long: "--assert"},
	{name: "-F", form: either, kind: Preprocessor},
	{name: "-include", form: either, kind: Preprocessor, long: "--include"},
	{name: "-imacros", form: either, kind: Preprocessor, long: "--imacros"},
	{name: "-idirafter", form: either, kind: Preprocessor, long: "--include-directory-after"},
	{name: "-iprefix", form: either, kind: Preprocessor, long: "--include-prefix"},
	{
		name: "-iwithprefix", form: either, kind: Preprocessor, long: "--include-with-prefix",
		longAlias: "--include-with-prefix-after",
	},
	{
		name: "-iwithprefixbefore", form: either, kind: Preprocessor,
		long: "--include-with-prefix-before",
	},
	{name: "-isystem", form: either, kind: Preprocessor},
	{name: "-iquote", form: either, kind: Preprocessor},
	{name: "-imultilib", form: next, kind: Preprocessor},
	{name: "-imultiarch", form: next, kind: Preprocessor},
	{name: "-ivfsoverlay", form: next, kind: Preprocessor},
	{name: "-include-pch", form: next, kind: Preprocessor},
	{name: "-iframework", form: next, kind: Preprocessor},
	{name: "-cxx-isystem", form: next, kind: Preprocessor},
	{name: "-Xpreprocessor", form: next, kind: Preprocessor, effect: passesToPreprocessor},
	{name: "-Wp,", form: joined, kind: Preprocessor, effect: mayNameDependencies},
	{name: "-finput-charset=", form: joined, kind: Preprocessor},
	{name: "-I-", kind: Preprocessor, long: "--include-barrier"},
	{name: "-H", kind: Preprocessor, long: "--trace-includes"},
	{name: "-C", kind: Preprocessor, long: "--comments"},
	{name: "-CC", kind: Preprocessor, long: "--comments-in-macros"},
	{name: "-P", kind: Preprocessor, effect: spoilsPreprocessing, long: "--no-line-commands"},
	{name: "-fdirectives-only", kind: Preprocessor, effect: spoilsPreprocessing},
	{name: "-nostdinc", kind: Preprocessor, long: "--no-standard-includes"},
	{name: "-nostdinc++", kind: Preprocessor},
	{name: "-nostdlibinc", kind: Preprocessor},
	{name: "-undef", kind: Preprocessor},
	{name: "-trigraphs", kind: Preprocessor, long: "--trigraphs"},
	{name: "-remap", kind: Preprocessor},
	{name: "-traditional-cpp", kind: Preprocessor, long: "--traditional-cpp"},
	{name: "-fpch-preprocess", kind: Preprocessor},
	{name: "-fworking-directory", kind: Preprocessor},
	{name: "-fno-working-directory", kind: Preprocessor},

	{name: "-MD", kind: Dependencies, effect: wantsDependencies, long: "--write-dependencies"},
	{
		name: "-MMD", kind: Dependencies, effect: wantsDependencies,
		long: "--write-user-dependencies",
	},
	{name: "-MF", form: either, kind: Dependencies, effect: namesDependencies},
	{name: "-MT", form: either, kind: Dependencies, effect: namesTarget},
	{name: "-MQ", form: either, kind: Dependencies, effect: namesTarget},
	{name: "-MP", kind: Dependencies},
	{name: "-MG", kind: Dependencies},

	{name: "-L", form: either, kind: Link, long: "--library-directory"},
	{name: "-l", form: either, kind: Link, effect: namesLibrary},
	{name: "-T", form: either, kind: Link},
	{name: "-Tbss", form: next, kind: Link},
	{name: "-Tdata", form: next, kind: Link},
	{name: "-Ttext", form: next, kind: Link},
	{name: "-u", form: either, kind: Link, long: "--force-link"},
	{name: "-z", form: either, kind: Link},
	{name: "-R", form: either, kind: Link},
	{name: "-e", form: next, kind: Link, long: "--entry"},
	{name: "-h", form: next, kind: Link},
	{name: "-Xlinker", form: next, kind: Link, long: "--for-linker"},
	{name: "-framework", form: next, kind: Link},
	{name: "-install_name", form: next, kind: Link},
	{name: "-Wl,", form: joined, kind: Link},
	{name: "-fuse-ld=", form: joined, kind: Link},
	{name: "-shared", kind: Link, effect: linksShared, long: "--shared"},
	{name: "-shared-libgcc", kind: Link},
	{name: "-static", kind: Link, effect: linksStatic, long: "--static"},
	{name: "-static-pie", kind: Link, effect: linksStatic, long: "--static-pie"},
	{name: "-static-lib", form: joined, kind: Link},
	{name: "-r", kind: Link, effect: linksPartly},
	{name: "-s", kind: Link},
	{name: "-rdynamic", kind: Link},
	{name: "-pie", kind: Link, long: "--pie"},
	{name: "-no-pie", kind: Link},
	{name: "-nostdlib", kind: Link, effect: linksNoLibraries, long: "--no-standard-libraries"},
	{name: "-nodefaultlibs", kind: Link, effect: linksNoLibraries},
	{name: "-nostdlib++", kind: Link},
	{name: "-nostartfiles", kind: Link},
	{name: "-nolibc", kind: Link},
	{name: "-symbolic", kind: Link, long: "--symbolic"},
	{name: "-export-dynamic", kind: Link},

	{name: "-v", kind: LastStep, effect: describesCommand, long: "--verbose"},
	{name: "-ftime-report", form: joined, kind: LastStep, effect: describesCommand},
	{name: "-save-temps", kind: LastStep, effect: savesTemps, long: "--save-temps"},
	{name: "-save-temps=", form: joined, kind: LastStep, effect: savesTemps, long: "--save-temps"},
	{name: "-dumpbase", form: next, kind: LastStep, long: "--dumpbase"},
	{name: "-dumpbase-ext", form: next, kind: LastStep},
	{name: "-dumpdir", form: next, kind: LastStep, long: "--dumpdir"},
	{name: "-aux-info", form: next, kind: LastStep},
	{name: "-wrapper", form: next, kind: LastStep},
	{name: "-MJ", form: next, kind: LastStep},
	{name: "-fdump-", form: joined, kind: LastStep},
	{name: "-fdeps-", form: joined, kind: LastStep},

	{name: "-###", kind: Query},
	{name: "-E", kind: Query, long: "--preprocess"},
	{name: "-M", kind: Query, long: "--dependencies"},
	{name: "-MM", kind: Query, long: "--user-dependencies"},
	{name: "-fsyntax-only", kind: Query},
	{name: "-cc1", kind: Query},
	{name: "-cc1as", kind: Query},
	{name: "-cc1gen-reproducer", kind: Query},
	{name: "--version", kind: Query},
	{name: "--help", kind: Query},
	{name: "--help=", form: joined, kind: Query},
	{name: "--target-help", kind: Query},
	{name: "-dump", form: joined, kind: Query},
	{name: "--dump", form: joined, kind: Query},
	{name: "-print-", form: joined, kind: Query},
	{name: "--print-", form: joined, kind: Query},
	{name: "-fdump-ada-spec", form: joined, kind: Query},
	{name: "-showme", form: joined, kind: Query}, // MPI compilers' options, from here
	{name: "--showme", form: joined, kind: Query},
	{name: "-show", kind: Query},
	{name: "-compile_info", kind: Query},
	{name: "-link_info", kind: Query},

	{name: "-B", form: either},
	{name: "-G", form: next},
	{name: "-isysroot", form: either},
	{name: "--sysroot", form: next},
	{name: "-working-directory", form: next},
	{name: "-gcc-toolchain", form: next},
	{name: "-specs", form: next},
	{name: "--param", form: next},
	{name: "-Xassembler", form: next, long: "--for-assembler"},
	{name: "-Xclang", form: next},
	{name: "-Xopenmp-target", form: next},
	{name: "-mllvm", form: next},
	{name: "-target", form: next},
	{name: "-arch", form: next},
	{name: "--target=", form: joined, effect: choosesMachine},
	{name: "-m32", effect: choosesMachine},
	{name: "-m64", effect: choosesMachine},
	{name: "-mx32", effect: choosesMachine},
	{name: "-mabi=", form: joined, effect: choosesMachine},

	{name: "-fopenmp", effect: startsOpenMP},
	{name: "-fopenmp=", form: joined, effect: startsOpenMP},
	{name: "-qopenmp", effect: startsOpenMP},
	{name: "-fiopenmp", effect: startsOpenMP},
	{name: "-mp", effect: startsOpenMP},
	{name: "-mp=", form: joined, effect: startsOpenMP},
	{name: "-fno-openmp", effect: stopsOpenMP},
	{name: "-qno-openmp", effect: stopsOpenMP},

	{name: "-std=", form: joined, effect: choosesStandard, long: "--std"},
	{name: "-ansi", effect: choosesStandard, long: "--ansi"},
	{name: "-O", form: joined, effect: choosesOptimization, long: "--optimize"},
	{name: "-g", form: joined, long: "--debug"},
	{name: "-d", form: joined, effect: choosesDump, long: "--dump"},
	{name: "-p", long: "--profile"},
	{name: "-pipe", long: "--pipe"},
	{name: "-fsanitize=", form: joined, effect: sanitizes},
	{name: "-flto", form: joined, effect: optimizesInLink},

	{name: "-W", effect: readsComments},
	{name: "-Wextra", effect: readsComments, long: "--extra-warnings"},
	{name: "-Wimplicit-fallthrough", effect: readsComments},
	{name: "-Wimplicit-fallthrough=", form: joined, effect: readsComments},
	{name: "-pedantic", effect: warnsOfExtensions, long: "--pedantic"},
	{name: "-pedantic-errors", effect: warnsOfExtensions, long: "--pedantic-errors"},
	{name: "-Wpedantic", effect: warnsOfExtensions},
	{name: "-w", effect: warnsOfNothing, long: "--no-warnings"},
	{name: "-Wall", effect: warnsOfAll, long: "--all-warnings"},
	{name: "-Wno-all", effect: warnsOfAll},
	{name: "-Wmisleading-indentation", effect: warnsOfIndentation},
	{name: "-Wno-misleading-indentation", effect: warnsOfIndentation},
	{name: "-Werror", effect: makesErrors},
	{name: "-Werror=", form: joined, effect: makesErrors},
	{name: "-fdiagnostics-color", form: joined, effect: choosesColor},
	{name: "-fno-diagnostics-color", effect: choosesColor},
	{name: "-fcolor-diagnostics", effect: choosesColor},
	{name: "-fno-color-diagnostics", effect: choosesColor},
	{name: "-fopt-info", form: joined, effect: mayNameReport},

	{name: "-fprofile-use", form: joined, effect: readsByOutputName},
	{name: "-fbranch-prob", form: joined, effect: readsByOutputName},
	{name: "-fprofile-", form: joined, effect: writesMore},
	{name: "-ftest-coverage", effect: writesMore},
	{name: "-coverage", effect: writesMore, long: "--coverage"},
	{name: "-gsplit-dwarf", form: joined, effect: writesMore},
	{name: "-fstack-usage", effect: writesMore},
	{name: "-fcallgraph-info", form: joined, effect: writesMore},
	{name: "-fsave-optimization-record", form: joined, effect: writesMore},

	// Fortran compilers' options, from here
	{name: "-J", form: either, effect: namesModuleFolder},
	{name: "-cpp", effect: choosesPreprocessing},
	{name: "-nocpp", effect: choosesPreprocessing},
	{name: "-fpreprocessed", effect: choosesPreprocessing},
	{name: "-ffree-form", effect: choosesForm},
	{name: "-ffixed-form", effect: choosesForm},
	{name: "-ffree-line-length-", form: joined, effect: choosesLineLength},
	{name: "-ffixed-line-length-", form: joined, effect: choosesLineLength},
	{name: "-ffixed-line-length=", form: joined, effect: choosesLineLength},
	{name: "-fd-lines-as-code", effect: readsDebugLines},
	{name: "-fd-lines-as-comments", effect: readsDebugLines},
	{name: "-funderscoring", effect: choosesUnderscore},
	{name: "-fno-underscoring", effect: choosesUnderscore},
}
