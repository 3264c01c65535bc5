package omp

import (
	"slices"
	"strings"
)

// EventType is the last part of a call's name: enter in POMP_For_enter.
type EventType string

// The types of events. The encountering thread enters and exits a construct. The thread that
// executes the body calls begin and end around it. The thread that creates a team calls fork and
// join around the team's life.
const (
	Enter       EventType = "enter"
	Exit        EventType = "exit"
	BeginBody   EventType = "begin"
	EndBody     EventType = "end"
	ForkTeam    EventType = "fork"
	JoinTeam    EventType = "join"
	CreateBegin EventType = "create_begin"
	CreateEnd   EventType = "create_end"
)

// Event is one call of the interface: POMP_<Name>_<Type>.
type Event struct {
	Name string
	Type EventType
	Kind Kind
}

// String returns the name of the C function.
func (e Event) String() string { return "POMP_" + e.Name + "_" + string(e.Type) }

// eventTypes holds, for each rule, the types of its events in the order in which they happen.
var eventTypes = [...][]EventType{
	Keep:        nil,
	Fork:        {ForkTeam, BeginBody, EndBody, JoinTeam},
	Enclose:     {Enter, Exit},
	EncloseBody: {Enter, BeginBody, EndBody, Exit},
	Body:        {BeginBody, EndBody},
	Point:       {Enter, Exit},
	Task:        {CreateBegin, BeginBody, EndBody, CreateEnd},
	HostOnly:    {Enter, Exit},
}

// EventTypes returns the types of the events of a directive, in the order in which they happen.
// It returns none where no call belongs to the directive.
func (d *Directive) EventTypes() []EventType { return eventTypes[d.Rule] }

// EventName returns the NAME in POMP_NAME_enter for a program in lang: "For" in C, "Do" in
// Fortran.
func (d *Directive) EventName(lang Language) string {
	if lang != Fortran || d.Fortran == "" || d.Event == "" {
		return d.Event
	}
	return eventSpelling(d.Fortran)
}

// NameIn returns the directive's name for a program in lang: "for" in C, "do" in Fortran.
func (d *Directive) NameIn(lang Language) string {
	if lang == Fortran && d.Fortran != "" {
		return d.Fortran
	}
	return d.Name
}

// eventSpelling turns "target enter data" into "Target_enter_data".
func eventSpelling(name string) string {
	return strings.ToUpper(name[:1]) + strings.ReplaceAll(name[1:], " ", "_")
}

// Events lists every event that takes a region's descriptor, in the order of the kinds.
func Events() []Event {
	var es []Event
	for _, k := range Kinds() {
		d := OfKind(k)
		if d == nil {
			continue
		}
		names := []string{d.Event}
		if d.Fortran != "" {
			names = append(names, d.EventName(Fortran))
		}
		for _, n := range names {
			for _, t := range d.EventTypes() {
				es = append(es, Event{n, t, k})
			}
		}
	}
	return es
}

// OfKind returns the directive of kind k, or nil for a kind that is no directive.
func OfKind(k Kind) *Directive {
	for i := range Directives {
		if k != KindNone && Directives[i].Kind == k {
			return &Directives[i]
		}
	}
	return nil
}

// LockRoutine is a wrapped runtime routine: POMP_Set_lock calls omp_set_lock and reports it.
type LockRoutine struct {
	Name  string // "omp_set_lock"
	Event string // "Set_lock"
	Kind  Kind
	Hint  bool // it has a second argument, the hint
	Test  bool // it returns int (C), logical (Fortran), or the nesting count
	Since Version
}

// LockRoutines is the table of the lock routines.
var LockRoutines = []LockRoutine{
	{"omp_init_lock", "Init_lock", KindLock, false, false, 10},
	{"omp_init_lock_with_hint", "Init_lock_with_hint", KindLock, true, false, 45},
	{"omp_destroy_lock", "Destroy_lock", KindLock, false, false, 10},
	{"omp_set_lock", "Set_lock", KindLock, false, false, 10},
	{"omp_unset_lock", "Unset_lock", KindLock, false, false, 10},
	{"omp_test_lock", "Test_lock", KindLock, false, true, 10},
	{"omp_init_nest_lock", "Init_nest_lock", KindNestLock, false, false, 10},
	{"omp_init_nest_lock_with_hint", "Init_nest_lock_with_hint", KindNestLock, true, false, 45},
	{"omp_destroy_nest_lock", "Destroy_nest_lock", KindNestLock, false, false, 10},
	{"omp_set_nest_lock", "Set_nest_lock", KindNestLock, false, false, 10},
	{"omp_unset_nest_lock", "Unset_nest_lock", KindNestLock, false, false, 10},
	{"omp_test_nest_lock", "Test_nest_lock", KindNestLock, false, true, 10},
}

// TestsLock reports whether a routine only tests a lock, and does not wait for it.
func TestsLock(routine string) bool {
	return slices.ContainsFunc(LockRoutines, func(r LockRoutine) bool {
		return r.Name == routine && r.Test
	})
}

// A Control is the NAME of a call POMP_NAME that takes no region of a directive: POMP_Init(), and
// POMP_Begin(d, user) for user regions.
type Control string

// The controls.
const (
	ControlInit     Control = "Init"
	ControlFinalize Control = "Finalize"
	ControlOn       Control = "On"
	ControlOff      Control = "Off"
	ControlBegin    Control = "Begin"
	ControlEnd      Control = "End"
)

// Controls lists them.
var Controls = []Control{
	ControlInit, ControlFinalize, ControlOn, ControlOff, ControlBegin, ControlEnd,
}

// TakesRegion reports whether the call takes a region's descriptor and the user's pointer.
func (c Control) TakesRegion() bool { return c == ControlBegin || c == ControlEnd }

// String returns the name of the C function.
func (c Control) String() string { return "POMP_" + string(c) }
