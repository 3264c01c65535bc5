package report

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"opari/internal/analysis"
)

// Weight says which part of a run's time a stack or a sample counts: the time of a property and all
// that is part of it, or one of the sums that cut through the hierarchy of properties.
type Weight struct {
	key string
	of  func(analysis.Property) bool // of a leaf
}

// The weights that are no single property.
var (
	Waiting = Weight{"waiting", func(p analysis.Property) bool {
		return p.Of(analysis.Barrier) || p.Of(analysis.Mutex) || p.Of(analysis.Tasking) ||
			p.Of(analysis.MPI) && p != analysis.MPICall
	}}
	Lost = Weight{"lost", analysis.Property.Loss}
)

// WeightOf is the weight of a property.
func WeightOf(p analysis.Property) Weight {
	return Weight{p.Key(), func(q analysis.Property) bool { return q.Of(p) }}
}

// ParseWeight finds the weight of a name: waiting, lost, or the key of a property, "time" for all
// of it.
func ParseWeight(name string) (Weight, error) {
	for _, w := range []Weight{Waiting, Lost} {
		if w.key == name {
			return w, nil
		}
	}
	for p := range analysis.NumProperties {
		if p.Key() == name {
			return WeightOf(p), nil
		}
	}
	return Weight{}, fmt.Errorf("there is no weight %q; there are %s", name,
		strings.Join(WeightNames(), ", "))
}

// WeightNames are the names that ParseWeight knows, the sums first.
func WeightNames() []string {
	names := []string{"time", "work", "waiting", "lost"}
	for p := range analysis.NumProperties {
		if !slices.Contains(names, p.Key()) {
			names = append(names, p.Key())
		}
	}
	return names
}

// leaves are the properties for which severities are kept.
var leaves = func() []analysis.Property {
	var all []analysis.Property
	for p := range analysis.NumProperties {
		if p.Leaf() {
			all = append(all, p)
		}
	}
	return all
}()

// frames names the regions of a run as frames of a stack: "for heat.c:41". Tools tell functions
// apart by their names alone, so places get as many folders in front as make them different.
func frames(r *analysis.Result) map[*analysis.Region]string {
	names := map[*analysis.Region]string{}
	groups := map[string][]*analysis.Region{}
	for _, q := range r.Paths {
		if _, known := names[q.Region]; known {
			continue
		}
		name := q.Name
		if place := q.Place(); place != "" {
			name += " " + place
		}
		names[q.Region] = name
		groups[name] = append(groups[name], q.Region)
	}
	for _, same := range groups {
		if len(same) == 1 {
			continue
		}
		for _, g := range same {
			if g.File != "" {
				names[g] = fmt.Sprintf("%s %s:%d", g.Name, filepath.Clean(g.File), g.Line)
			}
		}
	}
	return names
}

// Exported says whether a file that begins with head was written by Pprof, Chrome or Folded.
func Exported(head []byte) bool {
	if bytes.HasPrefix(head, []byte(chromeHead)) {
		return true
	}
	if z, err := gzip.NewReader(bytes.NewReader(head)); err == nil {
		return z.Comment == pprofMark
	}
	lines, found := 0, false
	for {
		var line []byte
		if line, head, found = bytes.Cut(head, []byte("\n")); !found {
			return lines > 0 // the last one may be cut off
		}
		weight := string(line[bytes.LastIndexByte(line, ' ')+1:])
		if _, err := strconv.ParseUint(weight, 10, 63); err != nil ||
			!bytes.HasPrefix(line, []byte("thread ")) && !bytes.HasPrefix(line, []byte("rank ")) {
			return false
		}
		lines++
	}
}
