package race

import (
	"fmt"
	"strings"

	"opari/internal/omp"
)

// loops are the constructs that deal out a loop's iterations.
var loops = []*omp.Directive{
	omp.DirectiveFor, omp.DirectiveDistribute, omp.DirectiveLoop,
	omp.DirectiveTaskloop,
}

var tasks = []*omp.Directive{omp.DirectiveTask, omp.DirectiveTaskloop, omp.DirectiveTarget}

// explain says why nothing orders the accesses, and what to try.
func (f *Finding) explain() {
	a, b := &f.Accesses[0], &f.Accesses[1]
	for _, rule := range []func(f *Finding, a, b *Access) bool{
		lockDiffers, atomicHalf, taskRace, sectionsRace, loopRace, unwaited, onePasses, teamRace,
	} {
		if rule(f, a, b) || rule(f, b, a) {
			return
		}
	}
	f.Why = "no construct orders the two accesses"
	f.Advice = "put a barrier between them, or protect both by the same critical or lock"
}

// variable is how a sentence calls the variable.
func (f *Finding) variable() string {
	if len(f.names) == 1 {
		return f.names[0]
	}
	return "the variable"
}

func innermost(a *Access, rows ...*omp.Directive) *region {
	for _, r := range a.chain {
		if r.is(rows...) {
			return r
		}
	}
	return nil
}

// same reports whether two regions are one construct.
func same(a, b *region) bool { return a != nil && b != nil && a.Construct == b.Construct }

func lockDiffers(f *Finding, a, b *Access) bool {
	mine, other := innermost(a, omp.DirectiveCritical), innermost(b, omp.DirectiveCritical)
	if mine == nil || same(mine, other) {
		return false
	}
	if other == nil {
		f.Why = fmt.Sprintf("the %s at %s is in a critical, the %s at %s is in none", a.Kind,
			a.Place, b.Kind, b.Place)
		f.Advice = "put the access at " + b.Place.String() + " into a critical of the same name"
		return true
	}
	if mine.Directive.Arg == other.Directive.Arg {
		return false
	}
	f.Why = fmt.Sprintf("critical(%s) and critical(%s) are two locks", mine.Directive.Arg,
		other.Directive.Arg)
	f.Advice = "give both critical constructs the same name"
	return true
}

func atomicHalf(f *Finding, a, b *Access) bool {
	if a.plain || !b.plain {
		return false
	}
	f.Why = fmt.Sprintf("the %s at %s is atomic, the %s at %s is not", strings.TrimPrefix(a.Kind,
		"atomic "), a.Place, b.Kind, b.Place)
	f.Advice = "put `atomic` before the access at " + b.Place.String() + ", too"
	return true
}

func taskRace(f *Finding, a, b *Access) bool {
	mine, other := innermost(a, tasks...), innermost(b, tasks...)
	if mine == nil || mine.is(omp.DirectiveTaskloop) ||
		mine.is(omp.DirectiveTarget) && !mine.has(omp.ClauseNowait) {
		return false
	}
	switch v := f.variable(); {
	case same(mine, other):
		f.Why = fmt.Sprintf("several tasks of the %s run at the same time", mine)
		f.Advice = "add depend(inout: " + v + "), an atomic, or in_reduction where it is a sum"
	case other != nil:
		f.Why = fmt.Sprintf("no dependence orders the tasks of the %s and the %s", mine, other)
		f.Advice = "add depend(out: " + v + ") and depend(in: " + v + "), or a taskwait between"
	default:
		f.Why = fmt.Sprintf("the task of the %s may run until the next taskwait or barrier, and "+
			"%s is not behind one", mine, b.Place)
		f.Advice = "put a taskwait before the access at " + b.Place.String() +
			", or the tasks into a taskgroup"
	}
	return true
}

func sectionsRace(f *Finding, a, b *Access) bool {
	mine, other := innermost(a, omp.DirectiveSections), innermost(b, omp.DirectiveSections)
	if !same(mine, other) {
		return false
	}
	f.Why = fmt.Sprintf("the sections of the %s run at the same time", mine)
	f.Advice = "make " + f.variable() + " private, or put both accesses into one section"
	return true
}

func loopRace(f *Finding, a, b *Access) bool {
	mine, other := innermost(a, loops...), innermost(b, loops...)
	if !same(mine, other) {
		return false
	}
	f.Why = fmt.Sprintf("iterations of the %s run at the same time", mine)
	f.adviseShared(a, b)
	return true
}

// adviseShared advises for a variable that all threads access in the same construct.
func (f *Finding) adviseShared(a, b *Access) {
	v := f.variable()
	indexed := strings.ContainsAny(indexOf(a.Source, v)+indexOf(b.Source, v), "[(")
	switch op := updates(a.Source, v); {
	case indexed && a.Place != b.Place || indexed && op == "" && a.write != b.write:
		f.Why += ", and one accesses an element of " + v + " that another one writes"
		f.Advice = "make each iteration use elements of its own, or order them: ordered " +
			"with depend, or another loop"
	case op != "" && !indexed:
		f.Why += ", and " + v + " is shared"
		f.Advice = "add reduction(" + op + ": " + v + "), or put `atomic` before the update"
	case indexed:
		f.Why += ", and two of them update the same element of " + v
		f.Advice = "put `atomic` before the update, or add a reduction over the array"
	default:
		f.Why += ", and " + v + " is shared by default"
		f.Advice = "make it private: declare it inside, or add private(" + v + ")"
	}
}

// indexOf returns what follows a name in a line.
func indexOf(line, name string) string {
	for _, at := range word.Get().FindAllStringIndex(line, -1) {
		if strings.EqualFold(line[at[0]:at[1]], name) {
			return strings.TrimLeft(line[at[1]:]+" ", " ")[:1]
		}
	}
	return ""
}

// updates returns the operator of a line that updates a variable by its old value; "" if it does
// not.
func updates(line, name string) string {
	for _, at := range word.Get().FindAllStringIndex(line, -1) {
		if !strings.EqualFold(line[at[0]:at[1]], name) {
			continue
		}
		before, rest := strings.TrimRight(line[:at[0]], " "), afterIndex(line[at[1]:])
		switch {
		case strings.HasPrefix(rest, "++"), strings.HasSuffix(before, "++"),
			strings.HasPrefix(rest, "--"), strings.HasSuffix(before, "--"):
			return "+"
		case len(rest) > 1 && rest[1] == '=' && strings.Contains("+-*&|^", rest[:1]):
			return strings.Replace(rest[:1], "-", "+", 1)
		case strings.HasPrefix(rest, "="):
			return operatorOf(rest[1:], name)
		}
		return ""
	}
	return ""
}

// operatorOf returns the operator beside a name in an expression; "" if the expression lacks it.
func operatorOf(expression, name string) string {
	for _, at := range word.Get().FindAllStringIndex(expression, -1) {
		if !strings.EqualFold(expression[at[0]:at[1]], name) {
			continue
		}
		before := strings.TrimRight(expression[:at[0]], " (")
		rest := afterIndex(expression[at[1]:])
		for _, op := range []string{"&&", "||", "+", "*", "&", "|", "^"} {
			if strings.HasPrefix(rest, op) || strings.HasSuffix(before, op) {
				return op
			}
		}
		if strings.HasPrefix(rest, "-") {
			return "+"
		}
	}
	return ""
}

// unwaited explains an access in a construct whose threads do not wait at its end.
func unwaited(f *Finding, a, b *Access) bool {
	for _, r := range a.chain {
		if !r.has(omp.ClauseNowait) || around(b, r) {
			continue
		}
		f.Why = fmt.Sprintf("no barrier stands between the `nowait` of the %s and the %s at %s", r,
			b.Kind, b.Place)
		f.Advice = "remove the nowait, or put a barrier before the access at " + b.Place.String()
		return true
	}
	return false
}

func around(a *Access, r *region) bool {
	for _, c := range a.chain {
		if same(c, r) {
			return true
		}
	}
	return false
}

// onePasses explains an access in a construct that one thread executes and none waits for.
func onePasses(f *Finding, a, b *Access) bool {
	r := innermost(a, omp.DirectiveMaster, omp.DirectiveMasked)
	if r == nil || around(b, r) {
		return false
	}
	f.Why = fmt.Sprintf("no thread waits for the %s, which has no barrier", r)
	f.Advice = "put a barrier between " + a.Place.String() + " and " + b.Place.String() +
		", or use single"
	return true
}

func teamRace(f *Finding, a, b *Access) bool {
	mine, other := innermost(a, omp.DirectiveParallel), innermost(b, omp.DirectiveParallel)
	switch {
	case !same(mine, other):
		return false
	case a.Place == b.Place:
		f.Why = fmt.Sprintf("all threads of the %s execute this line", mine)
		f.adviseShared(a, b)
	default:
		f.Why = fmt.Sprintf("threads of the %s execute both lines, and no barrier is between them",
			mine)
		f.Advice = "make " + f.variable() + " private if each thread needs its own; else put a " +
			"barrier between the lines, or both into a critical"
	}
	return true
}
