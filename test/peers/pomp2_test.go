package peers

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"opari/internal/expensive"
	"opari/test/corpus"
)

// TestPOMP2 builds the programs by OPARI2's command lines and links them with the library that
// OPARI2 has for examples. It prints each event on standard error, and ends the program for a
// string that it cannot read or a handle that it has not assigned.
func TestPOMP2(t *testing.T) {
	expensive.Compilers(t, "nm")
	const library = "/usr/lib/libpomp.a"
	if _, err := os.Stat(library); err != nil {
		t.Skip("OPARI2's library is not there: make test installs libpomp2-dev")
	}
	prefix := t.TempDir()
	if o := corpus.Execute(".", nil, limit, opari, "pomp2", "--prefix="+prefix); !o.OK() {
		t.Fatal(o.Output)
	}
	for _, p := range programs(t) {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if p.name == "structured_blocks.c" {
				// Its atomic stands in an unnamed critical, and the library prints in one.
				p.opari = append(p.opari, "--disable=omp:atomic")
			}
			if why := p.plain(t); why != "" {
				t.Fatalf("plain: %s", why)
			}
			p.asOPARI2(t, prefix, library)
			if p.compiler() != "gfortran" {
				p.preprocessed(t, prefix, library)
			}
		})
	}
}

// asOPARI2 builds p as scripts for OPARI2 do, and compares the output.
func (p *program) asOPARI2(t *testing.T, prefix, library string) {
	dir := folder(t)
	options := slices.Clone(p.opari)
	for i, o := range options {
		options[i] = strings.Replace(o, "--form=free", "--free-form", 1)
	}
	opari2 := filepath.Join(prefix, "bin", "opari2")
	ext := strings.ReplaceAll(filepath.Ext(p.name), "f", "F")
	out := strings.TrimSuffix(p.name, filepath.Ext(p.name)) + ".mod" + ext
	o := corpus.Execute(dir, nil, limit, slices.Concat([]string{opari2}, options,
		[]string{"--omp-task-untied=keep", p.name, out})...)
	if !o.OK() {
		t.Fatalf("opari2: exit %d: %s", o.Code, o.Output)
	}
	p.linkAndRun(t, dir, prefix, library, out, len(p.source) > 0)
}

// preprocessed does the same as Score-P does it: the text is preprocessed first, with a marker. So
// opari2 sees what macros and headers hold, too. POMP2's headers, which Score-P adds, would come
// before the program's feature-test macros.
func (p *program) preprocessed(t *testing.T, prefix, library string) {
	dir := folder(t)
	ext, disable := filepath.Ext(p.name), ""
	for _, o := range p.opari {
		if strings.HasPrefix(o, "--disable=") {
			disable = o
		}
	}
	cc := strings.Join(slices.Concat([]string{p.compiler(), "-fopenmp"}, p.flags), " ")
	script := strings.NewReplacer("DISABLE", disable, "SOURCE", p.name, "EXT", ext,
		"PREFIX", prefix, "CC", cc).Replace(`
		{ echo '___POMP2_INCLUDE___'; echo '#line 1 "SOURCE"'; cat SOURCE; } > inputEXT
		CC -I. -E inputEXT -o prepEXT
		PREFIX/bin/opari2 --omp-task-untied=keep --preprocessed DISABLE prepEXT opariEXT`)
	if o := corpus.Execute(dir, nil, limit, "sh", "-ec", script); !o.OK() {
		t.Fatalf("exit %d: %s", o.Code, o.Output)
	}
	p.linkAndRun(t, dir, prefix, library, "opari"+ext, true)
	wanted := 0
	for _, w := range p.wanted {
		if !strings.HasSuffix(w, " skipped") && !strings.HasPrefix(w, "omp_") && w != "section" {
			wanted++
		}
	}
	symbols := corpus.Execute(dir, nil, limit, "nm", "o.o").Output
	made := 0
	if m := unitSymbol.FindStringSubmatch(symbols); m != nil {
		made, _ = strconv.Atoi(m[1])
	}
	if made != wanted && disable == "" {
		t.Errorf("preprocessed: %d constructs, not %d", made, wanted)
	}
}

var unitSymbol = regexp.MustCompile(`POMP2_Init_reg_\w+_(\d+)`)

// linkAndRun compiles the text out, links it as scripts for OPARI2 do, and compares the output.
// heard says that the library must hear something.
func (p *program) linkAndRun(t *testing.T, dir, prefix, library, out string, heard bool) {
	opari2 := filepath.Join(prefix, "bin", "opari2")
	compiler := slices.Concat([]string{p.compiler(), "-fopenmp"}, p.flags)
	script := strings.Join([]string{
		"set -e", strings.Join(compiler, " ") + " -c " + out + " -o o.o",
		"$(" + opari2 + "-config --nm) o.o | $(" + opari2 +
			"-config --region-initialization) > init.c",
		"gcc -c init.c $(" + opari2 + "-config --cflags)",
		strings.Join(compiler, " ") + " o.o init.o -o program " + library,
	}, "\n")
	// As with OPARI2, compilers name files by their whole path.
	if o := corpus.Execute(dir, nil, limit, "sh", "-c", script); !o.OK() ||
		strings.ReplaceAll(o.Output, dir+"/", "") != p.messages {
		t.Fatalf("exit %d: %s", o.Code, o.Output)
	}
	o := corpus.Execute(dir, []string{"OMP_NUM_THREADS=4", "OMP_DYNAMIC=false"}, limit, "sh", "-c",
		"./program 2>events")
	events, err := os.ReadFile(filepath.Join(dir, "events"))
	if !o.OK() || o.Output != p.output || err != nil {
		t.Errorf("exit %d:\n%.2000s\nplain:\n%s\n%.1000s", o.Code, o.Output, p.output, events)
	}
	if n := strings.Count(string(events), "\n"); n < 3 && heard {
		t.Errorf("the library heard only this:\n%s", events)
	}
}
