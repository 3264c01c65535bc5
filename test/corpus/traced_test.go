package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/run"
	"opari/internal/omp"
	"opari/internal/recording"
	"opari/internal/report/profile"
	"opari/otf"
)

// TestTraced runs every sixth program, or all with OPARI_ALL, with trace and profile. The
// programs must behave as without, the traces must be valid, and both must have the same number
// of instances of each region.
func TestTraced(t *testing.T) { traced(t, suiteC, some(suiteC.runnable(t), 6)) }

// TestTracedFortran does the same in Fortran.
func TestTracedFortran(t *testing.T) { traced(t, suiteFortran, some(suiteFortran.runnable(t), 6)) }

func traced(t *testing.T, s *suite, programs []Program) {
	t.Helper()
	w := Wrapper(opariBinary, s.compiler, os.DevNull)
	compared, paths := make([]int, len(programs)), make([]int, len(programs))
	each(t, len(programs), func(i int, dir string) {
		local := *w
		folder := filepath.Join(dir, "recorded")
		local.Env = []string{
			"OPARI_TRACE=" + folder,
			"OPARI_PROFILE=" + filepath.Join(dir, "profile"), "OMP_WAIT_POLICY=passive",
		}
		r := tryAgain(&local, &programs[i], dir, local.Try(&programs[i], dir))
		if r.Class != Pass {
			t.Errorf("%s: %s with a trace: %s", programs[i].ID, r.Class, r.Why)
		}
		if _, err := os.Stat(folder); os.IsNotExist(err) {
			return // it ends before it is measured
		}
		made, running, err := recording.ConvertAll(folder, folder, nil)
		if err != nil || len(running) > 0 {
			t.Errorf("%s: running %v: %v", programs[i].ID, running, err)
		}
		for _, tr := range made {
			err := otf.Check(tr.Path, otf.NewFileManager(50), func(p otf.Problem) {
				t.Errorf("%s: %s:%d: %s", programs[i].ID, filepath.Base(p.Path), p.Line, p.What)
			}, nil)
			if err != nil {
				t.Errorf("%s: %v", programs[i].ID, err)
			}
			if tr.Lost > 0 {
				t.Errorf("%s: %d records lost: %v", programs[i].ID, tr.Lost, tr.Failure)
			}
			p := profileOf(t, &programs[i], filepath.Join(dir, fmt.Sprintf("profile.%d", tr.PID)))
			compared[i] += compareWithProfile(t, &programs[i], tr, p)
			paths[i] += comparePaths(t, &programs[i], tr, p)
		}
		_ = os.RemoveAll(folder)
	})
	all, ways := 0, 0
	for i := range programs {
		all += compared[i]
		ways += paths[i]
	}
	t.Logf("%d programs, %d regions and %d call paths as in the profile", len(programs), all, ways)
	if os.Getenv("OPARI_ONLY") == "" && (all < len(programs) || ways < len(programs)) {
		t.Errorf("only %d regions and %d paths are compared", all, ways)
	}
}

// asCounted are the kinds of region whose instances equal a function's calls. For the other kinds
// the profile also counts instances that other threads forked.
var asCounted = []omp.Kind{
	omp.KindFor, omp.KindSections, omp.KindSection, omp.KindSingle, omp.KindMaster,
	omp.KindMasked, omp.KindCritical, omp.KindOrdered, omp.KindTask, omp.KindTaskwait,
	omp.KindTaskgroup, omp.KindBarrier, omp.KindRegion, omp.KindAtomic, omp.KindWorkshare,
	omp.KindScope, omp.KindTaskloop,
}

// profileOf reads a profile. A program that a signal ends leaves none.
func profileOf(t *testing.T, program *Program, name string) *profile.Profile {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	p, err := profile.Read(name, f)
	if err != nil {
		t.Errorf("%s: %v", program.ID, err)
		return nil
	}
	return p
}

// compareWithProfile compares a trace with a profile and returns how many regions it has
// compared.
func compareWithProfile(t *testing.T, program *Program, tr *recording.Trace,
	p *profile.Profile,
) int {
	t.Helper()
	if p == nil {
		return 0
	}
	calls, err := functionCalls(tr.Path)
	if err != nil {
		t.Errorf("%s: %v", program.ID, err)
		return 0
	}
	want, waits := map[string]int64{}, map[string]bool{}
	for _, r := range p.Regions {
		if !slices.Contains(asCounted, r.Kind) {
			continue
		}
		name := r.Name
		if r.SubName != "" {
			name += "(" + r.SubName + ")"
		}
		// A wait that a thread leaves by a cancel, or never, is a call in the trace but no
		// instance in the profile.
		waits[fmt.Sprintf("%s %s:%d", name, filepath.Base(r.File), r.Begin[0])] = r.Kind ==
			omp.KindBarrier || r.Kind == omp.KindTaskwait
		for _, s := range r.Samples {
			want[fmt.Sprintf("%s %s:%d", name, filepath.Base(r.File), r.Begin[0])] += s.Count
		}
	}
	for name, n := range want {
		if calls[name] != n && !(waits[name] && calls[name] > n) {
			t.Errorf("%s: %s: %d calls in the trace, %d in the profile", program.ID, name,
				calls[name], n)
		}
	}
	return len(want)
}

// comparePaths analyses the trace. Its times must add up, and it must have as many visits of each
// call path as the profile.
func comparePaths(t *testing.T, program *Program, tr *recording.Trace, p *profile.Profile) int {
	t.Helper()
	r, err := run.FromTrace(tr.Path, run.Options{})
	if err != nil {
		t.Errorf("%s: %v", program.ID, err)
		return 0
	}
	if got := r.Sum(analysis.Time, -1); got != r.Total() {
		t.Errorf("%s: the severities are %d ns together, %d threads of %d ns are %d", program.ID,
			got, len(r.Threads), r.Wall, r.Total())
	}
	if p == nil {
		return 0
	}
	calls, want := pathVisits(r), pathVisits(p.Result())
	for path, n := range want {
		if calls[path] != n {
			t.Errorf("%s: %s: %d visits in the trace, %d in the profile", program.ID, path,
				calls[path], n)
		}
	}
	return len(want)
}

// onceEach are the kinds of region with equal numbers of instances in trace and profile, whatever
// cancels or ends the program.
var onceEach = []omp.Kind{
	omp.KindFor, omp.KindSections, omp.KindSection, omp.KindSingle, omp.KindMaster,
	omp.KindMasked, omp.KindCritical, omp.KindOrdered, omp.KindTask, omp.KindRegion,
	omp.KindWorkshare, omp.KindScope,
}

// pathVisits counts the visits of paths by their names.
func pathVisits(r *analysis.Result) map[string]int64 {
	names, visits := map[*analysis.Path]string{}, map[string]int64{}
	for _, q := range r.Paths[1:] {
		names[q] = names[q.Parent] + " > " + q.Region.String()
		if slices.Contains(onceEach, q.Kind) {
			for _, v := range q.Visits {
				visits[names[q]] += v.Count
			}
		}
	}
	return visits
}

// functionCalls counts the calls of each function of a trace.
func functionCalls(path string) (map[string]int64, error) {
	r, err := otf.OpenReader(path, otf.NewFileManager(50))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	names, calls := map[uint32]string{}, map[string]int64{}
	if _, err := r.ReadDefinitions(
		&otf.HandlerArray{DefFunction: func(_, function uint32, name string, _, _ uint32) error {
			names[function] = strings.TrimSpace(name)
			return nil
		}}); err != nil {
		return nil, err
	}
	_, err = r.ReadEvents(&otf.HandlerArray{Enter: func(_ uint64, function, _, _ uint32) error {
		calls[names[function]]++
		return nil
	}})
	return calls, err
}
