package analysis

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"opari/internal/omp"
)

// WhatIf is a change of a program whose effect is predicted.
type WhatIf struct {
	text  string
	parts []whatIf
}

// whatIf is one of the changes.
type whatIf struct {
	verb  verb
	place string  // a region, as Within has it
	by    float64 // factor of work; how much is balanced, from 0 to 1
	count int     // threads
}

type verb uint8

const (
	scales   verb = iota // the work of a region takes by times as long
	balances             // threads that meet have equal shares of a region's work
	unlocks              // nobody waits for a lock
	threaded             // so many threads share what is shared
)

// forms are the changes as people write them, for messages.
const forms = `"balance PLACE", "halve work of PLACE", "scale work of PLACE by 0.3", ` +
	`"no lock PLACE" or "threads 8"`

// ParseWhatIf reads changes with " and " between them.
func ParseWhatIf(text string) (*WhatIf, error) {
	w := &WhatIf{text: strings.TrimSpace(text)}
	for _, one := range strings.Split(text, " and ") {
		part, err := parseWhatIf(strings.TrimSpace(one))
		if err != nil {
			return nil, err
		}
		w.parts = append(w.parts, part)
	}
	return w, nil
}

func parseWhatIf(text string) (whatIf, error) {
	rest := func(start string) string {
		place, is := strings.CutPrefix(text, start+" ")
		if !is {
			return ""
		}
		return strings.TrimSpace(place)
	}
	if place := rest("balance"); place != "" {
		return whatIf{verb: balances, place: place, by: 1}, nil
	}
	if place := rest("halve work of"); place != "" {
		return whatIf{verb: scales, place: place, by: 0.5}, nil
	}
	if place := rest("no lock"); place != "" {
		return whatIf{verb: unlocks, place: place}, nil
	}
	if place := rest("scale work of"); place != "" {
		i := strings.LastIndex(place, " by ")
		if i < 0 {
			return whatIf{}, fmt.Errorf("%q: by how much? Write \"scale work of PLACE by 0.3\"",
				text)
		}
		by, err := strconv.ParseFloat(strings.TrimSpace(place[i+4:]), 64)
		if err != nil || !(by >= 0 && by <= largestFactor) {
			return whatIf{}, fmt.Errorf("%q: %q is no factor from 0 to %d", text, place[i+4:],
				largestFactor)
		}
		return whatIf{verb: scales, place: strings.TrimSpace(place[:i]), by: by}, nil
	}
	if number := rest("threads"); number != "" {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > mostThreads {
			return whatIf{}, fmt.Errorf("%q: %q is no number of threads", text, number)
		}
		return whatIf{verb: threaded, count: n}, nil
	}
	return whatIf{}, fmt.Errorf("%q is no change: write %s", text, forms)
}

const (
	largestFactor = 1000
	mostThreads   = 1 << 20
)

// String returns the changes as they were written.
func (w *WhatIf) String() string { return w.text }

// covers reports whether a part is about a path: about its region or one around it.
func (x *whatIf) covers(q *Path) bool {
	for ; q != nil; q = q.Parent {
		if q.is(x.place) || x.verb == unlocks && q.Kind == omp.KindCritical &&
			q.Name == "critical("+x.place+")" {
			return true
		}
	}
	return false
}

// applies reports whether a part changes something at a path that it is about.
func (x *whatIf) applies(q *Path) bool {
	switch x.verb {
	case unlocks:
		return q.Kind.Excludes()
	case balances:
		return q.Kind != omp.KindMPI && !q.OnlyWaits() && q.inTeam()
	}
	return !q.OnlyWaits() && q.Kind != omp.KindMPI
}

// inTeam reports whether a path is in an implicit task, whose team meets.
func (q *Path) inTeam() bool {
	for ; q != nil && q.Kind != omp.KindTask; q = q.Parent {
		if q.Kind == omp.KindParallel {
			return true
		}
	}
	return false
}

// check returns an error that names the nearest places if a part is about nothing in the result.
func (w *WhatIf) check(r *Result) error {
	for i := range w.parts {
		x := &w.parts[i]
		if x.verb == threaded {
			continue
		}
		covered := false
		found := slices.ContainsFunc(r.Paths, func(q *Path) bool {
			is := x.covers(q)
			covered = covered || is
			return is && x.applies(q)
		})
		switch {
		case found:
		case covered:
			return fmt.Errorf("%q: %s", w.text, x.nothing(r))
		default:
			return fmt.Errorf("%q: no region is called %q or is at that place%s",
				w.text, x.place, x.nearest(r))
		}
	}
	return nil
}

// nothing says why a part changes nothing at its place.
func (x *whatIf) nothing(r *Result) string {
	switch x.verb {
	case unlocks:
		return "no thread waits there to exclude others" + x.nearest(r)
	case balances:
		return "threads of a team share no work there; loops, sections and other code of " +
			"parallel regions can be balanced" + x.nearest(r)
	}
	return "there is only waiting, which is no work" + x.nearest(r)
}

// nearest names regions that the part can be about: those of the file that is meant, by the
// distance of their lines, and else those with most time.
func (x *whatIf) nearest(r *Result) string {
	const shown = 4
	place, _, _ := strings.Cut(x.place, " ")
	file, line := place, 0
	if i := strings.LastIndexByte(place, ':'); i > 0 {
		file = place[:i]
		line, _ = strconv.Atoi(place[i+1:])
	}
	file = filepath.Base(file)
	far := func(q *Path) int {
		if line == 0 || filepath.Base(q.File) != file {
			return math.MaxInt
		}
		return max(q.Line-line, line-q.Line)
	}
	all := slices.DeleteFunc(slices.Clone(r.Paths[1:]), func(q *Path) bool { return !x.applies(q) })
	slices.SortStableFunc(all, func(a, b *Path) int {
		return cmp.Or(cmp.Compare(far(a), far(b)),
			cmp.Compare(b.Inclusive(Time, -1), a.Inclusive(Time, -1)))
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
