package otf

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"runtime"
)

const (
	// maxBlock is the largest block, packed or as text, that is inflated in one piece. A larger
	// one is inflated while it is read.
	maxBlock = 4 << 20
	// manyFiles is the largest number of open files that are inflated ahead. With more, each file
	// is inflated while it is read: blocks in memory would take a megabyte or more for each file.
	manyFiles  = 8
	packedRead = 64 << 10
)

// inflater is the text of a compressed file. Blocks that end in blockEnd are inflated in
// parallel, ahead of the reader.
//
// Some files have no such blocks: the same four bytes occur by chance inside a block, or blocks
// refer to earlier ones. Then it inflates everything in one go from where reading began.
type inflater struct {
	file   *managedFile
	length int64
	ahead  int   // number of blocks at a time; 0: in one go
	begin  int64 // where reading began
	at     int64 // everything before this offset belongs to a block already
	given  int64 // bytes of text returned since begin
	stock  []byte
	blocks []*block
	idle   []*block
	text   []byte // the rest of blocks[0]
	flow   io.Reader
	begun  bool
}

// block is a piece of the file that is inflated on its own.
type block struct {
	packed []byte
	text   []byte
	err    error // nil: the piece ends at the end of a block
	done   chan struct{}
	pack   io.ReadCloser
	in     bytes.Reader
}

func newInflater(file *managedFile, size int64, share int) *inflater {
	f := &inflater{file: file, length: size, ahead: max(1, min(runtime.GOMAXPROCS(0)+1, 5)/share)}
	if share > manyFiles {
		f.ahead = 0
	}
	return f
}

func (f *inflater) size() int64 { return f.length }

func (f *inflater) tell() int64 { return f.at }

func (f *inflater) close() error {
	f.drop()
	return f.file.close()
}

// drop discards the blocks inflated ahead.
func (f *inflater) drop() {
	for _, b := range f.blocks {
		<-b.done
	}
	f.idle = append(f.idle, f.blocks...)
	f.blocks, f.text, f.stock, f.flow = f.blocks[:0], nil, nil, nil
}

// start checks zlib's header.
func (f *inflater) start() error {
	f.begun = true
	var head [2]byte
	n, err := f.file.readAt(head[:], 0)
	if err != nil {
		return err
	}
	if n == 2 && (head[0]&0x0f != 8 || (int(head[0])<<8|int(head[1]))%31 != 0 ||
		head[1]&0x20 != 0) {
		return &Error{Path: f.file.path, What: "no zlib header"}
	}
	if f.at == 0 {
		f.at, f.begin = 2, 2
	}
	return nil
}

// seek goes to just after the first end of a block that lies at or after at.
func (f *inflater) seek(at int64) (int64, error) {
	f.drop()
	if !f.begun {
		if err := f.start(); err != nil {
			return 0, err
		}
	}
	f.given = 0
	if at <= 2 {
		f.at, f.begin = 2, 2
		return 0, nil
	}
	buffer := make([]byte, packedRead)
	for at < f.length {
		n, err := f.file.readAt(buffer, at)
		if err != nil || n == 0 {
			return f.length, err
		}
		if i := bytes.Index(buffer[:n], blockEnd); i >= 0 {
			at += int64(i + len(blockEnd))
			break
		}
		at += int64(max(n-len(blockEnd)+1, 1))
	}
	f.at = min(at, f.length)
	f.begin = f.at
	return f.at, nil
}

func (f *inflater) read(p []byte) (int, error) {
	if !f.begun {
		if err := f.start(); err != nil {
			return 0, err
		}
	}
	for len(f.text) == 0 && f.flow == nil && f.ahead > 0 {
		if err := f.nextBlock(); err != nil {
			return 0, err
		}
	}
	n := copy(p, f.text)
	f.text = f.text[n:]
	if n == 0 {
		var err error
		if n, err = f.readFlow(p); n == 0 {
			return 0, err
		}
	}
	f.given += int64(n)
	return n, nil
}

// nextBlock makes the text of the next block ready. It falls back to one go where the blocks turn
// out to be none. It returns io.EOF at the end of the file.
func (f *inflater) nextBlock() error {
	if len(f.blocks) > 0 {
		f.idle = append(f.idle, f.blocks[0])
		f.blocks = append(f.blocks[:0], f.blocks[1:]...)
	}
	for len(f.blocks) < f.ahead {
		more, err := f.launch()
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	if len(f.blocks) == 0 {
		return io.EOF
	}
	b := f.blocks[0]
	<-b.done
	if b.err != nil {
		return f.startFlow()
	}
	f.text = b.text
	return nil
}

// launch starts a goroutine that inflates the file's next block.
func (f *inflater) launch() (bool, error) {
	end := bytes.Index(f.stock, blockEnd)
	for end < 0 && f.at+int64(len(f.stock)) < f.length && len(f.stock) <= maxBlock {
		have := len(f.stock)
		f.stock = append(f.stock, make([]byte, packedRead)...)
		n, err := f.file.readAt(f.stock[have:], f.at+int64(have))
		f.stock = f.stock[:have+n]
		if err != nil {
			return false, err
		}
		if n == 0 {
			f.length = f.at + int64(have)
			break
		}
		from := max(have-len(blockEnd)+1, 0)
		if end = bytes.Index(f.stock[from:], blockEnd); end >= 0 {
			end += from
		}
	}
	if len(f.stock) == 0 {
		return false, nil
	}
	size := len(f.stock)
	if end >= 0 {
		size = end + len(blockEnd)
	}
	b := f.block()
	b.packed = append(append(b.packed[:0], f.stock[:size]...), pieceEnd...)
	f.stock = f.stock[:copy(f.stock, f.stock[size:])]
	f.at += int64(size)
	b.done = make(chan struct{})
	f.blocks = append(f.blocks, b)
	go b.run()
	return true, nil
}

func (f *inflater) block() *block {
	if n := len(f.idle); n > 0 {
		b := f.idle[n-1]
		f.idle = f.idle[:n-1]
		return b
	}
	return &block{pack: flate.NewReader(nil)}
}

// pieceEnd is a final block of eight uncompressed bytes. Appended to a piece, it shows whether
// the piece ends where a block ends: only then are its bytes the last ones of the text.
var pieceEnd = []byte("\x01\x08\x00\xf7\xff\x00\x01\x00\x02\x00\x03\x00\x04")

const storedHeader = 5

// run inflates the block. A truncated block gets an error: a file that was never closed ends so,
// and is then read in one go.
func (b *block) run() {
	defer close(b.done)
	b.in.Reset(b.packed)
	b.err = b.pack.(flate.Resetter).Reset(&b.in, nil)
	b.text = b.text[:0]
	for b.err == nil {
		if len(b.text) == cap(b.text) {
			if len(b.text) > maxBlock {
				b.err = errors.New("block too large")
				return
			}
			b.text = append(b.text, make([]byte, max(packedRead, len(b.text)))...)[:len(b.text)]
		}
		var n int
		n, b.err = b.pack.Read(b.text[len(b.text):cap(b.text)])
		b.text = b.text[:len(b.text)+n]
	}
	// Unread input means that the piece contained a final block: the stream ends there, whatever
	// follows in the file.
	if errors.Is(b.err, io.EOF) && b.in.Len() == 0 {
		text, found := bytes.CutSuffix(b.text, pieceEnd[storedHeader:])
		// A truncated final block has also taken the header as text.
		if found && !bytes.HasSuffix(text, pieceEnd[:storedHeader]) {
			b.text, b.err = text, nil
		}
	}
}

// startFlow inflates in one go from where reading began, and skips the text that was returned
// already.
func (f *inflater) startFlow() error {
	given := f.given
	f.drop()
	f.given = given
	f.at = f.begin
	f.ahead = 0
	return nil
}

// readFlow reads text in one go.
func (f *inflater) readFlow(p []byte) (int, error) {
	if f.flow == nil {
		f.at = f.begin
		f.flow = flate.NewReader(&packedReader{f: f})
		if _, err := io.CopyN(io.Discard, f.flow, f.given); err != nil {
			return 0, f.flowError(err)
		}
	}
	for {
		n, err := f.flow.Read(p)
		if n > 0 {
			return n, nil
		}
		if err != nil {
			return 0, f.flowError(err)
		}
	}
}

// flowError turns the premature end of an unfinished file into a normal end.
func (f *inflater) flowError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return io.EOF
	}
	var corrupt flate.CorruptInputError
	if errors.As(err, &corrupt) {
		return &Error{
			Path: f.file.path,
			What: fmt.Sprintf("compressed data are damaged near byte %d", f.begin+int64(corrupt)),
		}
	}
	return err
}

// packedReader reads an inflater's packed bytes, one at a time for flate.
type packedReader struct {
	f      *inflater
	buffer [4096]byte
	from   int
	to     int
}

func (r *packedReader) fill() error {
	n, err := r.f.file.readAt(r.buffer[:], r.f.at)
	if err != nil {
		return err
	}
	if n == 0 {
		return io.EOF
	}
	r.f.at += int64(n)
	r.from, r.to = 0, n
	return nil
}

func (r *packedReader) ReadByte() (byte, error) {
	if r.from == r.to {
		if err := r.fill(); err != nil {
			return 0, err
		}
	}
	r.from++
	return r.buffer[r.from-1], nil
}

func (r *packedReader) Read(p []byte) (int, error) {
	if r.from == r.to {
		if err := r.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.buffer[r.from:r.to])
	r.from += n
	return n, nil
}
