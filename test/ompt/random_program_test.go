package ompt

import (
	"fmt"
	"math/rand/v2"
)

// A maker writes a random program, in Fortran or in the common part of C and C++. Its sum does
// not depend on how its threads run: each statement adds a constant by an atomic construct, and
// whatever may be cancelled adds nothing.
type maker struct {
	*rand.Rand
	programText
	left int // statements that may still be written
	next int // what the next statement adds
}

// A where is the context of a statement.
type where struct {
	depth int
	team  bool // all threads of a team get here: worksharing and barriers are allowed
	calls bool // in main, or closely nested in its regions: the functions may be called
	other bool // in target, where a scalar lock would be a copy
	led   bool // certainly in a parallel region
}

func (w where) inner(team bool) where {
	return where{depth: w.depth + 1, team: team, calls: w.calls && team, other: w.other, led: w.led}
}

// region returns the context that is closely nested in a new parallel region.
func (w where) region() where {
	return where{depth: w.depth + 1, team: true, calls: w.calls, other: w.other, led: true}
}

func (w where) mapped() where {
	w.other, w.calls = true, false
	return w
}

const procedures = 3

// randomProgram returns the text of the program for a seed.
func randomProgram(seed uint64, fortran bool) string {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 1)), programText: programText{fortran: fortran}}
	m.begin()
	for i := range procedures {
		m.left = 6
		m.function(i, func() { m.statements(where{depth: 2, team: true}) })
	}
	m.main(func() {
		for range 4 {
			m.left = 14
			m.parallel(where{calls: true})
		}
		for range 2 {
			m.left = 8
			m.statement(where{calls: true})
		}
		m.left = 8
		m.league()
	})
	return m.text.String()
}

func (m *maker) some(choices ...string) string { return choices[m.IntN(len(choices))] }

// add writes a statement that adds a number of its own.
func (m *maker) add() {
	m.next++
	m.call("add", m.next*m.next)
}

func (m *maker) statements(w where) {
	for range 1 + m.IntN(3) {
		m.statement(w)
	}
}

func (m *maker) body(w where) func() { return func() { m.statements(w) } }

func (m *maker) statement(w where) {
	m.left--
	if m.left < 0 || w.depth > 5 {
		m.add()
		return
	}
	kinds := []func(where){m.leaf, m.exclusive, m.tasks, m.tasks, m.parallel}
	if w.depth < 3 && !w.other {
		kinds = append(kinds, m.target)
	}
	if w.team {
		kinds = append(kinds, m.loop, m.loop, m.sections, m.single, m.single, m.synchronize,
			m.cancelled)
	}
	if w.calls {
		kinds = append(kinds, func(where) { m.call(fmt.Sprint("f", m.IntN(procedures))) })
	}
	kinds[m.IntN(len(kinds))](w)
}

func (m *maker) leaf(where) {
	m.add()
	if m.IntN(3) == 0 {
		m.alone(m.some("flush", "taskyield"))
	}
}

// exclusive writes code that one thread or task executes at a time, without waiting for another
// inside.
func (m *maker) exclusive(w where) {
	kind := m.IntN(4)
	if w.other {
		kind = 0
	}
	switch kind {
	case 0:
		m.construct("critical", m.some("", " (a)", " (b)"), "", m.add)
	case 1:
		m.call("omp_set_lock", "lock")
		m.add()
		m.call("omp_unset_lock", "lock")
	case 2:
		for range 2 {
			m.call("omp_set_nest_lock", "nest")
		}
		m.add()
		for range 2 {
			m.call("omp_unset_nest_lock", "nest")
		}
	case 3:
		m.when("omp_test_lock", "lock", func() { m.call("omp_unset_lock", "lock") })
		m.add()
	}
}

// parallel writes a parallel region, alone or combined.
func (m *maker) parallel(w where) {
	w.led = true
	clauses := fmt.Sprintf(" num_threads(%d)%s", 1+m.IntN(3),
		m.some("", "", "", " if("+m.truth(false)+")", " proc_bind(close)"))
	switch m.IntN(4) {
	case 0:
		m.shared("parallel for", clauses+m.schedule(), "", fmt.Sprint("i", w.depth), m.IntN(6),
			m.body(w.inner(false)))
	case 1:
		m.eachSection("parallel sections", clauses, "", w)
	default:
		m.construct("parallel", clauses, "", m.body(w.region()))
	}
}

func (m *maker) schedule() string {
	return m.some("", " schedule(static)", " schedule(static, 1)", " schedule(dynamic)",
		" schedule(dynamic, 2)", " schedule(guided)", " schedule(auto)", " schedule(runtime)")
}

func (m *maker) eachSection(name, clauses, nowait string, w where) {
	m.construct(name, clauses, nowait, func() {
		for range 1 + m.IntN(3) {
			m.section(m.body(w.inner(false)))
		}
	})
}

func (m *maker) nowait() string { return m.some("", "", " nowait") }

func (m *maker) loop(w where) {
	switch m.IntN(5) {
	case 0:
		m.shared("for", " ordered"+m.some("", " schedule(static, 1)", " schedule(dynamic)"), "",
			"i", m.IntN(6), func() {
				m.add()
				m.construct("ordered", "", "", m.add)
			})
	case 1:
		m.shared("for", " ordered(1)"+m.some("", " schedule(dynamic)"), "", "i", m.IntN(6), func() {
			m.alone("ordered depend(sink : i - 1)")
			m.add()
			m.alone("ordered depend(source)")
		})
	case 2:
		m.shared("for", " reduction(+ : "+m.both("pair[:2]", "pair")+")"+m.schedule(), "", "i",
			m.IntN(6), func() {
				m.line("%s", m.both("pair[i & 1] += i;", "pair(iand(i, 1)) = pair(iand(i, 1)) + i"))
			})
	default:
		m.shared("for", m.schedule(), m.nowait(), fmt.Sprint("i", w.depth), m.IntN(6),
			m.body(w.inner(false)))
	}
}

func (m *maker) sections(w where) { m.eachSection("sections", "", m.nowait(), w) }

func (m *maker) single(w where) {
	switch m.IntN(4) {
	case 0:
		m.copied(func() {
			m.line("%s", fmt.Sprintf("c = %d", 1+m.IntN(9))+m.both(";", ""))
			m.add()
		})
	case 1:
		m.construct(m.some("master", "masked"), "", "", m.body(w.inner(false)))
	default:
		m.construct("single", "", m.nowait(), m.body(w.inner(false)))
	}
}

func (m *maker) synchronize(w where) {
	if m.IntN(3) == 0 {
		m.construct("scope", "", m.nowait(), m.body(w.inner(true)))
		return
	}
	m.alone("barrier")
}

// cancelled writes a construct that some threads leave before its end.
func (m *maker) cancelled(where) {
	switch m.IntN(3) {
	case 0:
		m.shared("for", m.some("", " schedule(dynamic)"), "", "i", 6, func() {
			m.alone(fmt.Sprintf("cancel %s if(i == %d)", m.both("for", "do"), m.IntN(6)))
			m.alone("cancellation point " + m.both("for", "do"))
		})
	case 1:
		m.construct("parallel", fmt.Sprintf(" num_threads(%d)", 1+m.IntN(3)), "", func() {
			m.alone(fmt.Sprintf("cancel parallel if(omp_get_thread_num() == %d)", m.IntN(3)))
			m.alone("barrier")
		})
	case 2:
		m.construct("taskgroup", "", "", func() {
			m.construct("task", "", "", func() {
				m.alone("cancel taskgroup if(" + m.truth(m.IntN(2) == 0) + ")")
				m.alone("cancellation point taskgroup")
			})
			m.construct("task", "", "", func() {})
		})
	}
}

// target writes code that the host executes without a device.
func (m *maker) target(w where) {
	threads := fmt.Sprintf(" num_threads(%d)", 1+m.IntN(3))
	switch m.IntN(5) {
	case 0:
		m.construct("target parallel", threads, "", m.body(w.mapped().region()))
	case 1:
		m.shared("target teams distribute parallel for", threads, "", "i", m.IntN(6), m.add)
	case 2:
		m.construct("target data", " map(tofrom : pair)", "", m.body(w.inner(false)))
	case 3:
		m.alone("target update to(pair)")
	default:
		clauses := m.some("", " nowait", " if("+m.truth(false)+")")
		if !w.led && clauses == " nowait" {
			// Outside of any region GCC's runtime creates a team for it, and a later region may
			// hang.
			clauses = ""
		}
		m.construct("target", clauses, "", m.body(w.mapped().inner(false)))
		m.alone("taskwait")
	}
}

// league writes some teams on the host, outside of all parallel regions.
func (m *maker) league() {
	m.construct("teams", fmt.Sprintf(" num_teams(%d)", 1+m.IntN(3)), "", func() {
		switch clauses := m.some("", " dist_schedule(static, 1)"); m.IntN(4) {
		case 0:
			m.shared("distribute", clauses, "", "i0", m.IntN(6), m.body(where{depth: 2}))
		case 1:
			m.shared("distribute parallel for", clauses+m.schedule(), "", "i", m.IntN(6), m.add)
		default:
			m.parallel(where{depth: 1})
		}
	})
}

// tasks writes explicit tasks and the waits for them.
func (m *maker) tasks(w where) {
	switch m.IntN(7) {
	case 0:
		m.alone("taskwait" + m.some("", "", " depend(in : "+m.cell(0)+")"))
	case 1:
		m.construct("taskgroup", "", "", m.body(w.inner(false)))
	case 2:
		clauses := m.some("", " grainsize(2)", " num_tasks(3)", " nogroup")
		m.shared("taskloop", clauses, "", fmt.Sprint("i", w.depth), m.IntN(6),
			m.body(w.inner(false)))
	case 3:
		cell := m.cell(m.IntN(4))
		for range 2 {
			m.construct("task", " depend(inout : "+cell+")", "", m.body(w.inner(false)))
		}
	default:
		clauses := m.some("", "", " if("+m.truth(false)+")", " untied", " final("+m.truth(true)+")",
			" mergeable", " priority(2)")
		m.construct("task", clauses, "", m.body(w.inner(false)))
	}
}
