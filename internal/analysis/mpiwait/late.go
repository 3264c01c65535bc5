package mpiwait

import (
	"encoding/binary"

	"opari/internal/analysis"
)

// LateNotes say for which threads' sends the receivers were late, and when these were ready.
type LateNotes struct {
	count uint64 // of routines with messages or meetings
	Text  []byte
}

// Note notes a routine that ends.
func (l *LateNotes) Note(used bool, p *Parts, posted int64) {
	if !used {
		return
	}
	if l.count++; p.property == analysis.LateReceiver && p.waited+p.off > 0 {
		l.Text = binary.AppendUvarint(l.Text, l.count)
		l.Text = binary.AppendUvarint(l.Text, uint64(posted))
	}
}

// LateReader returns a function that says when the receiver was ready for whose sake the nth
// routine of a rank waited; 0: there is none. It gets ascending n.
func LateReader(next func() ([]byte, error)) func(n uint64) int64 {
	var text []byte
	var at, posted uint64
	return func(n uint64) int64 {
		for at < n {
			if len(text) == 0 {
				if text, _ = next(); len(text) == 0 {
					return 0
				}
			}
			var size int
			at, size = binary.Uvarint(text)
			text = text[size:]
			posted, size = binary.Uvarint(text)
			text = text[size:]
		}
		if at != n {
			return 0
		}
		return int64(posted)
	}
}
