package export

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

// Weight selects the part of a run's time that a stack or a sample counts. It is a property
// with its sub-properties, or one of the sums across the hierarchy of properties.
type Weight struct {
	key string
	of  func(analysis.Property) bool // for a leaf property
}

// These weights are not a single property.
var (
	Waiting = Weight{"waiting", func(p analysis.Property) bool {
		return p.Of(analysis.Barrier) || p.Of(analysis.Mutex) || p.Of(analysis.Tasking) ||
			p.Of(analysis.MPI) && p != analysis.MPICall || p == analysis.OffWait
	}}
	Lost = Weight{"lost", analysis.Property.Loss}
)

// WeightOf returns the weight of a property.
func WeightOf(p analysis.Property) Weight {
	return Weight{p.Key(), func(q analysis.Property) bool { return q.Of(p) }}
}

// ParseWeight returns the weight of a name: waiting, lost, or the key of a property; "time" is
// all time.
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

// WeightNames returns the names that ParseWeight accepts, the sums first.
func WeightNames() []string {
	names := []string{"time", "work", "waiting", "lost"}
	for p := range analysis.NumProperties {
		if !slices.Contains(names, p.Key()) {
			names = append(names, p.Key())
		}
	}
	return names
}

// frames names the regions of a run as frames of a stack, such as "for heat.c:41". Tools
// distinguish functions by name alone. So where names coincide, they contain the full path.
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

// Exported reports whether Pprof, Chrome, Perfetto or Folded wrote the file that begins with head.
func Exported(head []byte) bool {
	if bytes.HasPrefix(head, []byte(chromeHead)) || bytes.HasPrefix(head, []byte(perfettoHead)) {
		return true
	}
	if z, err := gzip.NewReader(bytes.NewReader(head)); err == nil {
		return z.Comment == pprofMark
	}
	lines, found := 0, false
	for {
		var line []byte
		if line, head, found = bytes.Cut(head, []byte("\n")); !found {
			return lines > 0 // head may cut the last line off
		}
		weight := string(line[bytes.LastIndexByte(line, ' ')+1:])
		if _, err := strconv.ParseUint(weight, 10, 63); err != nil ||
			!bytes.HasPrefix(line, []byte("thread ")) && !bytes.HasPrefix(line, []byte("rank ")) {
			return false
		}
		lines++
	}
}
