// Package spill keeps lists of bytes. Many goroutines may append to them. Short lists stay in
// memory; longer lists go to a file without a name.
package spill

import (
	"errors"
	"os"
	"slices"
	"sync"
)

// Lists is a set of lists, numbered from 0.
type Lists struct {
	lock  sync.Mutex
	lists []list
	block int // bytes of a list that are stored at a time
	room  int // bytes that further blocks may take in memory
	file  *os.File
	end   int64
}

type list struct {
	open []byte
	full []block
}

// block is a full block, in memory or in the file.
type block struct {
	text []byte // nil: the block is in the file
	at   int64
	size int
}

// New makes n lists. The open block of each list stays in memory, and up to memory bytes of the
// full blocks.
func New(n, block, memory int) *Lists {
	return &Lists{lists: make([]list, n), block: block, room: memory}
}

// Append appends text to a list. Take never divides text between pieces. The errors are those of
// the file.
func (l *Lists) Append(number int, text []byte) error {
	l.lock.Lock()
	defer l.lock.Unlock()
	to := &l.lists[number]
	if to.open = append(to.open, text...); len(to.open) < l.block {
		return nil
	}
	if len(to.open) <= l.room {
		l.room -= len(to.open)
		to.full = append(to.full, block{text: to.open})
		to.open = nil
		return nil
	}
	if l.file == nil {
		var err error
		if l.file, err = os.CreateTemp("", "opari-"); err != nil {
			return err
		}
		_ = os.Remove(l.file.Name()) // if this fails, Close removes the file
	}
	if _, err := l.file.WriteAt(to.open, l.end); err != nil {
		return err
	}
	to.full = append(to.full, block{at: l.end, size: len(to.open)})
	l.end += int64(len(to.open))
	to.open = to.open[:0]
	return nil
}

// Take calls visit with the pieces of a list in their order, and empties the list. A piece is
// valid until visit returns.
func (l *Lists) Take(number int, visit func(piece []byte) error) error {
	return all(l.Pieces(number), visit)
}

// Visit calls visit like Take and keeps the list.
func (l *Lists) Visit(number int, visit func(piece []byte) error) error {
	l.lock.Lock()
	of := l.lists[number]
	l.lock.Unlock()
	return all(l.pieces(of), visit)
}

func all(next func() ([]byte, error), visit func(piece []byte) error) error {
	for {
		piece, err := next()
		if err != nil || piece == nil {
			return err
		}
		if err := visit(piece); err != nil {
			return err
		}
	}
}

// Pieces empties a list and returns a function that returns its next piece, and nil at the end. A
// piece is valid until the next call.
func (l *Lists) Pieces(number int) func() ([]byte, error) {
	l.lock.Lock()
	of := l.lists[number]
	l.lists[number] = list{}
	l.lock.Unlock()
	return l.pieces(of)
}

func (l *Lists) pieces(of list) func() ([]byte, error) {
	var text []byte
	return func() ([]byte, error) {
		if len(of.full) == 0 {
			open := of.open
			if of.open = nil; len(open) == 0 {
				return nil, nil
			}
			return open, nil
		}
		b := of.full[0]
		if of.full = of.full[1:]; b.text != nil {
			return b.text, nil
		}
		text = slices.Grow(text[:0], b.size)[:b.size]
		_, err := l.file.ReadAt(text, b.at)
		return text, err
	}
}

// Close removes the file.
func (l *Lists) Close() error {
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	if removed := os.Remove(l.file.Name()); !errors.Is(removed, os.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return err
}
