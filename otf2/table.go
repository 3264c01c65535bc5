package otf2

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// File is one of the kinds of files of an archive.
type File uint8

// The kinds of files. Definitions of a location have numbers of its own.
const (
	GlobalDefinitions File = iota
	LocalDefinitions
	Events
	Snapshots
	Markers
	files
)

var fileNames = [files]string{"definitions", "local definitions", "events", "snapshots", "markers"}

func (f File) String() string { return fileNames[f] }

// Wire is how a field is written.
type Wire byte

// The ways to write a field. Compressed numbers have a byte with their length before them.
const (
	U8     Wire = iota // a byte
	U32                // compressed
	U64                // compressed
	I64                // compressed; a negative number takes all eight bytes
	Time               // eight bytes
	Double             // eight bytes
	Text               // ends in a zero byte
	Value              // as the field before it says, which is a Type
	Map                // numbers of one location and the global ones
	List               // number of elements, and the elements
)

var wires = map[string]Wire{
	"u8": U8, "u32": U32, "u64": U64, "i64": I64, "time": Time, "double": Double, "text": Text,
	"value": Value, "map": Map,
}

// unmapped is the mapping of a field that refers to nothing that a location may number itself.
const unmapped = 0xff

// Field is a parameter of a record's write function and of its handler.
type Field struct {
	Name    string
	Type    string // as in the table
	Wire    Wire
	Enum    *Enumeration // nil: not an enumeration
	Mapping uint8        // what it refers to: a MappingType, or unmapped
	Refers  bool         // to a definition
	Slot    int          // index into Record.Values; of a column, into Record.Lists
	Columns []Field      // of a List
	Count   Wire         // of a List's number of elements
}

// step is an element of a record on disk: a field, or a number for old readers.
type step struct {
	field *Field
	attic func(*Record) uint64
	wire  Wire
}

// RecordKind is a row of the table of records: all that the writers, the readers, the printer and
// the documentation know of a type.
type RecordKind struct {
	Type   RecordType
	Number uint8 // on disk
	Name   string
	Files  []File
	Fields []Field
	About  string // one sentence for the documentation
	Single bool   // no length on disk
	steps  []step
	values int
	lists  int
}

// In reports whether files of a kind have such records.
func (k *RecordKind) In(f File) bool {
	for _, g := range k.Files {
		if f == g {
			return true
		}
	}
	return false
}

// Timed reports whether the record has a location and a time.
func (k *RecordKind) Timed() bool { return k.In(Events) || k.In(Snapshots) }

// Records is the table in the order of the RecordType constants, starting at number 1. Ready makes
// it, and so does all that opens an archive.
var Records []RecordKind

// numbers finds a row by its number in a file of a kind.
var numbers [files][256]*RecordKind

// Ready makes the table of records where that has not been done. It takes half a millisecond, which
// most processes of opari can do without: they instrument a file.
var Ready = sync.OnceFunc(func() {
	Records = buildRecords()
	numbers = buildNumbers()
})

// Info returns the row of a record type.
func (t RecordType) Info() *RecordKind { return &Records[t-1] }

func (t RecordType) String() string {
	Ready()
	if t == UnknownRecord || int(t) > len(Records) {
		return "UnknownRecord"
	}
	return t.Info().Name
}

func buildNumbers() (out [files][256]*RecordKind) {
	for i := range Records {
		k := &Records[i]
		for _, f := range k.Files {
			out[f][k.Number] = k
		}
	}
	return out
}

func buildRecords() []RecordKind {
	out := parseRows(definitionRows, GlobalDefinitions, LocalDefinitions)
	events := parseRows(eventRows, Events)
	out = append(append(out, events...), parseRows(snapshotRows, Snapshots)...)
	for i, name := range strings.Fields(snapshotEvents) {
		for _, e := range events {
			if e.Name == name {
				row := fmt.Sprintf("%d %sSnap origEventTime:time %s\n  - As %s, before a "+
					"snapshot.", i+12, name, e.fieldWords(), name)
				out = append(out, parseRows(row, Snapshots)...)
			}
		}
	}
	for i := range out {
		out[i].Type = RecordType(i + 1)
		out[i].resolve()
	}
	return out
}

// fieldWords returns the fields as in the table.
func (k *RecordKind) fieldWords() string {
	var words []string
	for _, f := range k.Fields {
		word := f.Name + ":" + f.Type
		if f.Wire == List {
			word = f.Type
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// parseRows reads rows of a table.
func parseRows(text string, in ...File) []RecordKind {
	var out []RecordKind
	order := false
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if number, err := strconv.Atoi(words[0]); err == nil {
			out = append(out, RecordKind{Number: uint8(number), Name: words[1], Files: in})
			words, order = words[2:], false
		}
		k := &out[len(out)-1]
		if len(words) > 0 && words[0] == "-" {
			k.About = strings.Join(words[1:], " ")
			continue
		}
		for _, word := range words {
			switch {
			case word == "=":
				order = true
			case order:
				k.addStep(word)
			default:
				k.addWord(word)
			}
		}
	}
	return out
}

// addWord adds the field, or the fact, that word describes.
func (k *RecordKind) addWord(word string) {
	switch word {
	case "global":
		k.Files = []File{GlobalDefinitions}
	case "local":
		k.Files = []File{LocalDefinitions}
	case "marker":
		k.Files = []File{Markers}
	case "bare":
		k.Single = true
	default:
		k.Fields = append(k.Fields, k.field(word))
	}
}

func (k *RecordKind) field(word string) Field {
	if inner, is := strings.CutPrefix(word, "["); is {
		columns := strings.Split(strings.TrimSuffix(inner, "]"), "|")
		f := Field{Type: word, Wire: List, Count: wires[columns[0]], Mapping: unmapped}
		for _, c := range columns[1:] {
			column := k.plain(c)
			column.Slot = k.lists
			k.lists++
			f.Columns = append(f.Columns, column)
		}
		f.Name = f.Columns[0].Name
		return f
	}
	f := k.plain(word)
	f.Slot = k.values
	switch f.Wire {
	case Text:
		f.Slot = k.lists // index into Texts: no record has texts and lists
		k.lists++
	case Map:
		k.values++ // the mode; the pairs are Lists[0]
	default:
		k.values++
	}
	return f
}

// plain returns a field that is no list.
func (k *RecordKind) plain(word string) Field {
	name, kind, _ := strings.Cut(word, ":")
	f := Field{Name: name, Type: kind, Mapping: unmapped}
	if w, is := wires[kind]; is {
		f.Wire = w
		return f
	}
	if f.Enum = enumerations()[kind]; f.Enum != nil {
		f.Wire = f.Enum.Wire
		return f
	}
	f.Wire, f.Refers = U32, true
	switch kind {
	case "Location":
		f.Wire = U64
	case "IoParadigm":
		f.Wire = U8
	}
	for i, mapped := range enumerations()["MappingType"].Names {
		if strings.EqualFold(strings.ReplaceAll(mapped, "_", ""), kind) {
			f.Mapping = uint8(i)
		}
	}
	return f
}

// addStep adds an element to the order on disk.
func (k *RecordKind) addStep(word string) {
	s := step{attic: attic[word]}
	if s.attic == nil {
		for i := range k.Fields {
			if k.Fields[i].Name == word {
				s.field, s.wire = &k.Fields[i], k.Fields[i].Wire
			}
		}
	} else if word == "!stringValue" {
		s.wire = U32
	}
	k.steps = append(k.steps, s)
}

// resolve completes a row: where nothing else is said, the order on disk is that of the fields.
func (k *RecordKind) resolve() {
	if k.steps != nil {
		return
	}
	for i := range k.Fields {
		k.steps = append(k.steps, step{field: &k.Fields[i], wire: k.Fields[i].Wire})
	}
}

// Enumeration is the names of a field's values.
type Enumeration struct {
	Name   string
	Wire   Wire
	Names  []string
	Values []uint64
}

// Text returns the name of a value; flags are joined by a bar.
func (e *Enumeration) Text(value uint64) string {
	for i, v := range e.Values {
		if v == value {
			return e.Names[i]
		}
	}
	text, rest := "", value
	if e.Wire == U32 {
		for i, v := range e.Values {
			if v != 0 && rest&v == v {
				text, rest = text+"|"+e.Names[i], rest&^v
			}
		}
	}
	if rest != 0 || text == "" {
		text += fmt.Sprintf("|%d", rest)
	}
	return text[1:]
}

// Enumerations returns the table of enumerations in its order.
var Enumerations = sync.OnceValue(buildEnumerations)

func buildEnumerations() []*Enumeration {
	var list []*Enumeration
	for line := range strings.Lines(strings.TrimPrefix(enumerationRows, "\n")) {
		words := strings.Fields(line)
		if line[0] != ' ' {
			list = append(list, &Enumeration{Name: words[0], Wire: wires[words[1]]})
			words = words[2:]
		}
		e := list[len(list)-1]
		for _, word := range words {
			name, number, said := strings.Cut(word, "=")
			v := uint64(0)
			if n := len(e.Values); n > 0 {
				v = e.Values[n-1] + 1
			}
			if said {
				v, _ = strconv.ParseUint(number, 10, 32)
			}
			e.Names, e.Values = append(e.Names, name), append(e.Values, v)
		}
	}
	return list
}

// enumerations finds an enumeration by its name.
var enumerations = sync.OnceValue(func() map[string]*Enumeration {
	byName := map[string]*Enumeration{}
	for _, e := range Enumerations() {
		byName[e.Name] = e
	}
	return byName
})
