package omp

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"
)

func TestDirectiveRows(t *testing.T) {
	seen := map[string]bool{}
	for i := range Directives {
		d := &Directives[i]
		for _, n := range append([]string{d.Name}, d.Synonyms...) {
			if seen[n] || n != strings.Join(strings.Fields(n), " ") || n != strings.ToLower(n) {
				t.Errorf("%q: a name that is there twice or is not written as words", n)
			}
			seen[n] = true
		}
		if d.ID != i || d.Langs == 0 || d.Langs&^All != 0 {
			t.Errorf("%s: ID %d, languages %b", d.Name, d.ID, d.Langs)
		}
		checkVersions(t, d.Name, d.Since, d.Until)
		clauses := slices.Collect(d.Clauses.All())
		if !slices.IsSorted(clauses) || len(slices.Compact(slices.Clone(clauses))) != len(clauses) {
			t.Errorf("%s: clauses not sorted or not distinct: %q", d.Name, d.Clauses)
		}
		for _, n := range clauses {
			if c := ClauseNamed(C, n); c == nil || c.Name != n || !d.Takes(c) {
				t.Errorf("%s: clause %q has no row, or is not taken", d.Name, n)
			}
		}
		for n := range d.StandAloneWith.All() {
			if d.Assoc == None || !d.Clauses.Has(n) {
				t.Errorf("%s cannot stand alone with %q", d.Name, n)
			}
		}
		if d.Fortran != "" && d.Langs != All {
			t.Errorf("%s: a Fortran spelling of a directive that is not in all languages", d.Name)
		}
	}
}

func checkVersions(t *testing.T, name string, since, until Version) {
	t.Helper()
	known := []Version{10, 20, 25, 30, 31, 40, 45, 50, 51, 52, 60}
	if !slices.Contains(known, since) ||
		until != 0 && (until <= since || !slices.Contains(known, until)) {
		t.Errorf("%s: since %d until %d", name, since, until)
	}
}

// TestRulesFitAssociations requires that a rule fits the association of its directive, and that
// events, kinds and rules belong together.
func TestRulesFitAssociations(t *testing.T) {
	kinds := map[Kind]string{}
	for i := range Directives {
		d := &Directives[i]
		if (d.Event == "") != (d.Kind == KindNone) {
			t.Errorf("%s: event %q and kind %v", d.Name, d.Event, d.Kind)
		}
		if d.Event == "" != (d.Rule == Keep) && d.Name != "distribute" {
			t.Errorf("%s: event %q with rule %d", d.Name, d.Event, d.Rule)
		}
		if d.Event != "" && d.Event != eventSpelling(d.Name) {
			t.Errorf("%s: event %q", d.Name, d.Event)
		}
		if d.Kind != KindNone {
			if kinds[d.Kind] != "" {
				t.Errorf("%s and %s have the same kind", d.Name, kinds[d.Kind])
			}
			kinds[d.Kind] = d.Name
			if d.Kind.String() != d.Name || OfKind(d.Kind) != d {
				t.Errorf("%s: kind %v", d.Name, d.Kind)
			}
		}
		var ok bool
		switch d.Rule {
		case Keep:
			ok = true
		case Point:
			ok = d.Assoc == None
		case HostOnly:
			ok = d.Assoc == None || d.Assoc == Block
		case Enclose:
			ok = d.Assoc == Block || d.Assoc == Loop
		case Body:
			ok = d.Assoc == Block || d.Assoc == Separating
		case Fork, EncloseBody, Task:
			ok = d.Assoc == Block
		}
		if !ok {
			t.Errorf("%s: rule %d with association %d", d.Name, d.Rule, d.Assoc)
		}
		if d.Rule != Keep && d.Category != Executable && d.Category != Subsidiary {
			t.Errorf("%s is instrumented and not executable", d.Name)
		}
		if d.Barrier && d.Assoc == None || d.Barrier && d.Rule == Keep {
			t.Errorf("%s: an implied barrier at its end", d.Name)
		}
		if d.Barrier && d.Rule != Fork && !d.Takes(ClauseNowait) {
			t.Errorf("%s: its barrier cannot be made explicit without nowait", d.Name)
		}
		if (d.End != EndNone) != (d.Assoc == Block || d.Assoc == Loop) {
			t.Errorf("%s: end directive %d with association %d", d.Name, d.End, d.Assoc)
		}
	}
	for _, k := range Kinds() {
		if kinds[k] == "" && otherKinds[k] == "" {
			t.Errorf("kind %d belongs to no directive", k)
		}
	}
}

// A kind that nobody has named is refused in a sentence, wherever its number comes from.
func TestKindWithoutName(t *testing.T) {
	highest := Kinds()[len(Kinds())-1]
	for _, c := range []struct {
		row  Directive
		want string
	}{
		{
			Directive{Name: "frob", Kind: highest + 2},
			fmt.Sprintf("omp: kind %d has no name: ", highest+1),
		},
		{Directive{Name: "frob", Kind: KindLock}, `omp: kind 2 is both "lock" and "frob": `},
		{Directive{Name: "frob", Kind: KindFor}, `omp: kind 5 is both "for" and "frob": `},
		{
			Directive{Name: "", Kind: highest + 1},
			fmt.Sprintf("omp: kind %d has no name: ", highest+1),
		},
	} {
		names, err := nameKinds(append(slices.Clone(Directives), c.row), otherKinds)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q with kind %d: %v, %v, want %s", c.row.Name, c.row.Kind, names, err, c.want)
		}
	}
	next := Directive{Name: "frob", Kind: highest + 1}
	names, err := nameKinds(append(slices.Clone(Directives), next), otherKinds)
	if err != nil || names[highest+1] != "frob" {
		t.Errorf("the next kind: %v, %v", names, err)
	}
	beyond := highest + 1
	if want := fmt.Sprintf("kind %d, which has no name", beyond); beyond.String() != want {
		t.Errorf("a kind that is not in the table: %v, want %s", beyond, want)
	}
	if beyond.EndsTogether() || OfKind(beyond) != nil {
		t.Errorf("%v has properties", beyond)
	}
}

func TestThreadName(t *testing.T) {
	for _, typ := range []ThreadType{
		ThreadInitial, ThreadWorker, ThreadOther, ThreadForked,
		ThreadUnrecorded,
	} {
		if rest, got := SplitThreadName("rank 3 " + ThreadName(12, typ)); rest !=
			"rank 3 thread 12" || got != typ {
			t.Errorf("%s: %q, %v", typ, rest, got)
		}
	}
	for _, name := range []string{"", "worker", "(worker) 7", "thread 1 (master)"} {
		if rest, got := SplitThreadName(name); rest != name || got != ThreadUnknown {
			t.Errorf("%q: %q, %v", name, rest, got)
		}
	}
}

func TestClauseRows(t *testing.T) {
	if !slices.IsSortedFunc(Clauses,
		func(a, b Clause) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the clauses are not sorted by name")
	}
	for i := range Clauses {
		c := &Clauses[i]
		checkVersions(t, c.Name, c.Since, c.Until)
		if c.ID != i || ClauseNamed(C, c.Name) != c {
			t.Errorf("%s: not found by its name", c.Name)
		}
		if !slices.ContainsFunc(Directives, func(d Directive) bool { return d.Takes(c) }) {
			t.Errorf("%s: no directive takes it", c.Name)
		}
		if !slices.IsSorted(slices.Collect(c.Modifiers.All())) {
			t.Errorf("%s: modifiers not sorted: %q", c.Name, c.Modifiers)
		}
		if (c.Arg == NoArg) && (c.Colon != ColonWords || c.Modifiers != "") {
			t.Errorf("%s: modifiers without an argument", c.Name)
		}
	}
	if c := ClauseNamed(Fortran, "DO"); c == nil || c.Name != "for" {
		t.Errorf("Fortran's cancel do: %v", c)
	}
	if ClauseNamed(C, "do") != nil || ClauseNamed(Fortran, "for") != nil ||
		ClauseNamed(C, "PRIVATE") != nil {
		t.Error("a clause is found in the wrong language")
	}
}

// TestFactsAndSchedules requires that the facts and numbers do not change, because they are part
// of ABI 1.
func TestFactsAndSchedules(t *testing.T) {
	for i, f := range FactTable {
		if bits.OnesCount32(uint32(f.Bit)) != 1 || bits.TrailingZeros32(uint32(f.Bit)) != i {
			t.Errorf("%s: bit %#x in row %d", f.Name, f.Bit, i)
		}
	}
	if HasBarrier != 1<<9 || HasSimd != 1<<31 || ScheduleRuntime != 5 || ScheduleStaticChunk != 6 {
		t.Error("a number of ABI 1 has changed")
	}
	for s := ScheduleStatic; s < schedules; s++ {
		if ScheduleOf(s.String()) != s {
			t.Errorf("schedule %v", s)
		}
	}
	if ScheduleOf("none") != ScheduleNone || ScheduleOf("fair") != ScheduleNone {
		t.Error("a word that is no schedule")
	}
}

// TestEvents requires that all events of ABI 1 exist, and that others belong to newer kinds. Each
// has the name of its directive and a type that its rule has.
func TestEvents(t *testing.T) {
	const newest = KindMPI // of ABI 1
	abi1 := map[string]bool{}
	for n := range Words(
		`For Do Workshare Sections Single Critical Ordered Atomic Barrier Flush Taskwait Taskyield Taskgroup Taskloop
		Loop Scope Teams Distribute Cancel Cancellation_point Target Target_data Target_enter_data Target_exit_data Target_update Interop
		Dispatch`).All() {
		abi1["POMP_"+n+"_enter"], abi1["POMP_"+n+"_exit"] = true, true
	}
	for _, n := range []string{
		"Single", "Critical", "Ordered", "Taskgroup", "Scope", "Section", "Master", "Masked",
		"Parallel", "Task",
	} {
		abi1["POMP_"+n+"_begin"], abi1["POMP_"+n+"_end"] = true, true
	}
	for _, n := range []string{
		"POMP_Parallel_fork", "POMP_Parallel_join", "POMP_Task_create_begin",
		"POMP_Task_create_end",
	} {
		abi1[n] = true
	}
	seen := map[string]bool{}
	for _, e := range Events() {
		if seen[e.String()] || e.Kind <= newest && !abi1[e.String()] {
			t.Errorf("%s is there twice, or is new and of the old kind %s", e, e.Kind)
		}
		seen[e.String()] = true
		d := OfKind(e.Kind)
		named := d != nil && (e.Name == d.EventName(C) || e.Name == d.EventName(Fortran))
		if !named || !slices.Contains(d.EventTypes(), e.Type) {
			t.Errorf("%s is no event of a %s", e, e.Kind)
		}
	}
	for name := range abi1 {
		if !seen[name] {
			t.Errorf("%s is missing", name)
		}
	}
}

// The numbers of kinds are part of ABI 1: new ones go at the end.
func TestKindNumbers(t *testing.T) {
	abi1 := append(
		strings.Fields(`region lock nest_lock parallel for sections section single workshare master
		masked critical barrier taskwait taskgroup atomic flush ordered task taskyield taskloop loop
		scope teams distribute cancel`), "cancellation point", "target", "target data",
		"target enter data", "target exit data", "target update", "interop", "dispatch", "mpi")
	for i, name := range abi1 {
		if k := Kind(i + 1); k.String() != name || KindNamed(name) != k {
			t.Errorf("kind %d is called %q, and was %q", k, k, name)
		}
	}
}

func TestLockRoutines(t *testing.T) {
	for _, r := range LockRoutines {
		if "omp_"+strings.ToLower(r.Event) != r.Name {
			t.Errorf("%s reports %s", r.Name, r.Event)
		}
		if (r.Kind == KindNestLock) != strings.Contains(r.Name, "nest") ||
			r.Hint != strings.HasSuffix(r.Name, "hint") ||
			r.Test != strings.Contains(r.Name, "test") {
			t.Errorf("%+v", r)
		}
	}
	if len(LockRoutines) != 12 {
		t.Errorf("%d routines", len(LockRoutines))
	}
}
