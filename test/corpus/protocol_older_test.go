package corpus

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// olderShare is the number of programs of which one runs under the checkers of the older
// generations. With OPARI_ALL all run.
const olderShare = 4

// TestProtocolOlder runs programs under tools that check the protocol of OMPT's older
// generations, the report of 2016 and the paper of 2013. TestProtocol does the same for 5.x. Each
// program is built once for both.
func TestProtocolOlder(t *testing.T) { keepsOlder(t, suiteC, some(suiteC.runnable(t), olderShare)) }

func TestCxxProtocolOlder(t *testing.T) {
	// TestProtocolOlder runs the programs that C has, too.
	programs := slices.DeleteFunc(suiteCxx.runnable(t),
		func(p Program) bool { return p.Lang != "" })
	// The suite is already a sample.
	keepsOlder(t, suiteCxx, some(programs, 2))
}

func TestFortranProtocolOlder(t *testing.T) {
	keepsOlder(t, suiteFortran, some(suiteFortran.runnable(t), olderShare))
}

func keepsOlder(t *testing.T, s *suite, programs []Program) {
	t.Helper()
	generations := []string{"2016", "2013"}
	tools := map[string]string{}
	all := map[string]*verdicts{}
	for _, g := range generations {
		tools[g] = olderChecker(t, g)
		all[g] = &verdicts{verdicts: make([]verdict, len(programs))}
	}
	w := Wrapper(opariBinary, s.compiler, os.DevNull)
	each(t, len(programs), func(i int, dir string) {
		p := &programs[i]
		for n, g := range generations {
			file := filepath.Join(dir, "violations"+g)
			local := *w
			local.Env = slices.Concat(w.Env, []string{
				"OPARI_OMPT_CHECK=" + file,
				"OMP_WAIT_POLICY=passive", "OMP_TOOL_LIBRARIES=" + tools[g],
			})
			v := verdict{id: p.ID, counts: map[string]int{}}
			if n == 0 {
				v.result = local.Try(p, dir)
			} else {
				v.result = local.Run(p, dir)
			}
			v.result = tryAgain(&local, p, dir, v.result)
			if text, err := os.ReadFile(file); err == nil {
				v.read(string(text))
			}
			v.forgive(p)
			v.excuseLate(p)
			all[g].verdicts[i] = v
			if !ran(v.result.Class) && v.result.Class != Pass {
				return // there is nothing to run
			}
		}
	})
	for _, g := range generations {
		all[g].count()
		all[g].report(t, w.Name+", "+s.compiler+", "+g)
		all[g].complain(t)
		events := 0
		for _, v := range all[g].verdicts {
			events += v.events
			if v.started && !v.ended && v.result.Class == Pass {
				t.Logf("%s: %s: no last line", g, v.id)
			}
		}
		if (events == 0 || all[g].started < len(programs)/2) && os.Getenv("OPARI_ONLY") == "" {
			t.Errorf("%s: %d of %d programs started the checker, with %d events", g, all[g].started,
				len(programs), events)
		}
	}
}

// olderChecker builds the checker of a generation.
func olderChecker(t *testing.T, generation string) string {
	t.Helper()
	tool := filepath.Join(t.TempDir(), "check"+generation+".so")
	if o := Execute(".", nil, buildLimit, "gcc", "-std=c11", "-O1", "-g", "-Wall", "-Wextra",
		"-Wshadow", "-Wconversion", "-Werror", "-fPIC", "-shared", "-pthread",
		"-I../../ompt_bridge/src", "testdata/older/check"+generation+".c", "-o", tool); !o.OK() {
		t.Fatal(o.Output)
	}
	return tool
}

// Workers get the event of their last barrier late (lastBarrierLate) if the barrier cannot be
// made explicit. Either GCC does something of its own after it (reduction), or the region shares
// one directive with its content (distribute parallel, unsplit ones of Fortran). Threads that a
// cancel sends there get it late, too.
//
// If exit() ends the program within a region (exits), no thread reaches that barrier.
var (
	lastBarrierLate = regexp.MustCompile(
		`(?i)\breduction *\(|\bcancel +parallel|\bdistribute +parallel|\bparallel +(do|sections)\b.*\b(lastprivate|linear|default)\b`)
	exits    = regexp.MustCompile(`\bexit *\(`)
	included = regexp.MustCompile(`(?mi)^ *#? *include ["\']([^"\']+)["\']`)
)

// excuseLate removes violations about late events that the text explains.
func (v *verdict) excuseLate(p *Program) {
	text := fullText(p.Path)
	excused := func(rule string) bool {
		return rule == "late" && (lastBarrierLate.MatchString(text) || exits.MatchString(text)) ||
			rule == "last_barrier" && exits.MatchString(text)
	}
	v.violations = slices.DeleteFunc(v.violations, func(line string) bool {
		rule, _, _ := strings.Cut(line, ":")
		return excused(rule)
	})
}

// fullText returns the text of a file, with the files that it includes from its folder.
func fullText(path string) string {
	data, _ := os.ReadFile(path)
	text := string(data)
	for _, m := range included.FindAllStringSubmatch(text, -1) {
		text += fullText(filepath.Join(filepath.Dir(path), m[1]))
	}
	return text
}
