package page

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"opari/internal/spill"
)

// These are sizes of blocks of details, and of what is spilled of them.
const (
	blockSpans   = 1 << 15 // intervals
	sampledBlock = 32      // every so many blocks tell how well all of them can be compressed
	triedBlocks  = 8       // about so many tell how coarse all have to be
	spillMemory  = 4 << 20
	spillMost    = 1 << 30 // bytes of the file, or more if the page is to be larger
	perBlock     = 192     // bytes of a page for a block, besides its intervals
)

// details are the intervals of a run for views that are narrower than the whole. They are in
// blocks, in the order in which they arrive: in that of time for each thread. Only one block is in
// memory. If they take more than a bound, intervals of one thread, path and state within a cell of
// grain ns become one, as in a Timeline.
type details struct {
	grain int64 // ns; 0: each interval is kept
	start int64 // times in blocks count from here, and cells begin here
	bound int64 // bytes of the compressed blocks in base64

	lanes   []*lane
	open    []int // numbers of the lanes that have spans
	spans   int   // of all open lanes
	blocks  []detailBlock
	size    int64 // bytes of all blocks
	time    int64 // of all intervals
	stored  *spill.Lists
	packed  *spill.Lists // the compressed blocks
	failure error

	// These blocks were compressed to know how many bytes all would take.
	triedRaw, triedPacked int64
	buffer                bytes.Buffer
	zlib                  *zlib.Writer
}

// detailBlock is a block to the page: its time from the start of the details, its first and last
// thread, its intervals, and its bytes after inflation.
type detailBlock struct {
	from, to    int64
	first, last int
	spans, raw  int
}

func newDetails(start, bound int64) *details {
	return &details{start: start, bound: bound, stored: spill.New(1, 1, spillMemory)}
}

// add adds an interval. It must begin where the thread's last one ended.
func (d *details) add(thread int, key uint32, from, to int64) {
	if d.failure != nil {
		return
	}
	for len(d.lanes) <= thread {
		d.lanes = append(d.lanes, &lane{})
	}
	l := d.lanes[thread]
	l.end = to
	d.time += to - from
	n := len(l.spans)
	if n > 0 && l.spans[n-1].key == key {
		return
	}
	if n == 0 {
		d.open = append(d.open, thread)
	}
	l.spans = append(l.spans, span{from, key})
	if d.spans++; d.spans >= blockSpans {
		if d.sum(); d.spans > blockSpans/2 {
			d.close()
		}
	}
}

// sum merges what is open.
func (d *details) sum() {
	if d.grain == 0 {
		return
	}
	d.spans = 0
	for _, thread := range d.open {
		d.lanes[thread].sum(d.start, d.grain)
		d.spans += len(d.lanes[thread].spans)
	}
}

// close makes a block of what is open.
func (d *details) close() {
	if d.spans == 0 {
		return
	}
	slices.Sort(d.open)
	b := detailBlock{first: d.open[0], last: d.open[len(d.open)-1], spans: d.spans}
	raw := binary.AppendUvarint(nil, uint64(len(d.open)))
	for i, thread := range d.open {
		l := d.lanes[thread]
		from := l.spans[0].from - d.start
		if i == 0 || from < b.from {
			b.from = from
		}
		if i == 0 || l.end-d.start > b.to {
			b.to = l.end - d.start
		}
		raw = binary.AppendUvarint(raw, uint64(thread))
		raw = binary.AppendUvarint(raw, uint64(len(l.spans)))
		raw = binary.AppendVarint(raw, from)
		for _, s := range l.spans {
			raw = binary.AppendUvarint(raw, uint64(s.key))
		}
		for i, s := range l.spans {
			raw = binary.AppendUvarint(raw, uint64(l.to(i)-s.from))
		}
		l.spans = l.spans[:0]
	}
	b.raw = len(raw)
	d.open, d.spans = d.open[:0], 0
	d.size += int64(len(raw))
	d.failure = errors.Join(d.failure, d.stored.Append(0, raw))
	if len(d.blocks)%sampledBlock == 0 {
		packed, err := d.compress(raw)
		d.failure = errors.Join(d.failure, err)
		d.triedRaw += int64(len(raw))
		d.triedPacked += int64(len(packed))
	}
	d.blocks = append(d.blocks, b)
	if most := d.most(); d.size > most {
		d.coarsen(most / 2)
	}
}

// coarsen doubles the grain until all blocks take at most so many bytes before compression.
func (d *details) coarsen(most int64) {
	for d.failure == nil && d.size > most && d.grain <= d.time {
		d.grain = d.fitting(most)
		d.rewrite()
	}
}

// fitting returns the grain at which blocks that are tried say that all take at most so many bytes.
func (d *details) fitting(most int64) int64 {
	var tried [][]byte
	number := 0
	d.failure = errors.Join(d.failure, d.stored.Visit(0, func(block []byte) error {
		if len(block) > 0 && number%(len(d.blocks)/triedBlocks+1) == 0 {
			tried = append(tried, slices.Clone(block))
		}
		number++
		return nil
	}))
	grain := max(1, 2*d.grain)
	for ; d.failure == nil && grain <= d.time; grain *= 2 {
		before, after := 0, 0
		for _, block := range tried {
			one := newDetails(d.start, 1<<60)
			one.grain = grain
			d.failure = errors.Join(d.failure, one.readBlock(block))
			one.sum()
			one.close()
			before, after = before+len(block), after+int(one.size)
		}
		if float64(after)*float64(d.size) <= float64(most)*float64(before) {
			break
		}
	}
	return grain
}

// rewrite merges the intervals of all blocks anew. What is open stays so.
func (d *details) rewrite() {
	next := newDetails(d.start, 1<<60) // what d has, has room
	next.grain = d.grain
	err := d.stored.Visit(0, next.readBlock)
	next.sum()
	next.close()
	d.failure = errors.Join(err, next.failure, d.stored.Close())
	d.stored, d.blocks, d.size = next.stored, next.blocks, next.size
	d.triedRaw, d.triedPacked = next.triedRaw, next.triedPacked
}

// readBlock adds the intervals of a block.
func (d *details) readBlock(block []byte) error {
	if len(block) == 0 { // a list ends in an empty piece
		return nil
	}
	next := func() uint64 {
		v, n := binary.Uvarint(block)
		block = block[n:]
		return v
	}
	var keys []uint32
	for range next() {
		thread, n := int(next()), int(next())
		v, size := binary.Varint(block)
		block = block[size:]
		keys = keys[:0]
		for range n {
			keys = append(keys, uint32(next()))
		}
		from := d.start + v
		for _, key := range keys {
			to := from + int64(next())
			d.add(thread, key, from, to)
			from = to
		}
	}
	return d.failure
}

// finish compresses the blocks, and coarsens them until they take at most so many bytes in base64.
func (d *details) finish(bound int64) error {
	d.sum()
	d.close()
	for d.failure == nil && len(d.blocks) > 0 {
		most := max(0, bound-int64(len(d.blocks))*perBlock) / 4 * 3
		if whole := d.ratio() * float64(d.size); whole > float64(most) {
			d.coarsen(min(d.size-1, int64(float64(d.size)*float64(most)/whole)))
		} else if d.pack(most) {
			break
		} else {
			d.coarsen(d.size - 1)
		}
		if d.grain > d.time {
			d.blocks = nil // there is no room for anything
			d.dropPacked()
		}
	}
	return d.failure
}

// pack compresses the blocks, and reports whether these take at most so many bytes.
func (d *details) pack(most int64) bool {
	d.dropPacked()
	d.packed = spill.New(1, 1, spillMemory)
	var size int64
	d.failure = errors.Join(d.failure, d.stored.Visit(0, func(block []byte) error {
		if len(block) == 0 || size > most {
			return nil
		}
		packed, err := d.compress(block)
		size += int64(len(packed))
		return errors.Join(err, d.packed.Append(0, packed))
	}))
	return size <= most
}

// compress returns a block compressed, until the next call.
func (d *details) compress(block []byte) ([]byte, error) {
	d.buffer.Reset()
	if d.zlib == nil {
		d.zlib = zlib.NewWriter(&d.buffer)
	}
	d.zlib.Reset(&d.buffer)
	_, err := d.zlib.Write(block)
	err = errors.Join(err, d.zlib.Close())
	return d.buffer.Bytes(), err
}

// ratio returns the bytes of a compressed block for each of its bytes, by those that were tried.
func (d *details) ratio() float64 { return float64(d.triedPacked) / float64(max(1, d.triedRaw)) }

// most returns how many bytes of blocks may be stored. They are somewhat more than what fits into
// the page, since later blocks may be compressed better.
func (d *details) most() int64 {
	fits := float64(d.bound) / d.ratio()
	return int64(min(fits, float64(max(spillMost, 2*d.bound))))
}

func (d *details) dropPacked() {
	if d.packed != nil {
		d.failure = errors.Join(d.failure, d.packed.Close())
		d.packed = nil
	}
}

// remove removes what is spilled.
func (d *details) remove() error {
	d.dropPacked()
	return errors.Join(d.failure, d.stored.Close())
}

// detailsJSON describes the details to the page, beside the blocks.
type detailsJSON struct {
	Grain  int64    `json:"grain"`
	Base   int64    `json:"base"` // where times of blocks count from, since the start of the run
	Size   int64    `json:"size"` // the bound of the page in bytes
	Blocks [][6]int `json:"blocks"`
}

// json returns the description for a page of at most size bytes. Each block has its time from and
// to, its first and last thread, its intervals, and its bytes after inflation.
func (d *details) json(start, size int64) *detailsJSON {
	out := &detailsJSON{Grain: d.grain, Base: d.start - start, Size: size, Blocks: [][6]int{}}
	for _, b := range d.blocks {
		out.Blocks = append(out.Blocks,
			[6]int{int(b.from), int(b.to), b.first, b.last, b.spans, b.raw})
	}
	return out
}

// write writes the blocks as elements of the page.
func (d *details) write(w *bufio.Writer) error {
	if d.packed == nil {
		return nil
	}
	number := 0
	return d.packed.Visit(0, func(packed []byte) error {
		if len(packed) == 0 {
			return nil
		}
		fmt.Fprintf(w, "<script type=\"application/octet-stream\" id=\"block%d\">", number)
		number++
		e := base64.NewEncoder(base64.StdEncoding, w)
		_, err := e.Write(packed)
		err = errors.Join(err, e.Close())
		w.WriteString("</script>\n")
		return err
	})
}
