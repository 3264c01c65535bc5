package sampling

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// counter is something that the kernel or the processor counts for each thread.
type counter struct {
	name   string
	names  []string // others for it: those of perf, and PAPI's presets
	kind   uint32   // of the event; fromNotes: a follower counts it from the kernel's notes
	config uint64
}

// fromNotes marks the counters that need no event. The kernel would count context switches and
// migrations only for those who may see the kernel.
const fromNotes = ^uint32(0)

// cacheEvent returns the number of an event of a cache.
func cacheEvent(cache, operation, result uint64) uint64 {
	return cache | operation<<8 | result<<16
}

const (
	software = unix.PERF_TYPE_SOFTWARE
	hardware = unix.PERF_TYPE_HARDWARE
	caches   = unix.PERF_TYPE_HW_CACHE

	read   = unix.PERF_COUNT_HW_CACHE_OP_READ
	access = unix.PERF_COUNT_HW_CACHE_RESULT_ACCESS
	miss   = unix.PERF_COUNT_HW_CACHE_RESULT_MISS
)

// The counters from the notes, by their place in counterTable.
const (
	taskClock = iota
	contextSwitches
	migrations
)

// counterTable lists the counters: those of the kernel, which every machine has, then those of
// the processor.
var counterTable = []counter{
	taskClock:       {"task-clock", []string{"cpu-clock"}, fromNotes, taskClock},
	contextSwitches: {"context-switches", []string{"cs"}, fromNotes, contextSwitches},
	migrations:      {"migrations", []string{"cpu-migrations"}, fromNotes, migrations},

	{"page-faults", []string{"faults"}, software, unix.PERF_COUNT_SW_PAGE_FAULTS},
	{"minor-faults", nil, software, unix.PERF_COUNT_SW_PAGE_FAULTS_MIN},
	{"major-faults", nil, software, unix.PERF_COUNT_SW_PAGE_FAULTS_MAJ},

	{
		"cycles",
		[]string{"cpu-cycles", "PAPI_TOT_CYC"},
		hardware,
		unix.PERF_COUNT_HW_CPU_CYCLES,
	},
	{
		"instructions",
		[]string{"PAPI_TOT_INS", "PAPI_TOT_IIS"},
		hardware,
		unix.PERF_COUNT_HW_INSTRUCTIONS,
	},
	{"ref-cycles", []string{"PAPI_REF_CYC"}, hardware, unix.PERF_COUNT_HW_REF_CPU_CYCLES},
	{
		"branches",
		[]string{"branch-instructions", "PAPI_BR_INS", "PAPI_BR_CN"},
		hardware,
		unix.PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	},
	{"branch-misses", []string{"PAPI_BR_MSP"}, hardware, unix.PERF_COUNT_HW_BRANCH_MISSES},
	{"cache-references", []string{"PAPI_L3_TCA"}, hardware, unix.PERF_COUNT_HW_CACHE_REFERENCES},
	{"cache-misses", []string{"PAPI_L3_TCM"}, hardware, unix.PERF_COUNT_HW_CACHE_MISSES},
	{
		"stalled-cycles",
		[]string{"stalled-cycles-backend", "PAPI_RES_STL"},
		hardware,
		unix.PERF_COUNT_HW_STALLED_CYCLES_BACKEND,
	},
	{
		"l1d-loads",
		[]string{"L1-dcache-loads", "PAPI_L1_DCR"},
		caches,
		cacheEvent(unix.PERF_COUNT_HW_CACHE_L1D, read, access),
	},
	{
		"l1d-misses",
		[]string{"L1-dcache-load-misses", "PAPI_L1_DCM", "PAPI_L1_LDM"},
		caches,
		cacheEvent(unix.PERF_COUNT_HW_CACHE_L1D, read, miss),
	},
	{
		"llc-loads",
		[]string{"LLC-loads", "PAPI_L3_DCR"},
		caches,
		cacheEvent(unix.PERF_COUNT_HW_CACHE_LL, read, access),
	},
	{
		"llc-misses",
		[]string{"LLC-load-misses", "PAPI_L3_DCM", "PAPI_L3_LDM"},
		caches,
		cacheEvent(unix.PERF_COUNT_HW_CACHE_LL, read, miss),
	},
	{
		"dtlb-misses",
		[]string{"dTLB-load-misses", "PAPI_TLB_DM"},
		caches,
		cacheEvent(unix.PERF_COUNT_HW_CACHE_DTLB, read, miss),
	},
	{
		"node-misses",
		[]string{"node-load-misses"},
		caches,
		cacheEvent(unix.PERF_COUNT_HW_CACHE_NODE, read, miss),
	},
}

// CounterNames returns the names of all counters.
func CounterNames() []string {
	var all []string
	for _, c := range counterTable {
		all = append(all, c.name)
	}
	return all
}

// FindCounter returns the name of a counter, which may be given by another name for it: one of
// perf's, or a preset of PAPI.
func FindCounter(name string) (string, error) {
	for _, c := range counterTable {
		is := func(other string) bool { return strings.EqualFold(name, other) }
		if is(c.name) || slices.ContainsFunc(c.names, is) {
			return c.name, nil
		}
	}
	return "", fmt.Errorf("no counter %q; there are %s, and PAPI's names for them", name,
		strings.Join(CounterNames(), ", "))
}

// counters returns the rows of counterTable of the names.
func countersOf(names []string) []counter {
	var all []counter
	for _, name := range names {
		for _, c := range counterTable {
			if c.name == name {
				all = append(all, c)
			}
		}
	}
	return all
}
