package compare

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"

	"opari/internal/analysis"
)

// place is a region in the runs of one side.
type place struct {
	region *analysis.Region
	visits float64 // the largest number in any run
	outer  string
}

// matched is a region before and the same region after; nil if a side lacks it.
type matched struct{ before, after *analysis.Region }

// placed returns the regions of runs, sorted by file and line.
func placed(runs []RunTimes) []place {
	seen := map[analysis.Region]int{}
	var all []place
	for i := range runs {
		for g, r := range runs[i].regions {
			n, known := seen[g]
			if !known {
				n = len(all)
				seen[g] = n
				all = append(all, place{region: &g, outer: r.outer})
			}
			all[n].visits = max(all[n].visits, float64(r.visits))
			// The minimum does not depend on the order of a map.
			all[n].outer = min(all[n].outer, r.outer)
		}
	}
	slices.SortFunc(all, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.region.File, b.region.File),
			cmp.Compare(a.region.Line, b.region.Line), cmp.Compare(a.region.Name, b.region.Name),
			cmp.Compare(a.region.KindName(), b.region.KindName()))
	})
	return all
}

// match pairs the regions of the two sides. When a program changes, lines move and folders
// differ; kind, name, base name of the file, and order stay. Among regions that agree in these,
// it matches as many as possible in their order, with the least total difference.
func match(before, after []place) []matched {
	type key struct{ kind, name, file string }
	keyOf := func(p place) key {
		return key{p.region.KindName(), p.region.Name, filepath.Base(p.region.File)}
	}
	var order []key
	groups := map[key]*[2][]place{}
	for side, places := range [][]place{before, after} {
		for _, p := range places {
			k := keyOf(p)
			if groups[k] == nil {
				groups[k] = &[2][]place{}
				order = append(order, k)
			}
			groups[k][side] = append(groups[k][side], p)
		}
	}
	var all []matched
	for _, k := range order {
		all = append(all, align(groups[k][0], groups[k][1])...)
	}
	return all
}

// These are the costs of a match, in lines of difference.
const (
	otherVisits = 50  // one has more visits than the other
	otherOuter  = 100 // their outer regions differ
	otherFolder = 200
)

// difference returns by how much two places with the same name differ.
func difference(a, b place) float64 {
	d := math.Abs(float64(a.region.Line - b.region.Line))
	if math.Abs(math.Log((a.visits+1)/(b.visits+1))) > 0.1 {
		d += otherVisits
	}
	if a.outer != b.outer {
		d += otherOuter
	}
	if a.region.File != b.region.File {
		d += otherFolder
	}
	return d
}

// align matches min(len(a), len(b)) places in their order with the least sum of differences.
func align(a, b []place) []matched {
	// cost[i][j] is the cost of matching a[i:] and b[j:]. Places of the longer side may stay
	// unmatched at no cost, and those of the other side never.
	cost := make([][]float64, len(a)+1)
	for i := len(a); i >= 0; i-- {
		cost[i] = make([]float64, len(b)+1)
		for j := len(b); j >= 0; j-- {
			if i == len(a) && j == len(b) {
				continue
			}
			cost[i][j] = math.Inf(1)
			if i < len(a) && len(a) > len(b) {
				cost[i][j] = cost[i+1][j]
			}
			if j < len(b) && len(b) > len(a) {
				cost[i][j] = cost[i][j+1]
			}
			if i < len(a) && j < len(b) {
				cost[i][j] = min(cost[i][j], cost[i+1][j+1]+difference(a[i], b[j]))
			}
		}
	}
	var all []matched
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && cost[i][j] == cost[i+1][j+1]+difference(a[i], b[j]):
			all = append(all, matched{a[i].region, b[j].region})
			i, j = i+1, j+1
		case i < len(a) && len(a) > len(b):
			all = append(all, matched{before: a[i].region})
			i++
		default:
			all = append(all, matched{after: b[j].region})
			j++
		}
	}
	return all
}
