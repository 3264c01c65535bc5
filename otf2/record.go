package otf2

// RecordType is the number of a row in the table Records. Its constants <Name>Record are
// generated.
type RecordType uint8

// UnknownRecord is a record of a newer library, which readers skip by its length.
const UnknownRecord RecordType = 0

const (
	maxValues = 10
	maxLists  = 3
)

// Undefined is the number of a definition that is missing, in all widths: a field of 32 bits has
// the lower half.
const Undefined = 1<<64 - 1

// Undefined32 is Undefined for the definitions whose numbers have 32 bits.
const Undefined32 = 1<<32 - 1

// Record is one record of any type, for the table-driven code and HandlerArray.Any. The record and
// all that it refers to are valid only until the handler returns.
type Record struct {
	Type     RecordType
	File     File
	Location uint64 // Undefined in global definitions and markers
	Time     uint64 // ticks; definitions have none
	// Fields by their Slot. Signed numbers are in two's complement, fractions are their bits.
	Values     [maxValues]uint64
	Texts      [maxLists]string
	Lists      [maxLists][]uint64 // columns of lists, by their Slot; of a Map its pairs
	Attributes []AttributeValue   // what an event has in addition
	Number     uint8              // on disk, of an UnknownRecord
}

// AttributeValue is a value that an event has in addition to its fields.
type AttributeValue struct {
	Attribute uint32 // number of its definition
	Type      Type
	Value     uint64 // as in Record.Values
}

// The modes of a Map: the global numbers of 0, 1, 2, or pairs of numbers.
const (
	MapDense  = 0
	MapSparse = 1
)
