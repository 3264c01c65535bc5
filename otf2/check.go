package otf2

import (
	"errors"
	"fmt"
	"os"
	"slices"
)

// Problem is a mistake that Check has found.
type Problem struct {
	Error
	Warning bool // readers accept it
}

// checker checks an archive.
type checker struct {
	reader  *Reader
	report  func(Problem)
	defined map[string]map[uint64]bool // by the type that refers to them
	events  map[uint64]uint64          // how many, by the definitions of the locations
}

// Check reads all files of an archive and reports mistakes: damage, numbers that nothing defines,
// times that go back, regions that do not nest, wrong numbers of events. progress, if not nil, gets
// the bytes done and all bytes. The error is that of opening the archive.
func Check(path string, report func(Problem), progress func(done, size int64)) error {
	r, err := OpenReader(path, 100)
	if err != nil {
		var damage *Error
		if !errors.As(err, &damage) {
			return err
		}
		report(Problem{Error: *damage})
		return nil
	}
	defer r.Close()
	c := &checker{
		reader: r, report: report, defined: map[string]map[uint64]bool{},
		events: map[uint64]uint64{},
	}
	if !c.definitions() {
		return nil
	}
	locations, err := r.Locations()
	if err != nil {
		return err
	}
	for i, id := range locations {
		if progress != nil {
			progress(int64(i), int64(len(locations)))
		}
		c.location(id)
	}
	if f, err := openRFile(r.files, r.stub+".marker", Markers, Undefined,
		int64(r.Anchor.DefinitionChunk)); err == nil && f != nil {
		c.each(f, func(*Record) {})
	}
	return nil
}

// each reads a file to its end, and reports why it does not get there.
func (c *checker) each(f *rfile, do func(*Record)) bool {
	var r Record
	for {
		more, err := f.next(&r)
		if err != nil {
			c.damage(f, err)
			return false
		}
		if !more {
			return true
		}
		do(&r)
	}
}

func (c *checker) damage(f *rfile, err error) {
	var damage *Error
	if !errors.As(err, &damage) {
		damage = &Error{Path: f.path, What: err.Error()}
	}
	c.report(Problem{Error: *damage})
}

// problem reports a mistake in the record that f has read last.
func (c *checker) problem(f *rfile, warning bool, format string, args ...any) {
	c.report(Problem{
		Warning: warning,
		Error: Error{
			Path: f.path, Chunk: f.last/f.chunk + 1, Offset: f.last,
			What: fmt.Sprintf(format, args...),
		},
	})
}

// sameNumbers are types whose definitions share their numbers.
var sameNumbers = map[string]string{
	"IoRegularFile": "IoFile", "IoDirectory": "IoFile", "MetricClass": "Metric",
	"MetricInstance": "Metric", "InterComm": "Comm",
}

// definitions checks the global definitions. It returns false if they cannot be read.
func (c *checker) definitions() bool {
	a := c.reader.Anchor
	for _, second := range []bool{false, true} {
		f, err := c.reader.openGlobal()
		if err != nil {
			c.damage(&rfile{path: c.reader.stub + ".def"}, err)
			return false
		}
		n := uint64(0)
		good := c.each(f, func(r *Record) {
			n++
			if r.Type == UnknownRecord {
				return
			}
			if k := r.Type.Info(); second {
				c.references(f, k, r)
			} else {
				c.define(f, k, r)
			}
		})
		if !good {
			return false
		}
		if second && n != a.GlobalDefinitions {
			c.problem(f, true, "%d definitions; the anchor file says %d", n, a.GlobalDefinitions)
		}
		if second && uint64(len(c.events)) != a.Locations {
			c.problem(f, true, "%d locations; the anchor file says %d", len(c.events), a.Locations)
		}
	}
	return true
}

// define notes the number that a definition defines.
func (c *checker) define(f *rfile, k *RecordKind, r *Record) {
	if k.Fields[0].Name != "self" {
		return
	}
	kind := k.Name
	if shared, is := sameNumbers[kind]; is {
		kind = shared
	}
	if c.defined[kind] == nil {
		c.defined[kind] = map[uint64]bool{}
	}
	if c.defined[kind][r.Values[0]] {
		c.problem(f, false, "%s %d is defined twice", k.Name, r.Values[0])
	}
	c.defined[kind][r.Values[0]] = true
	if k.Type == LocationRecord {
		c.events[r.Values[0]] = r.Values[3]
	}
}

// references checks that all that a record refers to is defined.
func (c *checker) references(f *rfile, k *RecordKind, r *Record) {
	for i := range k.Fields {
		g := &k.Fields[i]
		if g.Refers && g.Name != "self" {
			c.reference(f, k, g, r.Values[g.Slot])
		}
		for j := range g.Columns {
			if column := &g.Columns[j]; column.Refers {
				for _, v := range r.Lists[column.Slot] {
					c.reference(f, k, column, v)
				}
			}
		}
	}
	for _, a := range r.Attributes {
		if !c.defined["Attribute"][uint64(a.Attribute)] {
			c.problem(f, false, "%s: attribute %d is not defined", k.Name, a.Attribute)
		}
	}
}

func (c *checker) reference(f *rfile, k *RecordKind, g *Field, v uint64) {
	undefined := v == Undefined || g.Wire == U32 && v == Undefined32 || g.Wire == U8 && v == 0xff
	if !undefined && !c.defined[g.Type][v] {
		c.problem(f, false, "%s: %s %d is not defined", k.Name, g.Name, v)
	}
}

// location checks the files of a location.
func (c *checker) location(id uint64) {
	d, err := openRFile(c.reader.files, c.reader.path(id, ".def"), LocalDefinitions, id,
		int64(c.reader.Anchor.DefinitionChunk))
	if err == nil && d != nil && !c.each(d, func(*Record) {}) {
		return
	}
	path := c.reader.path(id, ".evt")
	f, err := openRFile(c.reader.files, path, Events, id, int64(c.reader.Anchor.EventChunk))
	if err != nil {
		c.damage(&rfile{path: path}, err)
		return
	}
	if f == nil {
		if n := c.events[id]; n > 0 {
			c.report(Problem{Error: Error{
				Path: path,
				What: fmt.Sprintf("%v; location %d has %d events", os.ErrNotExist, id, n),
			}})
		}
		return
	}
	if err := c.reader.localize(f); err != nil {
		c.damage(f, err)
		return
	}
	n, time, stack := uint64(0), uint64(0), []uint64(nil)
	chunk, says := 0, [2]uint64{}
	good := c.each(f, func(r *Record) {
		n++
		if f.chunks != chunk {
			c.numbers(f, chunk, says[1], n-1, "ends with")
			chunk, says = f.chunks, f.says
			c.numbers(f, chunk, says[0], n, "begins with")
		}
		if f.time < time {
			c.problem(f, false, "time %d is before the time of the event before, %d", f.time, time)
		}
		time = f.time
		if r.Type == UnknownRecord {
			c.problem(f, true, "record %d is unknown", r.Number)
			return
		}
		c.references(f, r.Type.Info(), r)
		stack = c.nest(f, r, stack)
	})
	if good {
		c.numbers(f, chunk, says[1], n, "ends with")
	}
	if good && n != c.events[id] {
		c.problem(f, true, "%d events; the definition of location %d says %d", n, id, c.events[id])
	}
	if good && len(stack) > 0 {
		c.problem(f, true, "location %d ends in region %d, which it has not left", id,
			stack[len(stack)-1])
	}
}

// numbers checks what the head of a chunk says of its events.
func (c *checker) numbers(f *rfile, chunk int, says, is uint64, what string) {
	if chunk > 0 && says != is {
		c.problem(f, true, "chunk %d %s event %d; its head says %d", chunk, what, is, says)
	}
}

// nest checks that regions nest.
func (c *checker) nest(f *rfile, r *Record, stack []uint64) []uint64 {
	switch r.Type {
	case EnterRecord:
		return append(stack, r.Values[0])
	case LeaveRecord:
		n := len(stack) - 1
		if n < 0 {
			c.problem(f, false, "Leave: region %d was not entered", r.Values[0])
			return stack
		}
		if stack[n] == r.Values[0] {
			return stack[:n]
		}
		c.problem(f, false, "Leave: region %d is left inside region %d", r.Values[0], stack[n])
		if i := slices.Index(stack, r.Values[0]); i >= 0 {
			return stack[:i]
		}
	}
	return stack
}
