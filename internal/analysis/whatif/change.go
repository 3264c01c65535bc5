package whatif

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"opari/internal/analysis"
	"opari/internal/omp"
)

// Change is a change of a program whose effect is predicted.
type Change struct {
	Text  string
	Parts []Part
}

// Part is one of the changes.
type Part struct {
	Verb  verb
	Place string  // a region, as Within has it
	By    float64 // factor of work; how much is balanced, from 0 to 1
	Count int     // threads
}

type verb uint8

const (
	Scales   verb = iota // the work of a region takes by times as long
	Balances             // threads that meet have equal shares of a region's work
	Unlocks              // nobody waits for a lock
	Threaded             // so many threads share what is shared
)

// forms are the changes as people write them, for messages.
const forms = `"balance PLACE", "halve work of PLACE", "scale work of PLACE by 0.3", ` +
	`"no lock PLACE" or "threads 8"`

// Parse reads changes with " and " between them.
func Parse(text string) (*Change, error) {
	w := &Change{Text: strings.TrimSpace(text)}
	for _, one := range strings.Split(text, " and ") {
		part, err := parse(strings.TrimSpace(one))
		if err != nil {
			return nil, err
		}
		w.Parts = append(w.Parts, part)
	}
	return w, nil
}

func parse(text string) (Part, error) {
	rest := func(start string) string {
		place, is := strings.CutPrefix(text, start+" ")
		if !is {
			return ""
		}
		return strings.TrimSpace(place)
	}
	if place := rest("balance"); place != "" {
		return Part{Verb: Balances, Place: place, By: 1}, nil
	}
	if place := rest("halve work of"); place != "" {
		return Part{Verb: Scales, Place: place, By: 0.5}, nil
	}
	if place := rest("no lock"); place != "" {
		return Part{Verb: Unlocks, Place: place}, nil
	}
	if place := rest("scale work of"); place != "" {
		i := strings.LastIndex(place, " by ")
		if i < 0 {
			return Part{}, fmt.Errorf("%q: by how much? Write \"scale work of PLACE by 0.3\"",
				text)
		}
		by, err := strconv.ParseFloat(strings.TrimSpace(place[i+4:]), 64)
		if err != nil || !(by >= 0 && by <= largestFactor) {
			return Part{}, fmt.Errorf("%q: %q is no factor from 0 to %d", text, place[i+4:],
				largestFactor)
		}
		return Part{Verb: Scales, Place: strings.TrimSpace(place[:i]), By: by}, nil
	}
	if number := rest("threads"); number != "" {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > mostThreads {
			return Part{}, fmt.Errorf("%q: %q is no number of threads", text, number)
		}
		return Part{Verb: Threaded, Count: n}, nil
	}
	return Part{}, fmt.Errorf("%q is no change: write %s", text, forms)
}

const (
	largestFactor = 1000
	mostThreads   = 1 << 20
)

// String returns the changes as they were written.
func (w *Change) String() string { return w.Text }

// Covers reports whether a part is about a path: about its region or one around it.
func (x *Part) Covers(q *analysis.Path) bool {
	for ; q != nil; q = q.Parent {
		if q.Is(x.Place) || x.Verb == Unlocks && q.Kind == omp.KindCritical &&
			q.Name == "critical("+x.Place+")" {
			return true
		}
	}
	return false
}

// applies reports whether a part changes something at a path that it is about.
func (x *Part) applies(q *analysis.Path) bool {
	switch x.Verb {
	case Unlocks:
		return q.Kind.Excludes()
	case Balances:
		return q.Kind != omp.KindMPI && !q.OnlyWaits() && InTeam(q)
	}
	return !q.OnlyWaits() && q.Kind != omp.KindMPI
}

// InTeam reports whether a path is in an implicit task, whose team meets.
func InTeam(q *analysis.Path) bool {
	for ; q != nil && q.Kind != omp.KindTask; q = q.Parent {
		if q.Kind == omp.KindParallel {
			return true
		}
	}
	return false
}

// Check returns an error that names the nearest places if a part is about nothing in the result.
func (w *Change) Check(r *analysis.Result) error {
	for i := range w.Parts {
		x := &w.Parts[i]
		if x.Verb == Threaded {
			continue
		}
		covered := false
		found := slices.ContainsFunc(r.Paths, func(q *analysis.Path) bool {
			is := x.Covers(q)
			covered = covered || is
			return is && x.applies(q)
		})
		switch {
		case found:
		case covered:
			return fmt.Errorf("%q: %s", w.Text, x.nothing(r))
		default:
			return fmt.Errorf("%q: no region is called %q or is at that place%s",
				w.Text, x.Place, x.nearest(r))
		}
	}
	return nil
}

// nothing says why a part changes nothing at its place.
func (x *Part) nothing(r *analysis.Result) string {
	switch x.Verb {
	case Unlocks:
		return "no thread waits there to exclude others" + x.nearest(r)
	case Balances:
		return "threads of a team share no work there; loops, sections and other code of " +
			"parallel regions can be balanced" + x.nearest(r)
	}
	return "there is only waiting, which is no work" + x.nearest(r)
}

// nearest names regions that the part can be about: those of the file that is meant, by the
// distance of their lines, and else those with most time.
func (x *Part) nearest(r *analysis.Result) string {
	const shown = 4
	place, _, _ := strings.Cut(x.Place, " ")
	file, line := place, 0
	if i := strings.LastIndexByte(place, ':'); i > 0 {
		file = place[:i]
		line, _ = strconv.Atoi(place[i+1:])
	}
	file = filepath.Base(file)
	far := func(q *analysis.Path) int {
		if line == 0 || filepath.Base(q.File) != file {
			return math.MaxInt
		}
		return max(q.Line-line, line-q.Line)
	}
	all := slices.DeleteFunc(slices.Clone(r.Paths[1:]),
		func(q *analysis.Path) bool { return !x.applies(q) })
	slices.SortStableFunc(all, func(a, b *analysis.Path) int {
		return cmp.Or(cmp.Compare(far(a), far(b)),
			cmp.Compare(b.Inclusive(analysis.Time, -1), a.Inclusive(analysis.Time, -1)))
	})
	var names []string
	for _, q := range all {
		if name := q.Region.String(); len(names) < shown && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "; the run has no such place"
	}
	return "; the nearest are: " + strings.Join(names, ", ")
}
