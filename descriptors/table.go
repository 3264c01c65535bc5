package descriptors

import (
	"strconv"
	"strings"

	"opari/internal/omp"
)

// StructLines declares the context descriptor and the unit that passes a file's descriptors to
// the library. This is ABI 1, so the text is the same in every unit and in pomp_lib.h.
const StructLines = `struct ompregdescr {
  const char *name, *sub_name; int num_sections; const char *file_name;
  int begin_first_line, begin_last_line, end_first_line, end_last_line;
  void *data[4]; struct ompregdescr *next;
  const char *directive; unsigned kind, facts; int schedule, hint; struct ompregdescr *outer; };
struct pomp_unit { unsigned abi; int regions; struct ompregdescr *region; ` +
	"volatile int active; struct pomp_unit *next; } __attribute__((__aligned__(64)));\n"

// AppendTableHead appends the line that opens the definition of the descriptors of n regions as
// the array pomp_d. Then follow the lines of AppendRow for each region, with RowEnd after all but
// the last and TableEnd after that. Without regions there are none of these lines.
func AppendTableHead(b []byte, n int) []byte {
	b = append(b, "static struct ompregdescr pomp_d["...)
	b = strconv.AppendInt(b, int64(n), 10)
	return append(b, "] = {\n"...)
}

// What ends the lines of regions.
const (
	RowEnd   = ",\n"
	TableEnd = " };\n"
)

// AppendRow appends the initializer of one descriptor. It writes every field, because -Wextra
// warns about missing ones.
func (r *Region) AppendRow(b []byte) []byte {
	b = append(b, "  { "...)
	b = append(appendString(b, r.nameAndOrder()), ',', ' ')
	b = append(appendString(b, r.SubName), ',', ' ')
	b = append(strconv.AppendInt(b, int64(r.Sections), 10), ',', ' ')
	b = appendString(b, r.File)
	for _, n := range [4]int{r.Begin[0], r.Begin[1], r.End[0], r.End[1]} {
		b = append(b, ',', ' ')
		b = strconv.AppendInt(b, int64(n), 10)
	}
	b = append(b, ", { 0, 0, 0, 0 }, 0, "...)
	b = append(r.appendDirective(b), ',', ' ')
	b = append(strconv.AppendInt(b, int64(r.Kind), 10), ',', ' ')
	b = append(strconv.AppendUint(b, uint64(r.Facts), 10), 'u', ',', ' ')
	b = append(strconv.AppendInt(b, int64(r.Schedule), 10), ',', ' ')
	b = append(strconv.AppendInt(b, int64(r.Hint), 10), ',', ' ')
	if r.Outer == nil {
		return append(b, "0 }"...)
	}
	b = append(b, "pomp_d + "...)
	return append(strconv.AppendInt(b, int64(r.Outer.ID-1), 10), ' ', '}')
}

// appendDirective appends the directive with its keys as a C string literal.
func (r *Region) appendDirective(b []byte) []byte {
	if r.Keys == "" || !isPlainString(r.Keys) || !isPlainString(r.Directive) {
		return appendString(b, r.directiveAndKeys())
	}
	b = append(append(b, '"'), r.Directive...)
	b = append(append(b, `\000`...), r.Keys...)
	return append(b, '"')
}

// isPlainString reports whether s needs no escape in C.
func isPlainString(s string) bool { return !strings.ContainsAny(s, "\\\"?\n\r\x00") }

// appendString appends s as a C string literal.
func appendString(b []byte, s string) []byte {
	if isPlainString(s) {
		b = append(b, '"')
		b = append(b, s...)
		return append(b, '"')
	}
	return append(b, Quote(s)...)
}

// Quote returns s as a C string literal. It escapes question marks because of trigraphs.
func Quote(s string) string {
	var q strings.Builder
	q.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\' || c == '"':
			q.WriteByte('\\')
			q.WriteByte(c)
		case c == '?' && i+1 < len(s) && s[i+1] == '?':
			q.WriteString(`\?`)
		case c < ' ':
			q.WriteString("\\" + string([]byte{'0' + c>>6, '0' + c>>3&7, '0' + c&7}))
		default:
			q.WriteByte(c)
		}
	}
	q.WriteByte('"')
	return q.String()
}

// Spelling returns the directive of region r, with its leaves in one text: "for simd".
func (r *Region) Spelling() string {
	if r.Leaf == nil {
		return r.Name
	}
	names := make([]string, len(r.Leaves))
	for i, leaf := range r.Leaves {
		names[i] = leaf.NameIn(omp.C)
	}
	return strings.Join(names, " ")
}
