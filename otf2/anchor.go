package otf2

import (
	"encoding/binary"
	"fmt"
	"os"
	"strings"
)

// Anchor is what the anchor file of an archive says.
type Anchor struct {
	Version           [3]uint8 // of the library
	Format            [2]uint8 // of the trace, major and minor
	EventChunk        uint64   // bytes
	DefinitionChunk   uint64
	Substrate         uint8 // substratePosix
	Compression       uint8 // compressionNone
	Locations         uint64
	GlobalDefinitions uint64
	Machine           string
	Creator           string
	Description       string
	Properties        []Property
	TraceID           uint64
	Snapshots         uint32
	Thumbnails        uint32
}

// Property is a name of capital letters, digits and ::, with a value.
type Property struct{ Name, Value string }

const (
	magic           = "OTF2\x00"
	substratePosix  = 1
	compressionNone = 1
	smallestChunk   = 256 << 10
	largestChunk    = 16 << 20
	largestAnchor   = 16 << 20
	largestTexts    = 1 << 16 // properties
)

// version is that of the library whose files these are.
var version, format = [3]uint8{3, 0, 2}, [2]uint8{2, 3}

// Stub returns the path of an archive without the ending of its anchor file.
func Stub(path string) string { return strings.TrimSuffix(path, ".otf2") }

// append appends the text of the anchor file.
func (a *Anchor) append(b []byte) []byte {
	b = append(append(b, chunkHeader, littleEndian), magic...)
	b = append(b, a.Format[1], a.Format[0])
	b = append(b, a.Version[:]...)
	b = binary.LittleEndian.AppendUint64(b, a.EventChunk)
	b = binary.LittleEndian.AppendUint64(b, a.DefinitionChunk)
	b = append(b, a.Substrate, a.Compression)
	b = binary.LittleEndian.AppendUint64(b, a.Locations)
	b = binary.LittleEndian.AppendUint64(b, a.GlobalDefinitions)
	for _, s := range []string{a.Machine, a.Creator, a.Description} {
		b = append(append(b, s...), 0)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(a.Properties)))
	for _, p := range a.Properties {
		b = append(append(append(append(b, p.Name...), 0), p.Value...), 0)
	}
	b = binary.LittleEndian.AppendUint64(b, a.TraceID)
	b = binary.LittleEndian.AppendUint32(b, a.Snapshots)
	b = binary.LittleEndian.AppendUint32(b, a.Thumbnails)
	return append(b, endOfFile, endOfBuffer, endOfChunk)
}

// readAnchor reads an anchor file.
func readAnchor(path string) (*Anchor, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > largestAnchor {
		return nil, &Error{Path: path, What: "this is no anchor file of OTF2"}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseAnchor(path, text)
}

func parseAnchor(path string, text []byte) (*Anchor, error) {
	if len(text) < 2+len(magic) || text[0] != chunkHeader || string(text[2:2+len(magic)]) != magic {
		return nil, &Error{Path: path, What: "this is no anchor file of OTF2"}
	}
	d := &decoder{b: text, at: 2 + len(magic), big: text[1] == bigEndian}
	var a Anchor
	v := d.full(2)
	a.Format = [2]uint8{uint8(v >> 8), uint8(v)}
	for i := range a.Version {
		a.Version[i] = uint8(d.full(1))
	}
	a.EventChunk, a.DefinitionChunk = d.full(8), d.full(8)
	a.Substrate, a.Compression = uint8(d.full(1)), uint8(d.full(1))
	a.Locations, a.GlobalDefinitions = d.full(8), d.full(8)
	a.Machine, a.Creator, a.Description = d.text(), d.text(), d.text()
	n := d.full(4)
	if n > largestTexts {
		d.fail("it has an impossible number of properties")
	}
	for range n {
		if d.what != "" {
			break
		}
		a.Properties = append(a.Properties, Property{d.text(), d.text()})
	}
	a.TraceID = d.full(8)
	a.Snapshots, a.Thumbnails = uint32(d.full(4)), uint32(d.full(4))
	if d.what == "" {
		d.what = a.problem()
	}
	if d.what != "" {
		return nil, &Error{Path: path, Chunk: 1, Offset: int64(d.at), What: d.what}
	}
	return &a, nil
}

// problem says why an archive cannot be read; "": it can.
func (a *Anchor) problem() string {
	good := func(n uint64) bool { return n >= smallestChunk && n <= largestChunk }
	switch {
	case a.Format[0] > format[0]:
		return fmt.Sprintf("format %d.%d is newer than %d.%d", a.Format[0], a.Format[1],
			format[0], format[1])
	case !good(a.EventChunk) || !good(a.DefinitionChunk):
		return fmt.Sprintf("chunks of %d and %d bytes; possible are %d to %d", a.EventChunk,
			a.DefinitionChunk, smallestChunk, largestChunk)
	case a.Substrate != substratePosix:
		return fmt.Sprintf("the files are in container %d; only plain files can be read",
			a.Substrate)
	case a.Compression != compressionNone:
		return fmt.Sprintf("the files are compressed (%d), which no library of today reads",
			a.Compression)
	}
	return ""
}
