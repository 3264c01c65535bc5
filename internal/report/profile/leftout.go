package profile

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"opari/internal/analysis"
)

// LeftOut describes what a recording omits.
type LeftOut = analysis.LeftOut

// Filter is the filter of a recording.
type Filter = analysis.Filter

// OffFunction is a function that was switched off while the program ran.
type OffFunction = analysis.OffFunction

// LeftOutOptions splits text into the options of the instrumentation. The library writes a line
// end after each.
func LeftOutOptions(text string) []string {
	var all []string
	for option := range strings.Lines(text) {
		all = append(all, analysis.Printable(strings.TrimSuffix(option, "\n")))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// leftOutLine is the form in which the library writes LeftOut into a profile.
type leftOutLine struct {
	Disabled string `json:"disabled"`
	Off      uint64 `json:"off"`
	OffTime  uint64 `json:"off_ns"`
}

// read converts the line, and returns nil if the recording omits nothing.
func (l *leftOutLine) read() *LeftOut {
	if l.Disabled == "" && l.Off == 0 {
		return nil
	}
	return &LeftOut{Disabled: LeftOutOptions(l.Disabled), Off: l.Off, OffTime: l.OffTime}
}

// offLine says that a region, a function, was switched off after so many calls.
type offLine struct {
	Off   int    `json:"off"`
	Calls uint64 `json:"calls"`
}

func (rd *reader) off(line []byte) error {
	var l offLine
	if err := strict(line, &l); err != nil {
		return err
	}
	r := rd.regions[l.Off]
	if r == nil {
		return fmt.Errorf("region %d is off, and is not described before", l.Off)
	}
	rd.leftOut.Functions = append(rd.leftOut.Functions,
		analysis.OffFunction{Name: r.SubName, File: r.File, Line: r.Begin[0], Calls: l.Calls})
	rd.unmet[r] = true
	return nil
}

// leaveOut adds the functions that were switched off to what the profile leaves out.
func (rd *reader) leaveOut(p *Profile) {
	if len(rd.leftOut.Functions) == 0 {
		return
	}
	if p.LeftOut == nil {
		p.LeftOut = &LeftOut{}
	}
	several := p.LeftOut.Several
	p.LeftOut.Join(&rd.leftOut)
	p.LeftOut.Several = several
	// A forked child has no samples of functions that were off before.
	for _, q := range rd.listed {
		delete(rd.unmet, q.Region)
	}
	rd.order = slices.DeleteFunc(rd.order, func(r *Region) bool { return rd.unmet[r] })
}

// notes returns the lines that a reader must know before the numbers.
func (p *Profile) notes() []string {
	r := analysis.New(p.Program, p.Wall, make([]analysis.Thread, p.Threads))
	p.addNotes(r)
	return r.Notes()
}

// addNotes gives a result what the notes on it are made from.
func (p *Profile) addNotes(r *analysis.Result) {
	r.Lost = p.lostNotes()
	if p.LeftOut != nil {
		r.LeftOut = *p.LeftOut
	}
	p.Processors.addTo(r)
}

func (p *Profile) lostNotes() []string {
	if p.Lost == 0 {
		return nil
	}
	return []string{analysis.LostNote(uint64(p.Lost), "")}
}

// HeaderRank returns the rank of a profile and the number of ranks. Both are 0 if the header
// has no rank, or r is no profile.
func HeaderRank(r io.Reader) (rank, ranks int) {
	line, err := bufio.NewReader(io.LimitReader(r, 1<<16)).ReadBytes('\n')
	if err != nil {
		return 0, 0
	}
	p, err := readHeader(line)
	if err != nil {
		return 0, 0
	}
	return p.rank, p.world
}

// WithRank returns the text of a profile with rank and ranks in its header. It keeps the text
// if the header has them already.
func WithRank(text []byte, rank, ranks int) []byte {
	return withHeader(text, "ranks", fmt.Sprintf(`%d,"rank":%d`, ranks, rank))
}
