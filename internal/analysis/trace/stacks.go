package trace

import (
	"strconv"
	"strings"

	"opari/internal/analysis"
)

// rawStack is a stack as the trace defines it: numbers of another stack and of a function.
type rawStack struct{ caller, function uint32 }

// sampleComment reads a comment on samples, and returns false for any other comment.
func (d *Definitions) sampleComment(text string) bool {
	if rest, is := strings.CutPrefix(text, "samples: "); is {
		d.Samples.Rate = int(numberOf(strings.TrimSuffix(rest, " a second")))
		return true
	}
	if rest, is := strings.CutPrefix(text, "samples lost: "); is {
		d.Samples.Lost = numberOf(rest)
		return false // it is a note, too
	}
	rest, is := strings.CutPrefix(text, "stack ")
	if !is {
		return false
	}
	number, frame, _ := strings.Cut(rest, ": ")
	caller, function, _ := strings.Cut(frame, " ")
	var parts [3]uint64
	for i, part := range []string{number, caller, function} {
		n, err := strconv.ParseUint(part, 10, 32)
		if err != nil {
			return false
		}
		parts[i] = n
	}
	if parts[0] > 0 && parts[1] < parts[0] {
		d.rawStacks[uint32(parts[0])] = rawStack{uint32(parts[1]), uint32(parts[2])}
	}
	return true
}

// resolveStacks finds the code of each stack. A number that no comment defines is unknown code.
func (d *Definitions) resolveStacks() {
	if len(d.rawStacks) == 0 {
		return
	}
	last, most := uint32(0), uint32(4*len(d.rawStacks)+1000) // a damaged number takes no memory
	for number := range d.rawStacks {
		if number <= most {
			last = max(last, number)
		}
	}
	d.Samples.Stacks = make([]analysis.Stack, last+1)
	for number, raw := range d.rawStacks {
		f, known := d.raw[raw.function]
		if !known || number > last {
			continue
		}
		s := analysis.Stack{Caller: int(raw.caller), Code: analysis.Code{Function: f.name}}
		if at, is := d.places[f.source]; is {
			s.File, s.Line = d.files[at.file], int(min(at.line, 1<<31-1))
		}
		d.Samples.Stacks[number] = s
	}
	d.rawStacks = nil
}
