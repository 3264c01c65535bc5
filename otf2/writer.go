package otf2

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// Writer writes an archive. Set the fields of Anchor before the first record.
type Writer struct {
	Anchor    Anchor
	stub      string
	global    *wfile
	markers   *wfile
	locations map[uint64]*WLocation
	last      *WLocation // the one that was used last
	record    Record
}

// NewWriter returns a writer of an archive: stub.otf2, stub.def, and the files of locations in the
// folder stub. stub may end in .otf2.
func NewWriter(stub string) *Writer {
	Ready()
	sum := fnv.New64a()
	sum.Write([]byte(filepath.Base(Stub(stub))))
	return &Writer{
		stub: Stub(stub), locations: map[uint64]*WLocation{},
		Anchor: Anchor{
			Version: version, Format: format, EventChunk: 1 << 20, DefinitionChunk: 4 << 20,
			Substrate: substratePosix, Compression: compressionNone, TraceID: sum.Sum64(),
		},
	}
}

// WLocation writes the files of one location. Goroutines may write different locations, each
// through a WLocation of its own.
type WLocation struct {
	id          uint64
	stem        string // of its files
	anchor      *Anchor
	events      *wfile
	definitions *wfile
	snapshots   *wfile
	attributes  []AttributeValue
	record      Record
}

// Location returns the writer of a location's files.
func (w *Writer) Location(id uint64) *WLocation {
	if w.last != nil && w.last.id == id {
		return w.last
	}
	l := w.locations[id]
	if l == nil {
		l = &WLocation{
			id: id, anchor: &w.Anchor,
			stem: filepath.Join(w.stub, strconv.FormatUint(id, 10)),
		}
		w.locations[id] = l
	}
	w.last = l
	return l
}

// Events returns how many events the location has so far. Its definition must say so.
func (l *WLocation) Events() uint64 {
	if l.events == nil {
		return 0
	}
	return l.events.events
}

// Define creates the file of the location's definitions, even for none: otf2-snapshots wants one.
func (l *WLocation) Define() {
	l.open(&l.definitions, ".def", l.anchor.DefinitionChunk, false)
}

// Attach gives the next event values in addition to its fields.
func (l *WLocation) Attach(values ...AttributeValue) {
	l.attributes = append(l.attributes, values...)
}

// open returns one of the files of a location, and creates it if it is new.
func (l *WLocation) open(f **wfile, ending string, chunk uint64, timed bool) *wfile {
	if *f == nil {
		*f = newWFile(l.stem+ending, int64(chunk), timed)
		(*f).err = os.MkdirAll(filepath.Dir(l.stem), 0o777)
	}
	return *f
}

// eventFile returns the file of events.
func (l *WLocation) eventFile() *wfile {
	if l.events == nil {
		return l.open(&l.events, ".evt", l.anchor.EventChunk, true)
	}
	return l.events
}

// enter writes Enter or Leave.
func (l *WLocation) enter(number uint8, time uint64, region uint32) error {
	f := l.eventFile()
	if len(l.attributes) > 0 {
		k := numbers[Events][number]
		r := &l.record
		r.Type, r.Time, r.Values[0] = k.Type, time, uint64(region)
		return l.Write(r)
	}
	return f.enter(number, time, region)
}

// Write writes a record of any type but a global definition or a marker. Events get what Attach
// was given, after their own attributes.
func (l *WLocation) Write(r *Record) error {
	k := r.Type.Info()
	if err := valid(k, r); err != nil {
		return err
	}
	switch {
	case k.In(Events):
		r.Attributes = append(r.Attributes, l.attributes...)
		l.attributes = l.attributes[:0]
		err := l.eventFile().write(k, r)
		r.Attributes = r.Attributes[:0]
		return err
	case k.In(Snapshots):
		return l.open(&l.snapshots, ".snap", l.anchor.EventChunk, true).write(k, r)
	case k.In(LocalDefinitions):
		return l.open(&l.definitions, ".def", l.anchor.DefinitionChunk, false).write(k, r)
	}
	return fmt.Errorf("%s: %s does not belong to a location", l.stem, k.Name)
}

// Write writes a record of any type: events, snapshots and local definitions to Record.Location.
func (w *Writer) Write(r *Record) error {
	k := r.Type.Info()
	if r.Location != Undefined && !k.In(Markers) {
		return w.Location(r.Location).Write(r)
	}
	if err := valid(k, r); err != nil {
		return err
	}
	switch {
	case k.In(GlobalDefinitions):
		if w.global == nil {
			w.global = w.file(".def")
		}
		w.Anchor.GlobalDefinitions++
		if k.Name == "Location" {
			w.Anchor.Locations++
		}
		return w.global.write(k, r)
	case k.In(Markers):
		if w.markers == nil {
			w.markers = w.file(".marker")
		}
		return w.markers.write(k, r)
	}
	return fmt.Errorf("%s: %s belongs to a location", w.stub, k.Name)
}

// file creates a file beside the anchor file.
func (w *Writer) file(ending string) *wfile {
	f := newWFile(w.stub+ending, int64(w.Anchor.DefinitionChunk), false)
	f.err = os.MkdirAll(filepath.Dir(w.stub), 0o777)
	return f
}

// valid reports what a file cannot hold: values of unknown types, lists of different lengths.
func valid(k *RecordKind, r *Record) error {
	for i := range r.Attributes {
		if r.Attributes[i].Type >= types {
			return fmt.Errorf("%s: an attribute has the unknown type %d", k.Name,
				r.Attributes[i].Type)
		}
	}
	for i := range k.Fields {
		f := &k.Fields[i]
		if f.Wire == Value && r.Values[f.Slot-1] >= types {
			return fmt.Errorf("%s: a value has the unknown type %d", k.Name, r.Values[f.Slot-1])
		}
		for _, c := range f.Columns {
			n := len(r.Lists[c.Slot])
			if n != len(r.Lists[f.Columns[0].Slot]) || f.Count == U8 && n > 255 {
				return fmt.Errorf("%s: %s has %d elements", k.Name, c.Name, n)
			}
		}
	}
	return nil
}

// Close completes all files; the anchor file comes last.
func (w *Writer) Close() error {
	var errs []error
	var ids []uint64
	for id := range w.locations {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		l := w.locations[id]
		for _, f := range []*wfile{l.events, l.definitions, l.snapshots} {
			if f != nil {
				errs = append(errs, f.close())
			}
		}
	}
	if w.global == nil {
		w.global = w.file(".def")
	}
	errs = append(errs, w.global.close())
	if w.markers != nil {
		errs = append(errs, w.markers.close())
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return os.WriteFile(w.stub+".otf2", w.Anchor.append(nil), 0o666)
}
