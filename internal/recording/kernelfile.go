package recording

import (
	"encoding/binary"
	"errors"
	"io"

	"opari/internal/sampling"
)

// kernelMagic begins a file of notes, whose numbers are varints. A list has its length before it.
const kernelMagic = "opari kernel 1\n"

var errCutOff = errors.New("the file ends too early")

// noteFields passes over the fields of notes in one order. It appends them to a text, or it takes
// them from one.
type noteFields struct {
	text    []byte
	reading bool
	err     error // of reading
}

func (f *noteFields) number(v *uint64) {
	if !f.reading {
		f.text = binary.AppendUvarint(f.text, *v)
		return
	}
	x, n := binary.Uvarint(f.text)
	if n <= 0 {
		f.text, f.err = nil, errCutOff
		return
	}
	*v, f.text = x, f.text[n:]
}

// signed passes over a number that may be negative, which is most often -1 then.
func signed[T int | int32](f *noteFields, v *T) {
	x := uint64(int64(*v)<<1) ^ uint64(int64(*v)>>63)
	f.number(&x)
	*v = T(int64(x>>1) ^ -int64(x&1))
}

func (f *noteFields) flag(v *bool) {
	x := uint64(0)
	if *v {
		x = 1
	}
	f.number(&x)
	*v = x != 0
}

func (f *noteFields) string(v *string) {
	n := uint64(len(*v))
	if f.number(&n); !f.reading {
		f.text = append(f.text, *v...)
		return
	}
	if n > uint64(len(f.text)) {
		f.text, f.err = nil, errCutOff
		return
	}
	*v, f.text = string(f.text[:n]), f.text[n:]
}

// each passes over a list; one does so for an element.
func each[T any](f *noteFields, list *[]T, one func(*T)) {
	n := uint64(len(*list))
	if f.number(&n); !f.reading {
		for i := range *list {
			one(&(*list)[i])
		}
		return
	}
	for ; n > 0 && f.err == nil; n-- { // the length may be damaged, so no memory is taken for it
		var element T
		one(&element)
		*list = append(*list, element)
	}
}

func (f *noteFields) notes(n *kernelNotes) {
	f.string(&n.Host)
	f.string(&n.Boot)
	each(f, &n.Machine, f.string)
	r := n.Record
	signed(f, &r.Rate)
	each(f, &r.Counters, f.string)
	f.number(&r.Lost)
	f.number(&r.Cut)
	each(f, &r.Threads, f.thread)
	each(f, &r.Files, f.string)
	each(f, &r.Stacks, func(s *sampling.Frame) {
		signed(f, &s.Caller)
		signed(f, &s.Code.File)
		f.number(&s.Code.Offset)
		f.flag(&s.Code.Return)
	})
}

func (f *noteFields) thread(t *sampling.Thread) {
	signed(f, &t.PID)
	signed(f, &t.TID)
	f.number(&t.Begin)
	f.number(&t.End)
	each(f, &t.Off, func(o *sampling.Off) {
		f.number(&o.From)
		f.number(&o.To)
		f.flag(&o.Preempted)
	})
	each(f, &t.Samples, f.sample)
	each(f, &t.Allowed, func(p *int) { signed(f, p) })
	each(f, &t.Ran, func(p *int) { signed(f, p) })
	f.number(&t.Migrations)
	f.number(&t.Used)
	f.number(&t.Waited)
}

func (f *noteFields) sample(s *sampling.Sample) {
	f.number(&s.Time)
	signed(f, &s.Stack)
	f.number(&s.Access.Address)
	size := uint64(s.Access.Size)
	f.number(&size)
	s.Access.Size = uint8(size)
	f.flag(&s.Access.Write)
	each(f, &s.Values, f.number)
}

func (n *kernelNotes) encode() []byte {
	f := noteFields{text: []byte(kernelMagic)}
	f.notes(n)
	return f.text
}

func (n *kernelNotes) decode(r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if len(text) < len(kernelMagic) || string(text[:len(kernelMagic)]) != kernelMagic {
		return errors.New("it does not begin like one")
	}
	n.Record = &sampling.Record{}
	f := noteFields{text: text[len(kernelMagic):], reading: true}
	f.notes(n)
	if f.err == nil && len(f.text) > 0 {
		return errors.New("something follows the notes")
	}
	return f.err
}
