package export

import (
	"compress/gzip"
	"io"
	"slices"

	"opari/internal/analysis"
)

// These are the field numbers of the messages in pprof's profile.proto. This file encodes the
// format itself and does not use github.com/google/pprof/profile. That package compiles some
// sixty regular expressions at the start of any program that links it, and `opari cc` starts
// before every compiler. The tests read this file's output with that package.
const (
	profileSampleType, profileSample, profileMapping, profileLocation      = 1, 2, 3, 4
	profileFunction, profileString, profileDuration, profilePeriodType     = 5, 6, 10, 11
	profilePeriod, profileComment, profileDefaultType                      = 12, 13, 14
	valueType, valueUnit                                                   = 1, 2
	sampleLocation, sampleValue, sampleLabel                               = 1, 2, 3
	labelKey, labelString                                                  = 1, 2
	mappingID, mappingFile, mappingFunctions, mappingFiles, mappingLines   = 1, 5, 7, 8, 9
	locationID, locationMapping, locationLine, lineFunction, lineLine      = 1, 2, 4, 1, 2
	functionID, functionName, functionSystemName, functionFile, functionAt = 1, 2, 3, 4, 5
)

// pprofMark is the comment in the gzip header. Exported recognizes files by it.
const pprofMark = "opari export"

// sampleTypes lists which part of a leaf property's time each column of a sample counts. The
// last column, visits, is not among them.
var sampleTypes = []Weight{WeightOf(analysis.Time), WeightOf(analysis.Work), Waiting, Lost}

// Pprof writes a run as a compressed profile for pprof, with a function for each region and a
// stack for each call path. One sample holds the time of a leaf property: time, work, waiting
// and lost in ns. Its labels name the property and the thread. Another sample holds a thread's
// visits of a path.
func Pprof(w io.Writer, r *analysis.Result) error {
	z := gzip.NewWriter(w)
	z.Comment = pprofMark
	p := pprofWriter{
		w: z, strings: map[string]int{"": 0}, order: []string{""}, codes: map[analysis.Code]int64{},
	}
	p.types()
	p.samples(r)
	p.regions(r)
	p.code()
	p.comments(r)
	if p.err != nil {
		return p.err
	}
	return z.Close()
}

// message is a protobuf message under construction.
type message []byte

func (m message) varint(x uint64) message {
	for ; x >= 0x80; x >>= 7 {
		m = append(m, byte(x)|0x80)
	}
	return append(m, byte(x))
}

// number adds a numeric field. It omits 0, which is the value of an absent field.
func (m message) number(field int, x int64) message {
	if x == 0 {
		return m
	}
	return m.varint(uint64(field) << 3).varint(uint64(x))
}

func (m message) bytes(field int, b []byte) message {
	return append(m.varint(uint64(field)<<3|2).varint(uint64(len(b))), b...)
}

// numbers adds a repeated field.
func (m message) numbers(field int, xs ...int64) message {
	var all message
	for _, x := range xs {
		all = all.varint(uint64(x))
	}
	return m.bytes(field, all)
}

// pprofWriter writes the fields of a Profile one by one. Strings are indices into a table,
// which comes last.
type pprofWriter struct {
	w       io.Writer
	err     error
	strings map[string]int
	order   []string
	buf     message

	regionCount int64 // the numbers of codes follow those of regions
	codes       map[analysis.Code]int64
	codeOrder   []analysis.Code
}

// text returns the index of a string.
func (p *pprofWriter) text(s string) int64 {
	n, known := p.strings[s]
	if !known {
		n = len(p.order)
		p.strings[s] = n
		p.order = append(p.order, s)
	}
	return int64(n)
}

func (p *pprofWriter) write(m message) {
	if p.err == nil {
		_, p.err = p.w.Write(m)
	}
}

// field writes a field of the Profile that is itself a message.
func (p *pprofWriter) field(number int, m message) {
	p.buf = p.buf[:0].bytes(number, m)
	p.write(p.buf)
}

func (p *pprofWriter) valueType(name, unit string) message {
	return message(nil).number(valueType, p.text(name)).number(valueUnit, p.text(unit))
}

func (p *pprofWriter) types() {
	for _, t := range sampleTypes {
		p.field(profileSampleType, p.valueType(t.key, "nanoseconds"))
	}
	p.field(profileSampleType, p.valueType("visits", "count"))
	p.field(profilePeriodType, p.valueType("time", "nanoseconds"))
	p.write(message(nil).number(profilePeriod, 1).number(profileDefaultType, p.text("time")))
}

func (p *pprofWriter) label(key, value string) message {
	return message(nil).number(labelKey, p.text(key)).number(labelString, p.text(value))
}

// where returns the labels of a sample that name its thread, rank and node.
func (p *pprofWriter) where(t *analysis.Thread) message {
	m := message(nil).bytes(sampleLabel, p.label("thread", t.Name))
	if t.Process != "" {
		m = m.bytes(sampleLabel, p.label("process", t.Process))
	}
	if t.Node != "" {
		m = m.bytes(sampleLabel, p.label("node", t.Node))
	}
	return m
}

func (p *pprofWriter) samples(r *analysis.Result) {
	ids := locations(r)
	p.regionCount = int64(len(ids))
	values := make([]int64, len(sampleTypes)+1)
	for _, q := range r.Paths {
		var stack []int64 // innermost first
		for o := q; o != nil; o = o.Parent {
			stack = append(stack, ids[o.Region])
		}
		head := message(nil).numbers(sampleLocation, stack...)
		for i := range r.Threads {
			where := p.where(&r.Threads[i])
			for _, leaf := range analysis.Leaves {
				t := q.Severity(leaf, i)
				if t <= 0 {
					continue
				}
				parts := []workPart{{nil, t}}
				if leaf == analysis.Work {
					parts = workParts(r, q, i, t)
				}
				for _, part := range parts {
					clear(values)
					for k, w := range sampleTypes {
						if w.of(leaf) {
							values[k] = part.time
						}
					}
					m := message(nil).numbers(sampleLocation, p.inner(part.code, stack)...).
						numbers(sampleValue, values...)
					p.field(profileSample,
						append(m, where...).bytes(sampleLabel, p.label("property", leaf.Key())))
				}
			}
			if n := q.Visits[i].Count; n > 0 {
				clear(values)
				values[len(values)-1] = n
				p.field(profileSample,
					append(head[:len(head):len(head)].numbers(sampleValue, values...), where...))
			}
		}
	}
}

// locations numbers the regions from 1 in the order of the paths. A region is one location and
// one function with the same number.
func locations(r *analysis.Result) map[*analysis.Region]int64 {
	ids := map[*analysis.Region]int64{}
	for _, q := range r.Paths {
		if ids[q.Region] == 0 {
			ids[q.Region] = int64(len(ids) + 1)
		}
	}
	return ids
}

func (p *pprofWriter) regions(r *analysis.Result) {
	// This mapping claims to have all symbols, so that pprof does not look for the program to
	// find names in it.
	p.field(profileMapping,
		message(nil).number(mappingID, 1).number(mappingFile, p.text(r.Program)).
			number(mappingFunctions, 1).number(mappingFiles, 1).number(mappingLines, 1))
	names := frames(r)
	last := int64(0)
	for id, q := locations(r), 0; q < len(r.Paths); q++ {
		g := r.Paths[q].Region
		if id[g] <= last {
			continue
		}
		last = id[g]
		line := message(nil).number(lineFunction, last).number(lineLine, int64(g.Line))
		p.field(profileLocation, message(nil).number(locationID, last).number(locationMapping,
			1).bytes(locationLine, line))
		name := p.text(names[g])
		p.field(profileFunction, message(nil).number(functionID, last).number(functionName,
			name).number(functionSystemName, name).
			number(functionFile, p.text(g.File)).number(functionAt, int64(g.Line)))
	}
}

// inner returns a stack, innermost first, with the code of samples inside of it.
func (p *pprofWriter) inner(code []analysis.Code, stack []int64) []int64 {
	var all []int64
	for _, c := range slices.Backward(code) {
		n, known := p.codes[c]
		if !known {
			p.codeOrder = append(p.codeOrder, c)
			n = p.regionCount + int64(len(p.codeOrder))
			p.codes[c] = n
		}
		all = append(all, n)
	}
	return append(all, stack...)
}

// code writes the places of samples. Those in one function share it.
func (p *pprofWriter) code() {
	functions := map[analysis.Code]int64{}
	for _, c := range p.codeOrder {
		f := analysis.Code{Function: c.Function, File: c.File}
		if functions[f] == 0 {
			functions[f] = p.codes[c]
			name := p.text(c.Function)
			p.field(profileFunction, message(nil).number(functionID, p.codes[c]).
				number(functionName, name).number(functionSystemName, name).
				number(functionFile, p.text(c.File)))
		}
		line := message(nil).number(lineFunction, functions[f]).number(lineLine, int64(c.Line))
		p.field(profileLocation, message(nil).number(locationID, p.codes[c]).
			number(locationMapping, 1).bytes(locationLine, line))
	}
}

// comments writes the facts about the entire run, and the string table.
func (p *pprofWriter) comments(r *analysis.Result) {
	p.write(message(nil).number(profileDuration, r.Wall))
	for _, note := range r.Notes() {
		p.write(message(nil).number(profileComment, p.text(note)))
	}
	for _, s := range p.order {
		p.field(profileString, message(s))
	}
}
