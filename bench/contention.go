package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
)

// contended are the constructs for which threads compete, and how many events of each the profile
// gets. critical has enter, begin, end and exit; a lock has acquire, acquired and released.
var contended = []struct {
	name   string
	events float64
}{{"critical", 4}, {"critical_named", 4}, {"lock", 3}, {"nest_lock", 3}}

// contention separates the cost of the profile from that of the competition for a lock.
//
// With one thread it measures what the profile adds. Then, with all threads, it compares the
// measured program with the plain one that has a delay of the same length. The delay's cost there
// is the price of any longer way from one lock to the next: the lock moves between processors
// more often. The rest is the profile's cost.
func (s *setting) contention(rounds, threads int) error {
	variants, err := s.variants()
	if err != nil {
		return err
	}
	plain, measured := variants[0].program, variants[len(variants)-3]
	source := filepath.Join(s.root, "bench", "overhead")
	delayed := filepath.Join(s.work, "delayed")
	if _, _, err := command(s.work, nil, "gcc", "-O2", "-fopenmp", "-DOVERHEAD_DELAY", "-I"+source,
		filepath.Join(source, "main.c"),
		filepath.Join(source, "reference.c"), filepath.Join(source, "constructs.c"), "-o",
		delayed); err != nil {
		return err
	}
	defer removeProfiles(s.work)
	fmt.Printf("\nContention, gcc, %d threads, %d rounds: ns added to the plain program "+
		"[quartiles]\n", threads, rounds)
	fmt.Printf("%-15s %9s %16s %26s %26s %18s\n", "construct", "plain", "profile, alone",
		"equal delay", "profile", "own, per event")
	for _, c := range contended {
		// add returns how much longer a program with variables takes than the plain one, in
		// alternating runs.
		add := func(rounds, threads int, programs []string, env [][]string) ([][]float64,
			float64, error,
		) {
			base := []string{
				"OMP_NUM_THREADS=" + strconv.Itoa(threads), "OMP_PROC_BIND=true",
				"OMP_PLACES=cores",
			}
			added := make([][]float64, len(programs))
			var all []float64
			for range rounds {
				ns := make([]float64, len(programs))
				for _, i := range rand.Perm(len(programs)) {
					_, out, err := command(s.work, append(base, env[i]...), programs[i], "15",
						"150", c.name)
					if err != nil {
						return nil, 0, err
					}
					_, number, _ := strings.Cut(strings.TrimSpace(out), "\t")
					if ns[i], err = strconv.ParseFloat(number, 64); err != nil {
						return nil, 0, fmt.Errorf("%s printed %q", programs[i], out)
					}
				}
				for i := range programs {
					added[i] = append(added[i], ns[i]-ns[0])
				}
				all = append(all, ns[0])
			}
			_, median, _ := quartiles(all)
			return added, median, nil
		}
		const trial = 200
		programs := []string{plain, delayed, measured.program}
		alone, _, err := add(5, 1, programs,
			[][]string{nil, {"OVERHEAD_DELAY=" + strconv.Itoa(trial)}, measured.env})
		if err != nil {
			return err
		}
		_, perTrial, _ := quartiles(alone[1])
		_, cost, _ := quartiles(alone[2])
		delay := strconv.Itoa(int(math.Max(0, cost*trial/perTrial)))
		added, median, err := add(rounds, threads, programs,
			[][]string{nil, {"OVERHEAD_DELAY=" + delay}, measured.env})
		if err != nil {
			return err
		}
		var own []float64
		for i := range added[1] {
			own = append(own, (cost+added[2][i]-added[1][i])/c.events)
		}
		d1, d2, d3 := quartiles(added[1])
		p1, p2, p3 := quartiles(added[2])
		o1, o2, o3 := quartiles(own)
		fmt.Printf("%-15s %9.1f %16.1f %+9.1f [%+6.1f,%+6.1f] %+9.1f [%+6.1f,%+6.1f] %6.1f "+
			"[%5.1f,%5.1f]\n", c.name, median, cost, d2, d1, d3, p2, p1, p3, o2, o1, o3)
	}
	return nil
}
