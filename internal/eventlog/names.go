package eventlog

import (
	"fmt"
	"slices"
	"strings"
)

// The numbers and names come from the specification's omp-tools.h, without prefixes.
const (
	threadBegin      = 1
	threadEnd        = 2
	parallelBegin    = 3
	parallelEnd      = 4
	taskCreate       = 5
	taskSchedule     = 6
	implicitTask     = 7
	target           = 8
	targetDataOp     = 9
	targetSubmit     = 10
	controlTool      = 11
	deviceInitialize = 12
	deviceFinalize   = 13
	deviceLoad       = 14
	deviceUnload     = 15
	syncRegionWait   = 16
	mutexReleased    = 17
	dependences      = 18
	taskDependence   = 19
	work             = 20
	masked           = 21
	targetMap        = 22
	syncRegion       = 23
	lockInit         = 24
	lockDestroy      = 25
	mutexAcquire     = 26
	mutexAcquired    = 27
	nestLock         = 28
	flush            = 29
	cancel           = 30
	reduction        = 31
	dispatch         = 32
	targetEMI        = 33
	targetDataOpEMI  = 34
	targetSubmitEMI  = 35
	targetMapEMI     = 36
	errorEvent       = 37
)

var (
	syncKinds = []string{
		"", "barrier", "barrier_implicit", "barrier_explicit", "barrier_implementation", "taskwait",
		"taskgroup", "reduction",
		"barrier_implicit_workshare", "barrier_implicit_parallel", "barrier_teams",
	}
	mutexKinds = []string{
		"", "lock", "test_lock", "nest_lock", "test_nest_lock", "critical",
		"atomic", "ordered",
	}
	targetKinds = []string{
		"", "target", "enter_data", "exit_data", "update", "", "", "", "", "target_nowait",
		"enter_data_nowait", "exit_data_nowait",
		"update_nowait",
	}
	dataOps = []string{
		"", "alloc", "transfer_to_device", "transfer_from_device", "delete", "associate",
		"disassociate", "", "", "", "", "", "", "", "", "", "",
		"alloc_async", "transfer_to_device_async", "transfer_from_device_async", "delete_async",
	}
)

// The names of fields that are used more than once. The ids in the fields parallel, task and
// target begin with a letter for their kind.
const (
	fieldParallel = "parallel"
	fieldTask     = "task"
	fieldTarget   = "target"
	fieldDevice   = "device"
)

// row is the name of an event and of its kinds.
type row struct {
	name  string
	group string // its word for --events
	kinds []string
}

// events has the rows by number; rowOf finds a row for any number.
var events = [...]row{
	threadBegin: {
		"thread_begin", "thread",
		[]string{"", "initial", "worker", "other", "unknown"},
	},
	threadEnd:     {"thread_end", "thread", nil},
	parallelBegin: {"parallel_begin", "parallel", nil},
	parallelEnd:   {"parallel_end", "parallel", nil},
	implicitTask:  {"implicit_task", "parallel", nil},
	taskCreate:    {"task_create", "task", nil},
	taskSchedule: {"task_schedule", "task", []string{
		"", "complete", "yield", "cancel",
		"detach", "early_fulfill", "late_fulfill", "switch", "taskwait_complete",
	}},
	dependences: {
		"dependences", "task",
		[]string{"", "in", "out", "inout", "mutexinoutset", "source", "sink", "inoutset"},
	},
	taskDependence: {"task_dependence", "task", nil},
	syncRegion:     {"sync_region", "sync", syncKinds},
	syncRegionWait: {"sync_region_wait", "sync", syncKinds},
	reduction:      {"reduction", "sync", syncKinds},
	work: {"work", "work", []string{
		"", "loop", "sections", "single_executor",
		"single_other", "workshare", "distribute", "taskloop", "scope", "", "loop_static",
		"loop_dynamic", "loop_guided", "loop_other",
	}},
	masked: {"masked", "work", nil},
	dispatch: {"dispatch", "dispatch", []string{
		"", "iteration", "section", "ws_loop_chunk",
		"taskloop_chunk", "distribute_chunk",
	}},
	mutexAcquire:     {"mutex_acquire", "mutex", mutexKinds},
	mutexAcquired:    {"mutex_acquired", "mutex", mutexKinds},
	mutexReleased:    {"mutex_released", "mutex", mutexKinds},
	nestLock:         {"nest_lock", "mutex", nil},
	lockInit:         {"lock_init", "mutex", mutexKinds},
	lockDestroy:      {"lock_destroy", "mutex", mutexKinds},
	flush:            {"flush", "flush", nil},
	cancel:           {"cancel", "cancel", nil},
	controlTool:      {"control_tool", "control", nil},
	errorEvent:       {"error", "error", []string{"", "warning", "fatal"}},
	target:           {"target", "target", targetKinds},
	targetEMI:        {"target_emi", "target", targetKinds},
	targetDataOp:     {"target_data_op", "target", dataOps},
	targetDataOpEMI:  {"target_data_op_emi", "target", dataOps},
	targetSubmit:     {"target_submit", "target", nil},
	targetSubmitEMI:  {"target_submit_emi", "target", nil},
	targetMap:        {"target_map", "target", nil},
	targetMapEMI:     {"target_map_emi", "target", nil},
	deviceInitialize: {"device_initialize", "target", nil},
	deviceFinalize:   {"device_finalize", "target", nil},
	deviceLoad:       {"device_load", "target", nil},
	deviceUnload:     {"device_unload", "target", nil},
}

// rowOf returns the row of an event, without a name for a number that is none.
func rowOf(event int) row {
	if event < 0 || event >= len(events) {
		return row{}
	}
	return events[event]
}

var endpoints = []string{"", "begin", "end", "beginend"}

// bit is a flag and its name.
type bit struct {
	mask uint32
	name string
}

var (
	parallelFlags = []bit{
		{1, "invoker_program"},
		{2, "invoker_runtime"},
		{1 << 30, "league"},
		{1 << 31, "team"},
	}
	taskFlags = []bit{
		{1, "initial"},
		{2, "implicit"},
		{4, "explicit"},
		{8, "target"},
		{16, "taskwait"},
		{1 << 27, "undeferred"},
		{1 << 28, "untied"},
		{1 << 29, "final"},
		{1 << 30, "mergeable"},
		{1 << 31, "merged"},
	}
	mapFlags = []bit{
		{1, "to"}, {2, "from"}, {4, "alloc"}, {8, "release"}, {16, "delete"}, {32, "implicit"},
	}
	cancelFlags = []bit{
		{1, "parallel"},
		{2, "sections"},
		{4, "loop"},
		{8, "taskgroup"},
		{16, "activated"},
		{32, "detected"},
		{64, "discarded_task"},
	}
)

// Groups lists the words for groups of events that --events accepts.
func Groups() []string {
	seen := map[string]bool{}
	for _, e := range events {
		if e.group != "" { // else a number that no event has
			seen[e.group] = true
		}
	}
	var all []string
	for g := range seen {
		all = append(all, g)
	}
	slices.Sort(all)
	return all
}

// Select returns the numbers of the events that words name, singly or by group, in the form that
// the tool reads.
func Select(words []string) (string, error) {
	chosen := map[int]bool{}
	for _, w := range words {
		found := false
		for number, e := range events {
			if e.name == w || e.group == w {
				chosen[number], found = true, true
			}
		}
		if !found {
			return "", fmt.Errorf("no event and no group of events is called %q; groups are %s", w,
				strings.Join(Groups(), ", "))
		}
	}
	var numbers []string
	for n := range 64 {
		if chosen[n] {
			numbers = append(numbers, fmt.Sprint(n))
		}
	}
	return strings.Join(numbers, ","), nil
}

// word returns the name of number n, or its digits if the standard has no name for it.
func word(names []string, n int) string {
	if n > 0 && n < len(names) && names[n] != "" {
		return names[n]
	}
	return fmt.Sprint(n)
}

func flagWords(bits []bit, flags uint32) string {
	var words []string
	for _, b := range bits {
		if flags&b.mask != 0 {
			words = append(words, b.name)
			flags &^= b.mask
		}
	}
	if flags != 0 {
		words = append(words, fmt.Sprintf("%#x", flags))
	}
	return strings.Join(words, "|")
}
