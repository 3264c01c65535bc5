package otf

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
)

// space is a set of tokens: those of one kind of definition.
type space uint8

const (
	noSpace space = iota
	processSpace
	groupSpace
	functionSpace
	functionGroupSpace
	collectiveSpace
	counterSpace
	counterGroupSpace
	sourceSpace
	fileSpace
	spaces
)

var spaceOf = map[RecordType]space{
	DefProcessRecord: processSpace, DefProcessGroupRecord: groupSpace,
	DefFunctionRecord: functionSpace, DefFunctionGroupRecord: functionGroupSpace,
	DefCollectiveOperationRecord: collectiveSpace, DefCounterRecord: counterSpace,
	DefCounterGroupRecord: counterGroupSpace,
	DefSclRecord:          sourceSpace, DefSclFileRecord: fileSpace,
}

// other returns the space whose tokens may replace this one's: groups for processes, and vice
// versa (A.1.18).
func (in space) other() space {
	switch in {
	case processSpace:
		return groupSpace
	case groupSpace:
		return processSpace
	}
	return in
}

// tokenField is a number in a record that is a token.
type tokenField struct {
	slot int // in Record.Values
	in   space
}

// tokenFields maps a record's type to its references to definitions. They exclude a definition's
// own token, which is Values[0], members of groups, and the process that a time belongs to.
var tokenFields = sync.OnceValue(func() map[RecordType][]tokenField {
	out := map[RecordType][]tokenField{}
	for i := range Records() {
		k := &Records()[i]
		for _, f := range k.Fields {
			to, refers := referred[f.Name]
			own := spaceOf[k.Type] != noSpace && f.Slot == 0
			if refers && f.Kind == Token && !own {
				out[k.Type] = append(out[k.Type], tokenField{f.Slot, spaceOf[to]})
			}
		}
	}
	return out
})

// scopedToken is a token in the scope of a stream; stream 0 is the global scope.
type scopedToken struct {
	stream uint32
	in     space
	token  uint32
}

// tokens holds the definitions of a trace, and the global tokens that replace those of single
// streams.
type tokens struct {
	master  *MasterControl
	order   []*Record               // as read
	defined map[scopedToken]*Record // by their tokens as read
	locals  map[uint32]bool         // streams with their own definitions
	global  map[scopedToken]uint32  // the global tokens found so far; 0: find is at work on it
	// global tokens by the text of their definition without the token
	means map[string][]uint32
	// the used global tokens, and the replacements of each stream's own
	taken   map[scopedToken]struct{}
	last    [spaces]uint32 // the largest token
	changes bool           // at least one token changes
}

func newTokens(master *MasterControl) *tokens {
	t := &tokens{
		master: master, defined: map[scopedToken]*Record{}, locals: map[uint32]bool{},
		global: map[scopedToken]uint32{},
		means:  map[string][]uint32{}, taken: map[scopedToken]struct{}{},
	}
	for _, e := range master.Entries() {
		for _, p := range e.Processes {
			t.last[processSpace] = max(t.last[processSpace], p)
		}
	}
	return t
}

// isProcess reports whether a token is a process of the master file. Such processes are the same
// in all streams.
func (t *tokens) isProcess(in space, token uint32) bool {
	_, known := t.master.StreamOf(token)
	return in == processSpace && known
}

// add takes a definition. For a process of the master file, the definition of its own stream
// counts, or else the first one.
func (t *tokens) add(r *Record) error {
	d := *r
	d.Members, d.Line, d.Extra = slices.Clone(r.Members), bytes.Clone(r.Line), bytes.Clone(r.Extra)
	at := scopedToken{d.Stream, spaceOf[d.Type], uint32(d.Values[0])}
	if at.in == noSpace {
		t.order = append(t.order, &d)
		return nil
	}
	t.last[at.in] = max(t.last[at.in], at.token)
	t.locals[d.Stream] = t.locals[d.Stream] || d.Stream != 0
	process := t.isProcess(at.in, at.token)
	if process {
		at.stream = 0
	}
	old := t.defined[at]
	switch owner, _ := t.master.StreamOf(at.token); {
	case old == nil:
		t.defined[at] = &d
		t.order = append(t.order, &d)
	case process && d.Stream != 0:
		if owner == d.Stream {
			*old = d
		}
	case d.Stream == 0:
		t.order = append(t.order, &d) // a repeated definition stays repeated
	case text(&d, at.token) != text(old, at.token):
		return fmt.Errorf("stream %x defines %s %d twice, differently", d.Stream, d.Type, at.token)
	}
	return nil
}

// text returns the short form of a definition with token in place of its own.
func text(d *Record, token uint32) string {
	same := *d
	same.Values[0] = uint64(token)
	return string(appendRecord(nil, &same, FormatShort))
}

// unify finds the global tokens of all definitions and translates them. Definitions with the same
// meaning get one token, and a token keeps its number if possible.
func (t *tokens) unify() {
	for _, d := range t.order {
		at := scopedToken{0, spaceOf[d.Type], uint32(d.Values[0])}
		if at.in == noSpace || d.Stream != 0 || t.isProcess(at.in, at.token) {
			continue
		}
		t.taken[at] = struct{}{}
		key := text(d, 0)
		t.means[key] = append(t.means[key], at.token)
	}
	for _, d := range t.order {
		at := scopedToken{d.Stream, spaceOf[d.Type], uint32(d.Values[0])}
		switch {
		case at.in == noSpace || d.Stream == 0:
		case t.isProcess(at.in, at.token):
			t.translate(d)
		case t.defined[at] == d:
			t.find(at)
		}
	}
}

// find returns the global token of a token in a stream.
func (t *tokens) find(at scopedToken) uint32 {
	if at.token == 0 || t.isProcess(at.in, at.token) {
		return at.token
	}
	d := t.defined[at]
	if d == nil {
		at.in = at.in.other()
		if d = t.defined[at]; d == nil || t.isProcess(at.in, at.token) {
			return at.token // a global token, or an undefined one
		}
	}
	if token, known := t.global[at]; known {
		if token == 0 {
			return at.token // groups that contain each other
		}
		return token
	}
	t.global[at] = 0
	t.translate(d)
	token := t.choose(at, text(d, 0))
	t.global[at] = token
	t.taken[scopedToken{at.stream, at.in, token}] = struct{}{}
	t.changes = t.changes || token != at.token
	d.Values[0] = uint64(token)
	return token
}

// choose returns a global token for a definition. Two equal definitions of one stream stay two.
func (t *tokens) choose(at scopedToken, meaning string) uint32 {
	var known uint32
	for _, token := range t.means[meaning] {
		_, given := t.taken[scopedToken{at.stream, at.in, token}]
		if !given && (known == 0 || token == at.token) {
			known = token
		}
	}
	if known != 0 {
		return known
	}
	token, other := at.token, at.in.other()
	if t.isTaken(at.in, token) || t.isTaken(other, token) {
		token = max(t.last[at.in], t.last[other]) + 1
		t.last[at.in] = token
	}
	t.taken[scopedToken{0, at.in, token}] = struct{}{}
	t.means[meaning] = append(t.means[meaning], token)
	return token
}

func (t *tokens) isTaken(in space, token uint32) bool {
	_, given := t.taken[scopedToken{0, in, token}]
	return given || t.isProcess(in, token)
}

// translate replaces a record's references by those to the global definitions.
func (t *tokens) translate(r *Record) {
	if r.Type == UnknownRecord || !t.locals[r.Stream] {
		return
	}
	for _, f := range tokenFields()[r.Type] {
		r.Values[f.slot] = uint64(t.find(scopedToken{r.Stream, f.in, uint32(r.Values[f.slot])}))
	}
	if r.Type == DefProcessGroupRecord {
		for i, m := range r.Members {
			r.Members[i] = t.find(scopedToken{r.Stream, processSpace, m})
		}
	}
}
