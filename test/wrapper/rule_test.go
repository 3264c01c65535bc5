package wrapper

import (
	"bytes"
	"compress/gzip"
	"debug/elf"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// These patterns are part of the rule by which an instrumented file equals the bare one. The rule
// lists all that instrumentation adds to a file or removes from it:
//
//   - A symbol added to an object is ours (ownSymbol), or one of the OpenMP runtime
//     (runtimeSymbol). The latter appear because a combined directive is split, and the barrier
//     at the end of a parallel region is made explicit.
//   - In C++ the compiler assumes that a call may throw. So the routine that ends a program when
//     an exception leaves a parallel region may appear (thrower).
//   - In Fortran the added subroutines have the text of the regions as local data, which the
//     compiler names (fortranData).
//   - What -fsanitize and --coverage add for our functions and accesses counts as ours.
//   - A removed symbol is one of the runtime.
//   - A program or shared library also has what the measurement library defines and refers to.
//     One linked with MPI has the same of the layer for MPI.
//   - A statically linked program has additional parts of the C library, as the measurement
//     library needs them; nothing is removed.
//   - Symbols that the compiler numbers are the same except for the number. Those that it makes
//     when it optimizes (clone) may come and go.
//   - Some files describe the compiled text: assembler text, notes for gcov, stack usage,
//     callgraphs, optimizer's dumps, and the preprocessed text of -save-temps. They must exist,
//     and be empty only if the bare one is.
//   - A Fortran module file may mark a procedure as one that calls another without an interface
//     (ARRAY_OUTER_DEPENDENCY).
//   - Two runs never give the same precompiled header, and temporary files that the compiler
//     itself leaves have a different name each time.
//   - All other files have the same bytes, among them dependencies, modules and the output of the
//     scripts.
var (
	ownSymbol = regexp.MustCompile(
		`^(POMP_|_?pomp|_ZL\d+pomp_|_GLOBAL_OFFSET_TABLE_$|__gcov[0-9]*_?\.pomp|__ubsan_)`)
	thrower       = regexp.MustCompile(`^(DW\.ref\.)?__gxx_personality_v0(@.*)?$`)
	fortranData   = regexp.MustCompile(`^[dr]:([ck]\.#|A\.#\.#)$|^U:memcpy$`)
	runtimeSymbol = regexp.MustCompile(`^(GOMP_|gomp_|omp_)`)
	number        = regexp.MustCompile(`\.\d+`)
	clone         = regexp.MustCompile(`\.(part|cold|isra|constprop|lto_priv|localalias)\b|^\.L|^\.gnu\.lto|^__gnu_lto|^_sub_[ID]_65535_`)
	textOfOurs    = regexp.MustCompile(`(\.(s|i|ii|su|ci|gcno|gcda|gcov|dwo|gkd|res|bc|ltrans\w*|opt|optimized|original|gimple|map)|\.\d+[tir]\.\w+)$`)
)

// A symbol is a line of nm: its type and name.
type symbol struct {
	kind byte
	name string
}

func isBinary(data []byte) bool {
	return bytes.HasPrefix(data, []byte("\x7fELF")) || bytes.HasPrefix(data, []byte("!<arch>\n"))
}

// symbols runs nm.
func symbols(t *testing.T, path string) []symbol {
	t.Helper()
	out, err := exec.Command("gcc-nm", path).Output()
	if err != nil {
		return nil // no object after all, such as debug information alone
	}
	var list []symbol
	for line := range strings.SplitSeq(string(out), "\n") {
		fields := strings.Fields(line)
		if len(fields) < 2 || len(fields[len(fields)-2]) != 1 {
			continue
		}
		list = append(list,
			symbol{fields[len(fields)-2][0], number.ReplaceAllString(fields[len(fields)-1], ".#")})
	}
	return list
}

// byRule returns how ours differs from bare by the rule; "" if it does not.
func byRule(name string, bare, ours leftover, lib map[string]bool) string {
	switch {
	case strings.HasSuffix(name, ".gch"):
		return ""
	case strings.HasSuffix(name, ".mod"):
		if !bytes.Equal(module(bare.data), module(ours.data)) {
			return "not the same module"
		}
		return ""
	case textOfOurs.MatchString(name):
		if len(bare.data) > 0 && len(ours.data) == 0 {
			return "it is empty"
		}
		return ""
	case isStatic(bare.data) && isStatic(ours.data):
		gone := minus(withoutKind(bare.list), withoutKind(ours.list))
		if len(gone) > 0 {
			return "symbols gone:" + names(gone)
		}
		return ""
	case bare.list == nil && ours.list == nil && isBinary(bare.data) && isBinary(ours.data):
		// Both are stripped.
		return ""
	case bare.list == nil && ours.list == nil:
		if bytes.Equal(bare.data, ours.data) {
			return ""
		}
		return "not the same text:\n" + unlike(string(bare.data), string(ours.data))
	}
	gone, added := minus(bare.list, ours.list), minus(ours.list, bare.list)
	gone = slices.DeleteFunc(gone, func(s symbol) bool {
		return runtimeSymbol.MatchString(s.name) ||
			clone.MatchString(s.name)
	})
	added = slices.DeleteFunc(added, func(s symbol) bool {
		bareName, _, _ := strings.Cut(s.name, "@")
		return thrower.MatchString(s.name) || fortranData.MatchString(string(s.kind)+":"+s.name) ||
			ownSymbol.MatchString(s.name) || runtimeSymbol.MatchString(s.name) ||
			clone.MatchString(s.name) || isLinked(ours.data) && lib[bareName]
	})
	if len(gone)+len(added) == 0 {
		return ""
	}
	return "symbols gone:" + names(gone) + ", added:" + names(added)
}

// module returns the text of a module file with uniform line ends and without the attribute that
// calls add.
func module(data []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return data
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return data
	}
	text = bytes.ReplaceAll(text, []byte(" ARRAY_OUTER_DEPENDENCY"), nil)
	return bytes.Join(bytes.Fields(text), []byte(" "))
}

// isLinked recognizes programs and shared libraries by the type in the ELF header.
func isLinked(data []byte) bool {
	return len(data) > 17 && data[0] == 0x7f && (data[16] == 2 || data[16] == 3)
}

// isStatic recognizes programs that need no dynamic loader.
func isStatic(data []byte) bool {
	if !isLinked(data) {
		return false
	}
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return false
	}
	needed, _ := f.ImportedLibraries()
	return len(needed) == 0
}

func withoutKind(list []symbol) []symbol {
	bare := make([]symbol, len(list))
	for i, s := range list {
		bare[i] = symbol{'*', s.name}
	}
	return bare
}

// minus returns the multiset a without b.
func minus(a, b []symbol) []symbol {
	n := map[symbol]int{}
	for _, s := range b {
		n[s]++
	}
	var rest []symbol
	for _, s := range a {
		if n[s] > 0 {
			n[s]--
			continue
		}
		rest = append(rest, s)
	}
	return rest
}

func names(list []symbol) string {
	var b strings.Builder
	for i, s := range list {
		if i == 12 {
			return b.String() + " ..."
		}
		b.WriteString(" " + string(s.kind) + ":" + s.name)
	}
	return b.String()
}

// calls reports whether the file has calls of ours.
func (l *leftover) calls() bool {
	return bytes.Contains(l.data, []byte("POMP_")) || bytes.Contains(l.data, []byte("pompx")) ||
		bytes.Contains(l.data, []byte("pomp_fortran"))
}

// librarySymbols returns the names of all symbols that the measurement library and the layer for
// MPI define, or use of the C library.
func librarySymbols(t *testing.T, opari string) map[string]bool {
	t.Helper()
	// These belong to pthread_atfork, which the C library has as an archive.
	lib := map[string]bool{"__pthread_atfork": true, "__register_atfork": true}
	source := filepath.Join(t.TempDir(), "mpi.c")
	if err := os.WriteFile(source, []byte("int main(void) { return 0; }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, argv := range [][]string{
		{"config", "--libs", "--static"},
		{"config", "--libs", "--fortran"}, // with what precedes the runtime
		{"cc", "--verbose", "mpicc", source, "-o", filepath.Join(t.TempDir(), "mpi")},
	} {
		out, err := exec.Command(opari, argv...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for w := range strings.FieldsSeq(string(out)) {
			if strings.HasSuffix(w, ".a") {
				for _, s := range symbols(t, w) {
					lib[s.name] = true
				}
			}
		}
	}
	if len(lib) < 100 {
		t.Fatalf("only %d symbols in the library", len(lib))
	}
	return lib
}
