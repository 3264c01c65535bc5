package analysis

import (
	"cmp"
	"slices"
)

// Code is a place in the program's code that samples or their callers stand in. File is "" and Line
// 0 for code without debugging information.
type Code struct {
	Function, File string
	Line           int
}

// Stack is a place in the code with its callers. Caller is an index in Result.Stacks; 0 is unknown
// code, which calls the outermost functions.
type Stack struct {
	Caller int
	Code
}

// Samples are what the samples of a run are about. Stacks[0] is unknown code.
type Samples struct {
	Rate   int   // samples per second of a thread's processor time; 0: none were taken
	Lost   int64 // samples and other notes that the kernel dropped
	Stacks []Stack
}

// sampleKey says what samples of a path have in common. A thread that waits executes the runtime's
// code, which is not the program's work.
type sampleKey struct {
	thread int
	stack  int
	waits  bool
}

// Sample counts samples of a thread with a stack in a path, while it waited there or worked.
func (q *Path) Sample(thread, stack int, waits bool, n int64) {
	if q.samples == nil {
		q.samples = map[sampleKey]int64{}
	}
	q.samples[sampleKey{thread, stack, waits}] += n
}

// joinSamples adds the samples of one rank.
func (q *Path) joinSamples(one *Path, numbers []int) {
	for key, n := range one.samples {
		q.Sample(numbers[key.thread], key.stack, key.waits, n)
	}
}

// Sampled returns how many samples a path has of each stack while a thread worked there; thread < 0
// means all threads.
func (q *Path) Sampled(thread int) map[int]int64 {
	counts := map[int]int64{}
	for key, n := range q.samples {
		if !key.waits && (thread < 0 || key.thread == thread) {
			counts[key.stack] += n
		}
	}
	return counts
}

// measuringCode is the function by which a trace calls opari's library and the text that it
// inserted. Measuring says the same to people.
const (
	measuringCode = "<opari>"
	Measuring     = "measuring"
)

// Below returns the code of a stack from the construct of a path inward: the innermost function
// comes last. The functions around the construct are those around its path. Code without lines at
// either end is the runtime's or a library's; at the inner end it stays. What opari's library calls
// is part of measuring.
func (r *Result) Below(q *Path, stack int) []Code {
	var chain []Code
	for s := stack; s > 0 && s < len(r.Stacks); s = r.Stacks[s].Caller {
		chain = append(chain, r.Stacks[s].Code)
	}
	slices.Reverse(chain)
	for i, c := range chain {
		if c.Function == measuringCode {
			chain = append(chain[:i], Code{Function: Measuring})
			break
		}
	}
	for i, c := range chain {
		if c.Line >= q.Line && c.Line <= max(q.End, q.Line) && c.File == q.File && c.File != "" {
			return chain[i:]
		}
	}
	for i, c := range chain {
		if c.Line > 0 {
			return chain[i:]
		}
	}
	return chain
}

// LineSamples is how many samples stand at a line of the source, or in what it calls.
type LineSamples struct {
	Code            // Function is the one with most of the samples
	Self, All int64 // at the line; with those in functions called there
}

// Lines returns the lines at which threads worked in some paths, those with most samples first;
// thread < 0 means all threads. The sum of Self is count. What has no line counts for its caller's
// line.
func (r *Result) Lines(paths []*Path, thread int) (lines []LineSamples, count int64) {
	type place struct {
		file string
		line int
	}
	index := map[place]int{}
	at := func(c Code) *LineSamples {
		p := place{c.File, c.Line}
		if c.Line == 0 {
			p.file = c.Function // one row for all code of a function without lines
		}
		i, known := index[p]
		if !known {
			i = len(lines)
			index[p] = i
			lines = append(lines, LineSamples{Code: c})
		}
		return &lines[i]
	}
	for _, q := range paths {
		for stack, n := range q.Sampled(thread) {
			count += n
			chain := r.Below(q, stack)
			if len(chain) == 0 {
				chain = []Code{{Function: "unknown code"}}
			}
			self := self(chain)
			at(chain[self]).Self += n
			seen := map[place]bool{}
			for _, c := range chain[:self+1] {
				if p := (place{c.File, c.Line}); c.Line > 0 && !seen[p] {
					seen[p] = true
					at(c).All += n
				}
			}
			if chain[self].Line == 0 {
				at(chain[self]).All += n
			}
		}
	}
	slices.SortFunc(lines, func(x, y LineSamples) int {
		return cmp.Or(cmp.Compare(y.Self, x.Self), cmp.Compare(y.All, x.All),
			cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line),
			cmp.Compare(x.Function, y.Function))
	})
	return lines, count
}

// self returns the index of the code for which a sample counts, in its stack from the construct
// inward.
func self(chain []Code) int {
	i := len(chain) - 1
	for i > 0 && chain[i].Line == 0 && chain[i].Function != Measuring && hasLine(chain[:i]) {
		i--
	}
	return i
}

func hasLine(chain []Code) bool {
	return slices.ContainsFunc(chain, func(c Code) bool { return c.Line > 0 })
}

// Time returns the processor time that samples stand for, in ns.
func (s *Samples) Time(count int64) int64 {
	if s.Rate == 0 {
		return 0
	}
	return int64(float64(count) * 1e9 / float64(s.Rate))
}
