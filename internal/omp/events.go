package omp

import "strings"

// EventType is the last part of a call's name: enter in POMP_For_enter.
type EventType string

// The types of events. A construct is entered and left by the thread that meets it; begin and end bracket its body on
// the thread that executes it; fork and join bracket the team's life on the thread that makes it.
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

// String is the name of the C function.
func (e Event) String() string { return "POMP_" + e.Name + "_" + string(e.Type) }

// eventTypes gives, for each rule, the types of its events in the order in which they happen.
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

// EventTypes gives the types of the events of a directive, in the order in which they happen; none where no call
// belongs to it.
func (d *Directive) EventTypes() []EventType { return eventTypes[d.Rule] }

// EventName is the NAME in POMP_NAME_enter for a program in lang: "For" in C, "Do" in Fortran.
func (d *Directive) EventName(lang Language) string {
	if lang != Fortran || d.Fortran == "" || d.Event == "" {
		return d.Event
	}
	return eventSpelling(d.Fortran)
}

// NameIn is the directive's name for a program in lang: "for" in C, "do" in Fortran.
func (d *Directive) NameIn(lang Language) string {
	if lang == Fortran && d.Fortran != "" {
		return d.Fortran
	}
	return d.Name
}

// eventSpelling makes "Target_enter_data" of "target enter data".
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

// OfKind is the directive of kind k, or nil for kinds that are no directive.
func OfKind(k Kind) *Directive {
	for i := range Directives {
		if k != KindNone && Directives[i].Kind == k {
			return &Directives[i]
		}
	}
	return nil
}

// LockRoutine is a runtime routine that is wrapped: POMP_Set_lock calls omp_set_lock and reports.
type LockRoutine struct {
	Name  string // "omp_set_lock"
	Event string // "Set_lock"
	Kind  Kind
	Hint  bool // a second argument, the hint
	Test  bool // returns int (C), logical (Fortran), or the nesting count
	Since Version
}

// LockRoutines lists them.
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

// Control is the NAME of a call POMP_NAME that takes no region of a directive: POMP_Init(), and
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

// TakesRegion says whether the call takes a region's descriptor and the user's pointer.
func (c Control) TakesRegion() bool { return c == ControlBegin || c == ControlEnd }

// String is the name of the C function.
func (c Control) String() string { return "POMP_" + string(c) }
