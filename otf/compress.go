package otf

import (
	"bytes"
	"compress/flate"
	"runtime"
	"slices"
)

// A compressed file is one zlib stream that never finishes, with a full flush after each block of
// text. So the blocks are independent, each ends in blockEnd, and goroutines compress and inflate
// them in parallel.
//
// These facts are measured: the changelog of 1.1 says no more than "transparent zlib
// compression".
var blockEnd = []byte{0, 0, 0xff, 0xff}

// compressor compresses blocks of text in goroutines and writes them in order. All files of a
// FileManager share one, so its memory grows with the number of processors, not of streams.
type compressor struct {
	waiting []*job // oldest first
	idle    []*job
	limit   int // jobs at a time
}

// job is a block on its way to its file.
type job struct {
	file  *managedFile
	head  []byte // of the file's first block
	text  []byte
	out   bytes.Buffer
	level int
	pack  *flate.Writer
	err   error
	done  chan struct{}
}

func newCompressor() *compressor { return &compressor{limit: min(runtime.GOMAXPROCS(0), 4)} }

// zlibHeader returns the header that zlib writes for a level.
func zlibHeader(level int) []byte {
	switch {
	case level <= 1:
		return []byte{0x78, 0x01}
	case level <= 5:
		return []byte{0x78, 0x5e}
	case level == 6:
		return []byte{0x78, 0x9c}
	}
	return []byte{0x78, 0xda}
}

// put takes text as the file's next block and returns a buffer for the text that follows.
func (c *compressor) put(file *managedFile, level int, text []byte) ([]byte, error) {
	if len(c.waiting) >= c.limit {
		if err := c.next(); err != nil {
			return text[:0], err
		}
	}
	j, err := c.job(level, cap(text))
	if err != nil {
		return text[:0], err
	}
	if !file.packed {
		file.packed = true
		j.head = zlibHeader(level)
	}
	next := j.text[:0]
	j.file, j.text, j.done = file, text, make(chan struct{})
	c.waiting = append(c.waiting, j)
	go j.run()
	return next, nil
}

// job returns an idle job or a new one.
func (c *compressor) job(level, size int) (*job, error) {
	if n := len(c.idle); n > 0 {
		j := c.idle[n-1]
		c.idle = c.idle[:n-1]
		if j.level == level && cap(j.text) >= size {
			return j, nil
		}
	}
	pack, err := flate.NewWriter(nil, level)
	return &job{pack: pack, level: level, text: make([]byte, 0, size)}, err
}

// run compresses the job's text.
func (j *job) run() {
	defer close(j.done)
	j.out.Reset()
	j.out.Write(j.head)
	j.head = nil
	j.pack.Reset(&j.out)
	if _, j.err = j.pack.Write(j.text); j.err == nil {
		j.err = j.pack.Flush()
	}
}

// next writes the oldest block.
func (c *compressor) next() error {
	j := c.waiting[0]
	<-j.done
	c.waiting = slices.Delete(c.waiting, 0, 1)
	c.idle = append(c.idle, j)
	if j.err != nil {
		return j.err
	}
	return j.file.write(j.out.Bytes())
}

// wait writes all blocks of file, and the blocks before them.
func (c *compressor) wait(file *managedFile) error {
	var first error
	for slices.ContainsFunc(c.waiting, func(j *job) bool { return j.file == file }) {
		if err := c.next(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
