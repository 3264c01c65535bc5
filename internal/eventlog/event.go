package eventlog

import (
	"fmt"
)

// field is a named value of an event: a string or an integer.
type field struct {
	name  string
	value any
}

// These are the indices of Log.numbers.
const (
	regions = iota
	tasks
	waits
	targets
	operations
)

// event is a record in words.
type event struct {
	*record
	row
	endpoint, kind string
	fields         []field
	place          string
}

// describe puts a record into words.
func (l *Log) describe(r *record) event {
	e := event{record: r, row: rowOf(r.event)}
	if e.name == "" {
		e.name = fmt.Sprintf("event_%d", r.event)
	}
	if r.endpoint != 0 {
		e.endpoint = word(endpoints, r.endpoint)
	}
	if r.kind != 0 {
		e.kind = word(e.kinds, r.kind)
	}
	if r.parallel != 0 {
		e.add(fieldParallel, l.number("p", regions, r.parallel))
	}
	if r.task != 0 {
		e.add(fieldTask, l.number("t", tasks, r.task))
	}
	l.details(&e)
	if r.code != 0 {
		e.place = l.places.of(r.code, l.directory)
	}
	return e
}

func (e *event) add(name string, value any) { e.fields = append(e.fields, field{name, value}) }

// number returns the short name of an id. Ids get numbers in the order of their first appearance.
func (l *Log) number(letter string, what int, id uint64) string {
	n, ok := l.numbers[what][id]
	if !ok {
		n = len(l.numbers[what]) + 1
		l.numbers[what][id] = n
	}
	return fmt.Sprintf("%s%d", letter, n)
}

// details adds the fields that only one kind of event has.
func (l *Log) details(e *event) {
	r := e.record
	switch r.event {
	case parallelBegin:
		e.add("requested", r.value)
		e.add("flags", flagWords(parallelFlags, r.flags))
	case parallelEnd:
		e.add("flags", flagWords(parallelFlags, r.flags))
	case implicitTask:
		e.add("size", r.value)
		e.add("index", r.extra)
		e.add("flags", flagWords(taskFlags, r.flags))
	case taskCreate:
		e.add("new", l.number("t", tasks, r.other))
		e.add("flags", flagWords(taskFlags, r.flags))
		e.add("dependences", r.extra)
	case taskSchedule, taskDependence:
		if r.other != 0 {
			e.add("next", l.number("t", tasks, r.other))
		}
	case dependences:
		e.add("number", fmt.Sprintf("%d/%d", r.extra+1, r.flags))
		e.add("variable", fmt.Sprintf("%#x", r.value))
	case work:
		e.add("count", r.value)
	case dispatch:
		if r.kind > 2 {
			e.add("start", r.value)
			e.add("iterations", r.other)
		}
	case mutexAcquire, lockInit:
		e.add("wait", l.number("w", waits, r.value))
		e.add("hint", r.flags)
		e.add("impl", r.extra)
	case mutexAcquired, mutexReleased, lockDestroy, nestLock:
		e.add("wait", l.number("w", waits, r.value))
	case cancel:
		e.add("flags", flagWords(cancelFlags, r.flags))
	case controlTool:
		e.add("command", r.value)
		e.add("modifier", r.other)
	case errorEvent:
		e.add("message", r.text)
	default:
		l.deviceDetails(e)
	}
}

func (l *Log) deviceDetails(e *event) {
	r := e.record
	switch r.event {
	case target, targetEMI, targetDataOp, targetDataOpEMI, targetSubmit, targetSubmitEMI, targetMap,
		targetMapEMI:
		if r.other != 0 { // 0 outside of constructs
			e.add(fieldTarget, l.number("g", targets, r.other))
		}
		l.targetDetails(e)
	case deviceInitialize:
		e.add(fieldDevice, int32(r.extra))
		e.add("type", r.text)
	case deviceFinalize:
		e.add(fieldDevice, int32(r.extra))
	case deviceLoad:
		e.add(fieldDevice, int32(r.extra))
		e.add("module", r.other)
		e.add("bytes", r.value)
		e.add("file", r.text)
	case deviceUnload:
		e.add(fieldDevice, int32(r.extra))
		e.add("module", r.other)
	}
}

func (l *Log) targetDetails(e *event) {
	r := e.record
	switch r.event {
	case target, targetEMI:
		e.add(fieldDevice, int32(r.extra))
		if r.value != 0 {
			e.add("target_task", l.number("t", tasks, r.value))
		}
	case targetDataOp, targetDataOpEMI:
		e.add("op", l.number("o", operations, r.more[0]))
		e.add("from", int32(r.flags))
		e.add("source", fmt.Sprintf("%#x", r.more[1]))
		e.add("to", int32(r.extra))
		e.add("destination", fmt.Sprintf("%#x", r.more[2]))
		e.add("bytes", r.value)
	case targetSubmit, targetSubmitEMI:
		e.add("op", l.number("o", operations, r.more[0]))
		e.add("teams", r.value)
	case targetMap, targetMapEMI:
		e.add("number", fmt.Sprintf("%d/%d", r.extra+1, r.flags))
		e.add("host", fmt.Sprintf("%#x", r.more[1]))
		e.add("device_address", fmt.Sprintf("%#x", r.more[2]))
		e.add("bytes", r.value)
		e.add("flags", flagWords(mapFlags, uint32(r.more[0])))
	}
}
