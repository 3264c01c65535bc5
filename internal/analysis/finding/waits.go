package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"opari/internal/analysis"
)

// mostHolders is how many threads a finding names.
const mostHolders = 3

// holders says what threads of a finding mostly waited for, and which threads were inside for how
// much of the time.
func (r run) holders(f Finding) string {
	var most *analysis.Exclusion
	var all, longest int64
	for _, x := range r.Exclusions {
		time := x.At(f.Region)
		if all += time; time > longest {
			most, longest = x, time
		}
	}
	if most == nil || most.Period <= 0 {
		return ""
	}
	var threads []int
	var held int64
	for i, time := range most.Held {
		if held += time; 200*time >= most.Period { // what is more than 0 %
			threads = append(threads, i)
		}
	}
	slices.SortStableFunc(threads, func(i, k int) int {
		return cmp.Compare(most.Held[k], most.Held[i])
	})
	percent := func(time int64) string {
		return fmt.Sprintf("%.0f %%", min(100, 100*float64(time)/float64(most.Period)))
	}
	name := most.Name
	if float64(longest) < 0.99*float64(all) {
		name += fmt.Sprintf(", %.0f %% of it,", 100*float64(longest)/float64(all))
	}
	var by []string
	for _, i := range threads[:min(len(threads), mostHolders)] {
		by = append(by, percent(most.Held[i])+" by "+r.ThreadName(i))
	}
	if n := len(threads) - len(by); n > 0 {
		by = append(by, fmt.Sprintf("the rest by %d more", n))
	}
	verb := "is occupied"
	if f.Property == analysis.LockWait {
		verb = "is held"
	}
	return fmt.Sprintf("%s %s %s of %s: %s", name, verb, percent(held),
		analysis.Duration(most.Period),
		strings.Join(by, ", "))
}

// serialises returns what held back the tasks of a finding for most of its time, and for what
// share of it; nil: nothing did.
func (r run) serialises(f Finding) (*analysis.Region, float64) {
	sums := map[*analysis.Region]int64{}
	var most *analysis.Region
	for _, s := range r.Starved { // the longest first, so that equal sums have an order
		if s.Waiter.Region == f.Region {
			if sums[s.By] += s.Time; most == nil || sums[s.By] > sums[most] {
				most = s.By
			}
		}
	}
	if most == nil || 2*sums[most] < f.Time {
		return nil, 0
	}
	return most, min(1, float64(sums[most])/float64(f.Time))
}

// chained says what held back the tasks.
func (r run) chained(f Finding) string {
	g, share := r.serialises(f)
	switch {
	case g == nil:
		return ""
	case g.Creation:
		return fmt.Sprintf("tasks of %s wait for each other for %.0f %% of it, as depend says",
			g.Place(), 100*share)
	}
	return fmt.Sprintf("%s holds back the creation of tasks for %.0f %% of it", g, 100*share)
}
