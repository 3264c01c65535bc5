package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"opari/internal/analysis"
)

// LeftOut is what a recording does not tell.
type LeftOut = analysis.LeftOut

// Filter is what a trace was recorded under.
type Filter = analysis.Filter

// LeftOutOptions are those of the instrumentation, as the library writes them: with a line end
// behind each.
func LeftOutOptions(text string) []string {
	var all []string
	for option := range strings.Lines(text) {
		all = append(all, analysis.Printable(strings.TrimSuffix(option, "\n")))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// leftOutLine is how the library writes it into a profile.
type leftOutLine struct {
	Disabled string `json:"disabled"`
	Off      uint64 `json:"off"`
	OffTime  uint64 `json:"off_ns"`
}

// read is nil where nothing is left out.
func (l *leftOutLine) read() *LeftOut {
	if l.Disabled == "" && l.Off == 0 {
		return nil
	}
	return &LeftOut{Disabled: LeftOutOptions(l.Disabled), Off: l.Off, OffTime: l.OffTime}
}

// notes are what a reader has to know before the numbers, a line each.
func (p *Profile) notes() []string {
	var all []string
	if p.LeftOut != nil {
		all = p.LeftOut.Lines()
	}
	return append(all, p.lostNotes()...)
}

func (p *Profile) lostNotes() []string {
	if p.Lost == 0 {
		return nil
	}
	return []string{analysis.LostNote(uint64(p.Lost), "")}
}

// HeaderRank reads which rank a profile is of, of how many; 0 of 0 where it says nothing of that,
// or is no profile.
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

// WithRank is the text of a profile with the rank of its process among so many in its header, where
// that is not there.
func WithRank(text []byte, rank, ranks int) []byte {
	head, rest, _ := strings.Cut(string(text), "\n")
	body, is := strings.CutSuffix(head, "}")
	if !is || strings.Contains(body, `,"ranks":`) {
		return text
	}
	return fmt.Appendf(nil, "%s,\"rank\":%d,\"ranks\":%d}\n%s", body, rank, ranks, rest)
}
