package otf2

import (
	"errors"
	"path/filepath"
	"strconv"
)

// Reader reads an archive.
type Reader struct {
	Anchor    *Anchor
	stub      string
	files     *openFiles
	locations []uint64 // in the order of their definitions
	known     bool     // locations is complete
	wanted    map[uint64]bool
	min, max  uint64
	damaged   func(*Error) // nil: damage ends reading
	sorted    bool
	moved     uint64
	record    Record
	passes    [files]pass
}

// pass is how far the reading of one kind of files has come.
type pass struct {
	begun bool
	heap  merger
	at    int // of files that are read one after the other
	files []*rfile
}

// The blocks of all locations together have at most manyBlocks bytes, if each can still have
// smallestBlock.
const (
	manyBlocks    = 32 << 20
	smallestBlock = 4 << 10
)

// MaxTime as the end of an interval means no end.
const MaxTime = 1<<64 - 1

// OpenReader opens an archive by its anchor file. At most limit files are open at a time.
func OpenReader(path string, limit int) (*Reader, error) {
	Ready()
	stub := Stub(path)
	a, err := readAnchor(stub + ".otf2")
	if err != nil {
		return nil, err
	}
	return &Reader{Anchor: a, stub: stub, files: newOpenFiles(limit), max: MaxTime}, nil
}

// Close closes all files and ends reading.
func (r *Reader) Close() error { return r.files.close() }

// SetTimeInterval restricts the events that are delivered to minTime <= time < maxTime.
func (r *Reader) SetTimeInterval(minTime, maxTime uint64) { r.min, r.max = minTime, maxTime }

// SelectLocations restricts the events, snapshots and local definitions to some locations.
func (r *Reader) SelectLocations(ids []uint64) {
	r.wanted = map[uint64]bool{}
	for _, id := range ids {
		r.wanted[id] = true
	}
}

// Tolerate lets ReadEvents and ReadSnapshots go on behind damage: it is reported, and the location
// whose file has it ends there.
func (r *Reader) Tolerate(report func(*Error)) { r.damaged = report }

// Sort gives an event the time of the event before in its location if its own is earlier. Clock
// offsets may cause that; Moved returns how often it happened.
func (r *Reader) Sort() { r.sorted = true }

// Moved returns how many events have the time of the event before: see Sort.
func (r *Reader) Moved() uint64 { return r.moved }

// Locations returns the numbers of the locations in the order of their definitions.
func (r *Reader) Locations() ([]uint64, error) {
	if r.known {
		return r.locations, nil
	}
	f, err := r.openGlobal()
	if err != nil {
		return nil, err
	}
	seen := map[uint64]bool{}
	var scratch Record
	for {
		more, err := f.next(&scratch)
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		if id := scratch.Values[0]; scratch.Type == LocationRecord && !seen[id] {
			seen[id] = true
			r.locations = append(r.locations, id)
		}
	}
	r.known = true
	return r.locations, nil
}

func (r *Reader) openGlobal() (*rfile, error) {
	path := r.stub + ".def"
	f, err := openRFile(r.files, path, GlobalDefinitions, Undefined,
		int64(r.Anchor.DefinitionChunk))
	if err == nil && f == nil {
		err = &Error{Path: path, What: "the file of the global definitions is missing"}
	}
	return f, err
}

// path returns the path of a location's file.
func (r *Reader) path(location uint64, ending string) string {
	return filepath.Join(r.stub, strconv.FormatUint(location, 10)+ending)
}

// ReadGlobalDefinitions reads the global definitions. It returns the number of records.
func (r *Reader) ReadGlobalDefinitions(h *HandlerArray) (uint64, error) {
	p := &r.passes[GlobalDefinitions]
	if !p.begun {
		f, err := r.openGlobal()
		if err != nil {
			return 0, err
		}
		p.begun, p.files = true, []*rfile{f}
	}
	return r.inTurn(p, h)
}

// ReadLocalDefinitions reads the definitions of each location.
func (r *Reader) ReadLocalDefinitions(h *HandlerArray) (uint64, error) {
	p := &r.passes[LocalDefinitions]
	if err := r.begin(p, LocalDefinitions, ".def", r.Anchor.DefinitionChunk); err != nil {
		return 0, err
	}
	return r.inTurn(p, h)
}

// ReadMarkers reads the markers.
func (r *Reader) ReadMarkers(h *HandlerArray) (uint64, error) {
	p := &r.passes[Markers]
	if !p.begun {
		f, err := openRFile(r.files, r.stub+".marker", Markers, Undefined,
			int64(r.Anchor.DefinitionChunk))
		if err != nil {
			return 0, err
		}
		if p.begun = true; f != nil {
			p.files = []*rfile{f}
		}
	}
	return r.inTurn(p, h)
}

// ReadEvents reads the events of all locations in the order of time. It returns how many it
// delivered, those without a handler too.
func (r *Reader) ReadEvents(h *HandlerArray) (uint64, error) {
	return r.merged(Events, ".evt", h)
}

// ReadSnapshots reads the snapshots of all locations in the order of time.
func (r *Reader) ReadSnapshots(h *HandlerArray) (uint64, error) {
	return r.merged(Snapshots, ".snap", h)
}

// begin opens the files of the locations, once.
func (r *Reader) begin(p *pass, kind File, ending string, chunk uint64) error {
	if p.begun {
		return nil
	}
	locations, err := r.Locations()
	if err != nil {
		return err
	}
	p.begun = true
	// Each location has a block in memory.
	r.files.block = min(max(manyBlocks/max(len(locations), 1), smallestBlock), blockSize)
	for _, id := range locations {
		if r.wanted != nil && !r.wanted[id] {
			continue
		}
		f, err := openRFile(r.files, r.path(id, ending), kind, id, int64(chunk))
		if err != nil {
			return err
		}
		if f != nil {
			p.files = append(p.files, f)
		}
	}
	return nil
}

// inTurn reads one file after another.
func (r *Reader) inTurn(p *pass, h *HandlerArray) (n uint64, err error) {
	for ; p.at < len(p.files); p.at++ {
		f := p.files[p.at]
		for {
			more, err := f.next(&r.record)
			if err != nil {
				return n, err
			}
			if !more {
				break
			}
			n++
			if err := h.dispatch(&r.record); err != nil {
				return n, ignoreBreak(err)
			}
		}
	}
	return n, nil
}

func ignoreBreak(err error) error {
	if errors.Is(err, ErrBreak) {
		return nil
	}
	return err
}

// localize reads what the definitions of a location say about its events.
func (r *Reader) localize(f *rfile) error {
	d, err := openRFile(r.files, r.path(f.location, ".def"), LocalDefinitions, f.location,
		int64(r.Anchor.DefinitionChunk))
	if err != nil || d == nil {
		return err
	}
	var scratch Record
	for {
		more, err := d.next(&scratch)
		if err != nil || !more {
			return err
		}
		switch scratch.Type {
		case MappingTableRecord:
			if f.maps == nil {
				f.maps = &maps{}
			}
			f.maps.add(&scratch)
		case ClockOffsetRecord:
			f.clock.add(&scratch)
		}
	}
}

// damage reports an error about a location's file instead of returning it, if Tolerate wants that.
func (r *Reader) damage(err *error) {
	var damage *Error
	if r.damaged != nil && errors.As(*err, &damage) {
		r.damaged(damage)
		*err = nil
	}
}

// next reads the next record of a location.
func (r *Reader) next(w *waiting) (bool, error) {
	if !r.sorted && w.file.plain(&w.record) {
		return true, nil
	}
	return r.nextOther(w)
}

// nextOther does the same for what is not an enter or leave, and where times or damage matter.
func (r *Reader) nextOther(w *waiting) (bool, error) {
	before := w.record.Time
	more, err := w.file.next(&w.record)
	if err != nil {
		more = false
		r.damage(&err)
	}
	if r.sorted && more && w.record.Time < before {
		w.record.Time = before
		r.moved++
	}
	return more, err
}

// merged reads the files of all locations in the order of time.
func (r *Reader) merged(kind File, ending string, h *HandlerArray) (n uint64, err error) {
	p := &r.passes[kind]
	if !p.begun {
		if err := r.begin(p, kind, ending, r.Anchor.EventChunk); err != nil {
			return 0, err
		}
		for _, f := range p.files {
			err := r.localize(f)
			if r.damage(&err); err != nil {
				return 0, err
			}
			w := &waiting{file: f}
			if more, err := r.next(w); err != nil {
				return 0, err
			} else if more {
				p.heap = append(p.heap, w)
			}
		}
		p.heap.build()
	}
	for len(p.heap) > 0 {
		w := p.heap[0]
		if len(p.heap) == 1 {
			k, err := r.alone(p, w, h)
			return n + k, err
		}
		if w.record.Time >= r.max && r.max != MaxTime {
			return n, nil
		}
		if w.record.Time >= r.min {
			n++
			err = h.dispatch(&w.record)
		}
		more, broken := r.next(w)
		if err == nil {
			err = broken
		}
		if !more || broken != nil {
			last := len(p.heap) - 1
			p.heap[0] = p.heap[last]
			p.heap = p.heap[:last]
		}
		p.heap.sink(0)
		if err != nil {
			return n, ignoreBreak(err)
		}
	}
	return n, nil
}

// alone continues merged for the only location that is left.
func (r *Reader) alone(p *pass, w *waiting, h *HandlerArray) (n uint64, err error) {
	for more := true; more && err == nil; {
		if w.record.Time >= r.max && r.max != MaxTime {
			return n, nil
		}
		if w.record.Time >= r.min {
			n++
			err = h.dispatch(&w.record)
		}
		var broken error
		if more, broken = r.next(w); err == nil {
			err = broken
		}
		if !more {
			p.heap = p.heap[:0]
		}
	}
	return n, ignoreBreak(err)
}
