// Package eventlog reads the logs that the OMPT tool of `opari tool-log` writes
// (ompt_bridge/tools/event_file.h), and prints them. It merges the threads by time, numbers tasks
// and regions, and turns addresses into file and line.
package eventlog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

const (
	headSize   = 4096
	step       = 16384 // the length of a chunk is a multiple of this
	chunkHead  = 64
	recordSize = 64
	magic      = "OMPTLOG1"
	textEvent  = 1000 // the record continues the text of the previous record
	moreEvent  = 1001 // the record has further numbers of the previous record
	textBytes  = 48
)

// order is the byte order of logs, which are read on the machine that wrote them.
var order = binary.NativeEndian

// record is the tool's record of one event. The meaning of a field depends on the event.
type record struct {
	time                         uint64 // ns
	thread                       int
	event, endpoint              int
	kind                         int
	parallel, task, other, value uint64
	code                         uint64
	flags, extra                 uint32
	text                         string
	more                         [3]uint64
}

// Log is the log of one process.
type Log struct {
	PID       int
	Program   string // path of the executable
	Runtime   string // the name that the runtime gives itself
	OpenMP    int    // the version that it reports, such as 201811
	Lost      uint64 // events for which there was no room
	Finalized bool   // false: the process ended without the runtime's finalize call
	Threads   int
	start     uint64 // ns
	file      *os.File
	chunks    map[int][]chunk // by thread, in the order of time
	places    *places
	// numbers maps the ids of regions, tasks, waits, target regions and operations to numbers in
	// the order of appearance.
	numbers   [5]map[uint64]int
	directory string // names of places below it are relative to it
}

type chunk struct {
	offset int64 // of the first record
	size   int   // bytes of records
}

// Open reads the head of the log at path and finds its chunks. Names of places below directory
// are relative to it.
func Open(path, directory string) (*Log, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	l := &Log{file: f, chunks: map[int][]chunk{}, directory: directory}
	for i := range l.numbers {
		l.numbers[i] = map[uint64]int{}
	}
	if err = l.readHead(); err == nil {
		err = l.findChunks()
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: error: %w", path, err)
	}
	l.Threads = len(l.chunks)
	l.places = readPlaces(path + ".maps")
	return l, nil
}

// Close closes the files.
func (l *Log) Close() error {
	l.places.close()
	return l.file.Close()
}

func (l *Log) readHead() error {
	head := make([]byte, headSize)
	if _, err := io.ReadFull(l.file, head); err != nil || string(head[:8]) != magic {
		return errors.New("this is no event log")
	}
	l.start = order.Uint64(head[8:])
	l.Lost = order.Uint64(head[16:])
	l.PID = int(order.Uint32(head[24:]))
	l.OpenMP = int(order.Uint32(head[28:]))
	l.Finalized = order.Uint32(head[32:]) != 0
	l.Runtime = cString(head[40:168])
	l.Program = cString(head[168:424])
	return nil
}

func cString(b []byte) string {
	s, _, _ := bytes.Cut(b, []byte{0})
	return string(s)
}

// findChunks goes from chunk to chunk. A process that was killed while it reserved a chunk leaves
// a hole.
func (l *Log) findChunks() error {
	head := make([]byte, chunkHead)
	for at := int64(headSize); ; {
		if _, err := l.file.ReadAt(head, at); err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil
		} else if err != nil {
			return err
		}
		size, used, thread := order.Uint32(head), order.Uint32(head[4:]),
			int(order.Uint32(head[8:]))
		switch {
		case size == 0:
			at += step
			continue
		case size%step != 0 || used < chunkHead || used > size:
			return fmt.Errorf("the chunk at %d is damaged", at)
		}
		l.chunks[thread] = append(l.chunks[thread], chunk{at + chunkHead, int(used - chunkHead)})
		at += int64(size)
	}
}

// stream reads the records of one thread.
type stream struct {
	log    *Log
	thread int
	rest   []chunk
	buffer []byte
	next   record
}

// advance reads the next record with the text or the numbers that continue it. At the end it
// returns io.EOF.
func (s *stream) advance() error {
	raw, err := s.raw(true)
	if err != nil {
		return err
	}
	s.next = record{
		time: order.Uint64(raw), thread: s.thread,
		event: int(order.Uint16(raw[8:])), endpoint: int(order.Uint16(raw[10:])),
		kind:     int(int32(order.Uint32(raw[12:]))),
		parallel: order.Uint64(raw[16:]), task: order.Uint64(raw[24:]),
		other: order.Uint64(raw[32:]), value: order.Uint64(raw[40:]),
		code: order.Uint64(raw[48:]), flags: order.Uint32(raw[56:]), extra: order.Uint32(raw[60:]),
	}
	for {
		raw, err := s.raw(false)
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		switch order.Uint16(raw[8:]) {
		case textEvent:
			s.next.text += cString(raw[recordSize-textBytes:])
		case moreEvent:
			for i := range s.next.more {
				s.next.more[i] = order.Uint64(raw[16+8*i:])
			}
		default:
			return nil
		}
		s.buffer = s.buffer[recordSize:]
	}
}

// raw returns the bytes of the next record and, if take is set, skips the record.
func (s *stream) raw(take bool) ([]byte, error) {
	for len(s.buffer) < recordSize {
		if len(s.rest) == 0 {
			return nil, io.EOF
		}
		s.buffer = make([]byte, s.rest[0].size)
		if _, err := s.log.file.ReadAt(s.buffer, s.rest[0].offset); err != nil {
			return nil, err
		}
		s.rest = s.rest[1:]
	}
	raw := s.buffer[:recordSize]
	if take {
		s.buffer = s.buffer[recordSize:]
	}
	return raw, nil
}
