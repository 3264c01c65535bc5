package ompt

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A maker writes a random program, valid C and C++, whose sum is the same however its threads run: each statement adds constants by an atomic
// construct, and whatever may be cancelled adds nothing.
type maker struct {
	*rand.Rand
	text   strings.Builder
	indent int
	left   int // statements that may still be written
	next   int // what the next statement adds
}

// A where is what encloses a statement.
type where struct {
	depth int
	team  bool // each thread of a team comes by: worksharing and barriers are allowed
	calls bool // in main, or closely nested in its regions: the functions may be called
}

func (w where) inner(team bool) where {
	return where{depth: w.depth + 1, team: team, calls: w.calls && team}
}

const functions = 3

// randomProgram is the text of the program of a seed.
func randomProgram(seed uint64) string {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 1))}
	m.line("#include <omp.h>")
	m.line("#include <stdio.h>")
	m.line("static long sum, cell[4];")
	m.line("static omp_lock_t lock;")
	m.line("static omp_nest_lock_t nest;")
	m.line("static void add(long n)")
	m.block(func() {
		m.line("#pragma omp atomic")
		m.line("sum += n;")
	})
	for i := range functions {
		m.left = 6
		m.line("static void f%d(void)", i)
		m.block(func() { m.statements(where{depth: 2, team: true}) })
	}
	m.line("int main(void)")
	m.block(func() {
		m.line("omp_set_max_active_levels(3);")
		m.line("omp_init_lock(&lock);")
		m.line("omp_init_nest_lock(&nest);")
		for range 4 {
			m.left = 14
			m.parallel(where{calls: true})
		}
		for range 2 {
			m.left = 8
			m.statement(where{calls: true})
		}
		m.line("omp_destroy_nest_lock(&nest);")
		m.line("omp_destroy_lock(&lock);")
		m.line(`printf("%%ld %%ld\n", sum, cell[0] + cell[1] + cell[2] + cell[3]);`)
		m.line("return 0;")
	})
	return m.text.String()
}

func (m *maker) line(format string, args ...any) {
	m.text.WriteString(strings.Repeat("    ", m.indent))
	fmt.Fprintf(&m.text, format, args...)
	m.text.WriteByte('\n')
}

func (m *maker) block(inside func()) {
	m.line("{")
	m.indent++
	inside()
	m.indent--
	m.line("}")
}

func (m *maker) some(choices ...string) string { return choices[m.IntN(len(choices))] }

// add writes a statement that adds what no other adds.
func (m *maker) add() {
	m.next++
	m.line("add(%d);", m.next*m.next)
}

func (m *maker) statements(w where) {
	for range 1 + m.IntN(3) {
		m.statement(w)
	}
}

func (m *maker) statement(w where) {
	m.left--
	if m.left < 0 || w.depth > 5 {
		m.add()
		return
	}
	kinds := []func(where){m.leaf, m.exclusive, m.tasks, m.tasks, m.parallel}
	if w.team {
		kinds = append(kinds, m.loop, m.loop, m.sections, m.single, m.single, m.synchronize, m.cancelled)
	}
	if w.calls {
		kinds = append(kinds, func(where) { m.line("f%d();", m.IntN(functions)) })
	}
	kinds[m.IntN(len(kinds))](w)
}

func (m *maker) leaf(where) {
	m.add()
	if m.IntN(3) == 0 {
		m.line("#pragma omp %s", m.some("flush", "taskyield"))
	}
}

// exclusive is what one thread or task executes at a time, without anything that waits for another.
func (m *maker) exclusive(where) {
	switch m.IntN(4) {
	case 0:
		m.line("#pragma omp critical%s", m.some("", " (a)", " (b)"))
		m.block(m.add)
	case 1:
		m.line("omp_set_lock(&lock);")
		m.add()
		m.line("omp_unset_lock(&lock);")
	case 2:
		m.line("omp_set_nest_lock(&nest);")
		m.line("omp_set_nest_lock(&nest);")
		m.add()
		m.line("omp_unset_nest_lock(&nest);")
		m.line("omp_unset_nest_lock(&nest);")
	case 3:
		m.line("if (omp_test_lock(&lock))")
		m.indent++
		m.line("omp_unset_lock(&lock);")
		m.indent--
		m.add()
	}
}

// parallel is a region, alone or combined.
func (m *maker) parallel(w where) {
	clauses := fmt.Sprintf(" num_threads(%d)%s", 1+m.IntN(3), m.some("", "", "", " if(0)", " proc_bind(close)"))
	switch m.IntN(4) {
	case 0:
		m.line("#pragma omp parallel for%s%s", clauses, m.schedule())
		m.iterations(where{depth: w.depth + 1})
	case 1:
		m.line("#pragma omp parallel sections%s", clauses)
		m.eachSection(w)
	default:
		m.line("#pragma omp parallel%s", clauses)
		m.block(func() { m.statements(where{depth: w.depth + 1, team: true, calls: w.calls}) })
	}
}

func (m *maker) schedule() string {
	return m.some("", " schedule(static)", " schedule(static, 1)", " schedule(dynamic)", " schedule(dynamic, 2)", " schedule(guided)", " schedule(auto)", " schedule(runtime)")
}

func (m *maker) iterations(w where) {
	m.line("for (int i%d = 0; i%d < %d; i%d++)", w.depth, w.depth, m.IntN(6), w.depth)
	m.block(func() { m.statements(w) })
}

func (m *maker) eachSection(w where) {
	m.block(func() {
		for range 1 + m.IntN(3) {
			m.line("#pragma omp section")
			m.block(func() { m.statements(w.inner(false)) })
		}
	})
}

func (m *maker) nowait() string { return m.some("", "", " nowait") }

func (m *maker) loop(w where) {
	switch m.IntN(5) {
	case 0:
		m.line("#pragma omp for ordered%s", m.some("", " schedule(static, 1)", " schedule(dynamic)"))
		m.line("for (int i = 0; i < %d; i++)", m.IntN(6))
		m.block(func() {
			m.add()
			m.line("#pragma omp ordered")
			m.block(m.add)
		})
	case 1:
		m.line("#pragma omp for ordered(1)%s", m.some("", " schedule(dynamic)"))
		m.line("for (int i = 0; i < %d; i++)", m.IntN(6))
		m.block(func() {
			m.line("#pragma omp ordered depend(sink : i - 1)")
			m.add()
			m.line("#pragma omp ordered depend(source)")
		})
	case 2:
		m.line("#pragma omp for reduction(+ : cell[:2])%s", m.schedule())
		m.line("for (int i = 0; i < %d; i++)", m.IntN(6))
		m.block(func() { m.line("cell[i & 1] += i;") })
	default:
		m.line("#pragma omp for%s%s", m.schedule(), m.nowait())
		m.iterations(w.inner(false))
	}
}

func (m *maker) sections(w where) {
	m.line("#pragma omp sections%s", m.nowait())
	m.eachSection(w)
}

func (m *maker) single(w where) {
	switch m.IntN(4) {
	case 0:
		m.block(func() {
			m.line("long c = 0;")
			m.line("#pragma omp single copyprivate(c)")
			m.block(func() {
				m.line("c = %d;", 1+m.IntN(9))
				m.add()
			})
			m.line("add(c);")
		})
	case 1:
		m.line("#pragma omp %s", m.some("master", "masked"))
		m.block(func() { m.statements(w.inner(false)) })
	default:
		m.line("#pragma omp single%s", m.nowait())
		m.block(func() { m.statements(w.inner(false)) })
	}
}

func (m *maker) synchronize(w where) {
	if m.IntN(3) == 0 {
		m.line("#pragma omp scope%s", m.nowait())
		m.block(func() { m.statements(w.inner(true)) })
		return
	}
	m.line("#pragma omp barrier")
}

// cancelled leaves a construct before its end on some threads.
func (m *maker) cancelled(where) {
	switch m.IntN(3) {
	case 0:
		m.line("#pragma omp for%s", m.some("", " schedule(dynamic)"))
		m.line("for (int i = 0; i < 6; i++)")
		m.block(func() {
			m.line("#pragma omp cancel for if(i == %d)", m.IntN(6))
			m.line("#pragma omp cancellation point for")
		})
	case 1:
		m.line("#pragma omp parallel num_threads(%d)", 1+m.IntN(3))
		m.block(func() {
			m.line("#pragma omp cancel parallel if(omp_get_thread_num() == %d)", m.IntN(3))
			m.line("#pragma omp barrier")
		})
	case 2:
		m.line("#pragma omp taskgroup")
		m.block(func() {
			m.line("#pragma omp task")
			m.block(func() {
				m.line("#pragma omp cancel taskgroup if(%s)", m.some("0", "1"))
				m.line("#pragma omp cancellation point taskgroup")
			})
			m.line("#pragma omp task")
			m.line(";")
		})
	}
}

// tasks are explicit tasks and what waits for them.
func (m *maker) tasks(w where) {
	switch m.IntN(7) {
	case 0:
		m.line("#pragma omp taskwait%s", m.some("", "", " depend(in : cell[0])"))
	case 1:
		m.line("#pragma omp taskgroup")
		m.block(func() { m.statements(w.inner(false)) })
	case 2:
		m.line("#pragma omp taskloop%s", m.some("", " grainsize(2)", " num_tasks(3)", " nogroup"))
		m.iterations(where{depth: w.depth + 1})
	case 3:
		cell := m.IntN(4)
		for range 2 {
			m.line("#pragma omp task depend(inout : cell[%d])", cell)
			m.block(func() { m.statements(w.inner(false)) })
		}
	default:
		m.line("#pragma omp task%s", m.some("", "", " if(0)", " untied", " final(1)", " mergeable", " priority(2)"))
		m.block(func() { m.statements(w.inner(false)) })
	}
}
