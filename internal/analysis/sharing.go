package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Sharing is what samples say of false sharing in a path: several threads at different bytes of the
// same lines of the cache. It is a heuristic.
type Sharing struct {
	Threads []int
	Lines   int   // of the cache
	Apart   int   // bytes, the least between two threads
	Samples int64 // at the bytes that one thread owns
	Codes   []LineSamples
	Stacks  map[int]int64 // samples by stack
}

// Measures reports whether a stack is in opari's own code.
func (r *Result) Measures(stack int) bool {
	for s := stack; s > 0 && s < len(r.Stacks); s = r.Stacks[s].Caller {
		if r.Stacks[s].Function == measuringCode {
			return true
		}
	}
	return false
}

// JoinSharing adds false sharing to that of a path; numbers are other numbers of its threads.
func (q *Path) JoinSharing(one *Sharing, numbers []int) {
	if one == nil {
		return
	}
	if q.sharing == nil {
		q.sharing = &Sharing{Apart: LineSize, Stacks: map[int]int64{}}
	}
	s := q.sharing
	s.Lines += one.Lines
	s.Samples += one.Samples
	s.Apart = min(s.Apart, one.Apart)
	for stack, n := range one.Stacks {
		s.Stacks[stack] += n
	}
	for _, t := range one.Threads {
		if numbers != nil {
			t = numbers[t]
		}
		if at, known := slices.BinarySearch(s.Threads, t); !known {
			s.Threads = slices.Insert(s.Threads, at, t)
		}
	}
}

// Sharing returns the false sharing in a path; nil: samples show none.
func (r *Result) Sharing(q *Path) *Sharing {
	if q.sharing == nil {
		return nil
	}
	s := *q.sharing
	for _, stack := range slices.Sorted(maps.Keys(s.Stacks)) {
		chain := r.Below(q, stack)
		if len(chain) == 0 {
			continue
		}
		code, n := chain[self(chain)], s.Stacks[stack]
		i := slices.IndexFunc(s.Codes, func(c LineSamples) bool {
			return c.File == code.File && c.Line == code.Line &&
				(c.Line > 0 || c.Function == code.Function)
		})
		if i < 0 {
			i, s.Codes = len(s.Codes), append(s.Codes, LineSamples{Code: code})
		}
		s.Codes[i].Self += n
		s.Codes[i].All += n
	}
	slices.SortStableFunc(s.Codes, func(x, y LineSamples) int {
		return cmp.Compare(y.Self, x.Self)
	})
	return &s
}

// namedCodes and namedThreads are how many the text of a finding names.
const (
	namedCodes   = 3
	namedThreads = 4
)

// Describe says what threads do to each other.
func (s *Sharing) Describe(r *Result) string {
	var who []string
	for _, t := range s.Threads {
		who = append(who, r.ThreadName(t))
	}
	if n := len(who); n > namedThreads {
		who = append(who[:namedThreads-1], fmt.Sprintf("%d more", n-namedThreads+1))
	}
	n := len(who) - 1
	text := "false sharing, a heuristic from samples: " + strings.Join(who[:n], ", ") + " and " +
		who[n] + " use data "
	if s.Lines == 1 {
		text += fmt.Sprintf("%d bytes apart in one line of the cache", s.Apart)
	} else {
		text += fmt.Sprintf("as near as %d bytes in %d lines of the cache", s.Apart, s.Lines)
	}
	for i, c := range s.Codes {
		if i == namedCodes || 10*c.Self < s.Codes[0].Self {
			break
		}
		joint := " at "
		if i > 0 {
			joint = ", "
		}
		text += joint + c.place()
	}
	return text
}

func (c Code) place() string {
	if c.Line == 0 {
		return c.Function
	}
	return fmt.Sprintf("%s:%d", filepath.Base(c.File), c.Line)
}

// Time returns the processor time for which the samples stand, in ns.
func (s *Sharing) Time(r *Result) int64 { return r.Samples.Time(s.Samples) }

// SharingAdvice says what to try against false sharing.
const SharingAdvice = "give each thread's data 64 bytes of its own (alignas(64), or padding), or " +
	"add up in a local variable and write the result once"
