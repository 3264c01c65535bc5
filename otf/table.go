package otf

import (
	"fmt"
	"strings"
	"sync"
)

// FileKind is one of the files of a stream (section 2.2).
type FileKind uint8

// The files of a stream. Each kind of record has a file of its own, so that it can be replaced
// without the others.
const (
	Definitions FileKind = iota
	Events
	Snapshots
	Statistics
	fileKinds
)

var kindNames = [fileKinds]string{"definitions", "events", "snapshots", "statistics"}

func (k FileKind) String() string { return kindNames[k] }

// FieldKind is what a field holds and how it is written.
type FieldKind byte

// The kinds of fields. Numbers are lower-case hexadecimal without leading zeros (section 2.1).
const (
	Token   FieldKind = 'h' // uint32, mostly identifiers (section 2.6)
	Number  FieldKind = 'q' // uint64
	Text    FieldKind = 's' // string between quotes; there is no escape
	Members FieldKind = 'm' // uint32 list, a comma after each
	// uint32, from the preceding process line, not from the record (section 2.3)
	Process FieldKind = 'p'
	Release FieldKind = 'v' // three numbers of 8 bits: 1.12.5
)

// Field is a parameter of a record's write function (appendix A) and of its handler (appendix B).
type Field struct {
	Name  string // the specification's, in Go's spelling
	Label string // what the printed text has before the value; "" for nothing
	Kind  FieldKind
	Slot  int // index into Record.Values, or into Record.Texts for a Text
}

// when is the condition under which an element of a line is present.
type when byte

const (
	always    when = iota
	ifSet          // written if not zero (not Null), optional on reading
	ifAnySet       // omitted if it and all after it are zero: Leave's function
	tolerated      // always written; traces of older libraries lack it
)

// element is a value in a line, with the keyword before it.
type element struct {
	field       int // index into Fields
	short, long string
	older       string // deprecated spelling of short
	when        when
}

// RecordKind is a row of the table of records: all that the writers, the readers, the printer and
// the documentation know of a type.
type RecordKind struct {
	Type        RecordType
	Name        string // as in OTF_Writer_write<Name>
	File        FileKind
	Short, Long string // keywords
	Fields      []Field
	About       string // one sentence for the documentation
	line        []element
	// an optional source location ends the line, so nothing else may follow (measured with the C
	// library)
	strict bool
	values int // number of fields in Values
	texts  int
}

// rows is the table. To add a record, add a row and run `go generate ./otf`.
//
// fields has the parameters in the order of appendix A, without stream and time: each is
// name[:kind][=label]. kind defaults to h, and label to the name; "=" alone means no label.
//
// line has the order on disk. SHORT|LONG|OLDER is a keyword for the value after it, [..] is
// omitted if it is zero, {..} may be missing in traces of older libraries.
var rows = []struct {
	name        string
	file        FileKind
	short, long string
	fields      string
	line        string
	about       string
}{
	{
		"DefinitionComment", Definitions, "DCMT", "DEFCOMMENT", "comment:s=", "comment",
		"A comment among the definitions.",
	},
	{
		"DefTimerResolution", Definitions, "DTR", "DEFTIMERRESOLUTION", "ticksPerSecond:q=",
		"ticksPerSecond",
		"Clock ticks per second of all time stamps; 1000000 where there is none.",
	},
	{
		"DefProcess", Definitions, "DP", "DEFPROCESS", "process= name:s= parent",
		"process [NM|NAME|N name] [PT|PARENT|P parent]",
		"A process or thread; parent is 0 for none.",
	},
	{
		"DefProcessGroup", Definitions, "DPG", "DEFPROCESSGROUP", "procGroup= name:s= procs:m=",
		"procGroup M|MEMBERS procs NM|NAME|N name", "A group of processes, or of groups.",
	},
	{
		"DefFunction", Definitions, "DF", "DEFFUNCTION", "function= name:s= funcGroup=group " +
			"source=scl", "function G|GROUP funcGroup NM|NAME|N name [X|SCL|S source]",
		"A function, its group and its place in the source.",
	},
	{
		"DefFunctionGroup", Definitions, "DFG", "DEFFUNCTIONGROUP", "funcGroup= name:s=",
		"funcGroup NM|NAME|N name", "A group of functions.",
	},
	{
		"DefCollectiveOperation", Definitions, "DCO", "DEFCOLLOP", "collOp= name:s= kind=type",
		"collOp NM|NAME|N name Y|TYPE kind",
		"A collective operation; see the CollectiveType constants.",
	},
	{"DefCounter", Definitions, "DCNT", "DEFCOUNTER", "counter= name:s= properties=prop " +
		"counterGroup=group unit:s", "counter G|GROUP counterGroup NM|NAME|N name P|PROPERTIES " +
		"properties U|UNIT unit", "A counter; see the Counter constants for its properties."},
	{
		"DefCounterGroup", Definitions, "DCG", "DEFCOUNTERGROUP", "counterGroup= name:s=",
		"counterGroup NM|NAME|N name", "A group of counters.",
	},
	{
		"DefScl", Definitions, "DS", "DEFSCL", "source= sourceFile=file line",
		"source F|FILE sourceFile LN|LINE line", "A source code location: a line of a file.",
	},
	{
		"DefSclFile", Definitions, "DSF", "DEFSCLFILE", "sourceFile= name:s=",
		"sourceFile NM|NAME|N name", "A source file.",
	},
	{
		"DefCreator", Definitions, "DCR", "DEFCREATOR", "creator:s=", "creator",
		"Who wrote the trace.",
	},
	{
		"DefVersion", Definitions, "DV", "DEFVERSION", "version:v= name:s=", "version name",
		"The version of the library that wrote the trace.",
	},
	{
		"DefUniqueId", Definitions, "DUI", "DEFUNIQUEID", "id:q=", "id",
		"A number that distinguishes traces (libotf 1.11 and later).",
	},

	{
		"Enter", Events, "E", "ENTER", "function=func process:p=proc source=scl",
		"function [X|SCL|S source]", "A function is entered.",
	},
	{
		"Leave", Events, "L", "LEAVE", "function=func process:p=proc source=scl",
		"[function] [X|SCL|S source]", "A function is left; 0 for the one entered last.",
	},
	{
		"SendMsg", Events, "S", "SEND", "sender:p receiver procGroup=group tag=type length=len " +
			"source=scl", "receiver L|LEN length T|TAG tag C|COMM procGroup [X|SCL|S source]",
		"A message is sent.",
	},
	{
		"RecvMsg", Events, "R", "RECEIVE",
		"receiver:p sender procGroup=group tag=type length=len " +
			"source=scl", "sender L|LEN length T|TAG tag C|COMM procGroup [X|SCL|S source]",
		"A message is received.",
	},
	{
		"Counter", Events, "CNT", "COUNTER", "process:p=proc counter value:q",
		"counter V|VALUE value",
		"A counter's value.",
	},
	{
		"CollectiveOperation", Events, "COP", "COLLOP", "process:p=proc collective=coll " +
			"procGroup=group rootProc=root sent received=recv duration:q=dur source=scl",
		"collective C|COMM procGroup RT|ROOT rootProc S|SENT sent R|RECVD received D|DUR " +
			"duration [X|SCL|S source]", "A process takes part in a collective operation.",
	},
	{
		"EventComment", Events, "#", "#EVTCOMMENT", "process:p=proc comment:s=", "comment",
		"A comment among the events.",
	},
	{
		"BeginProcess", Events, "PB", "PROCESSBEGIN", "process:p=proc", "",
		"The first event of a process.",
	},
	{
		"EndProcess", Events, "PE", "PROCESSEND", "process:p=proc", "",
		"The last event of a process.",
	},

	{
		"SnapshotComment", Snapshots, "TC", "TCOMMENT", "process:p=proc comment:s=", "comment",
		"A comment among the snapshots.",
	},
	{
		"EnterSnapshot", Snapshots, "TE", "TENTER", "originalTime:q=otime function=func " +
			"process:p=proc source=scl", "function O|OTIME originalTime [X|SCL|S source]",
		"A function that was entered before and is still on the stack.",
	},
	{
		"SendSnapshot", Snapshots, "TS", "TSEND", "originalTime:q=otime sender:p receiver " +
			"procGroup=group tag length=len source=scl", "receiver O|OTIME originalTime G|GROUP " +
			"procGroup T|TAG tag {L|LEN length} [X|SCL|S source]",
		"A message that was sent before and is not received yet.",
	},

	{
		"SummaryComment", Statistics, "SC", "SUMCOMMENT", "process:p=proc comment:s=", "comment",
		"A comment among the statistics.",
	},
	{"FunctionSummary", Statistics, "SF", "SUMFUNCTION", "function=func process:p=proc count:q=n " +
		"exclTime:q=excl inclTime:q=incl", "function N|COUNT count E|EXCL exclTime I|INCL " +
		"inclTime", "Calls and times of a function from the start until now."},
	{
		"FunctionGroupSummary", Statistics, "SG", "SUMFUNCTIONGROUP",
		"funcGroup=group process:p=proc count:q=n exclTime:q=excl inclTime:q=incl",
		"funcGroup N|COUNT count E|EXCL exclTime I|INCL inclTime",
		"Calls and times of a group of functions from the start until now.",
	},
	{
		"MessageSummary", Statistics, "SM", "SUMMESSAGE", "process:p=proc peer comm tag=type " +
			"numberSent:q=nsent numberReceived:q=nrecv bytesSent:q=bsent bytesReceived:q=brecv",
		"peer C|COMM comm T|TAG tag NS|NUMSENT numberSent NR|NUMRECVD numberReceived S|SENT " +
			"bytesSent R|RECVD bytesReceived",
		"Messages between two processes from the start until now.",
	},
}

// Records returns the table in the order of the RecordType constants, starting at number 1. It is
// made on first use, because most processes of opari only instrument a file.
var Records = sync.OnceValue(buildRecords)

// keywords finds a row by a keyword in a file of a kind. Files of events accept the snapshots'
// keywords, too (measured).
var keywords = sync.OnceValue(buildKeywords)

// Info returns the row of a record type.
func (t RecordType) Info() *RecordKind { return &Records()[t-1] }

func (t RecordType) String() string {
	if t == UnknownRecord || int(t) > len(Records()) {
		return "UnknownRecord"
	}
	return t.Info().Name
}

func buildRecords() []RecordKind {
	out := make([]RecordKind, len(rows))
	for i, r := range rows {
		k := RecordKind{
			Type: RecordType(i + 1), Name: r.name, File: r.file, Short: r.short,
			Long: r.long, About: r.about,
		}
		for word := range strings.FieldsSeq(r.fields) {
			k.addField(word)
		}
		k.addLine(strings.Fields(r.line))
		out[i] = k
	}
	return out
}

// addField adds the parameter that word describes.
func (k *RecordKind) addField(word string) {
	name, label, labelled := strings.Cut(word, "=")
	name, kind, _ := strings.Cut(name, ":")
	f := Field{Name: name, Label: label, Kind: Token}
	if kind != "" {
		f.Kind = FieldKind(kind[0])
	}
	if !labelled {
		f.Label = name
	}
	switch f.Kind {
	case Text:
		f.Slot = k.texts
		k.texts++
	case Members, Process:
	default:
		f.Slot = k.values
		k.values++
	}
	k.Fields = append(k.Fields, f)
}

// addLine adds the elements that words describe.
func (k *RecordKind) addLine(words []string) {
	var e element
	for _, word := range words {
		switch {
		case strings.HasPrefix(word, "["):
			e.when = ifSet
		case strings.HasPrefix(word, "{"):
			e.when = tolerated
		}
		word = strings.Trim(word, "[]{}")
		if alternatives := strings.Split(word, "|"); len(alternatives) > 1 {
			e.short, e.long = alternatives[0], alternatives[1]
			if len(alternatives) > 2 {
				e.older = alternatives[2]
			}
			continue
		}
		if e.when == ifSet && e.short == "" {
			e.when = ifAnySet
		}
		e.field = k.fieldIndex(word)
		k.strict = k.strict || e.long == "SCL"
		k.line = append(k.line, e)
		e = element{}
	}
}

func (k *RecordKind) fieldIndex(name string) int {
	for i, f := range k.Fields {
		if f.Name == name {
			return i
		}
	}
	panic(fmt.Sprintf("otf: the row of %s has no field %s", k.Name, name))
}

func buildKeywords() (out [fileKinds]map[string]*RecordKind) {
	for kind := range out {
		out[kind] = map[string]*RecordKind{}
	}
	records := Records()
	for i := range records {
		k := &records[i]
		out[k.File][k.Short], out[k.File][k.Long] = k, k
		if k.File == Snapshots {
			out[Events][k.Short], out[Events][k.Long] = k, k
		}
	}
	return out
}
