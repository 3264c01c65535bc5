package analysis

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// LeftOut is what a recording leaves out. The time of that, including waits, counts for the
// enclosing region. Traces keep it in comments, profiles and reports in a field.
type LeftOut struct {
	Filter *Filter `json:"filter,omitempty"`
	// Disabled are the options that kept constructs from being instrumented, sorted.
	Disabled []string `json:"disabled,omitempty"`
	Off      uint64   `json:"off,omitempty"`    // times that measurement was switched off
	OffTime  uint64   `json:"off_ns,omitempty"` // how long, summed over the threads of a process
	// Functions are those that were switched off because they were called too often for what
	// they do, the most frequent first.
	Functions []OffFunction `json:"functions_off,omitempty"`
	// Several says that each number is the largest of one process among several.
	Several bool `json:"several,omitempty"`
}

// Filter is the filter under which a trace was recorded.
type Filter struct {
	Rules   uint64 `json:"rules"`
	Minimum uint64 `json:"minimum_ns,omitempty"` // ns; shorter visits are left out
	Regions uint64 `json:"regions"`              // regions that its rules left out
	ID      string `json:"id"`                   // identifies the filter
}

// OffFunction is a function that was switched off while the program ran.
type OffFunction struct {
	Name  string `json:"name"`
	File  string `json:"file"`
	Line  int    `json:"line"`
	Calls uint64 `json:"calls"` // until then
}

// Pattern returns the pattern of --functions that leaves the function out.
func (f *OffFunction) Pattern() string {
	escape := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)
	return "!" + escape.Replace(f.File) + ":" + escape.Replace(f.Name)
}

// WriteFilter writes the patterns that leave out the functions that were switched off, a line
// each, for --functions=@FILE.
func (l *LeftOut) WriteFilter(w io.Writer) error {
	text := "# Functions that were switched off because they were called too often.\n"
	for _, f := range l.Functions {
		text += f.Pattern() + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// IsZero reports whether nothing is known to be left out.
func (l *LeftOut) IsZero() bool {
	return l.Filter == nil && len(l.Disabled) == 0 && l.Off == 0 && len(l.Functions) == 0
}

// Any reports whether time of something left out counts for the enclosing region.
func (l *LeftOut) Any() bool {
	return l.Filter != nil && (l.Filter.Regions > 0 || l.Filter.Minimum > 0) ||
		len(l.Disabled) > 0 || l.OffTime > 0 || len(l.Functions) > 0
}

// Comments returns l as the comments of a trace, in the form that comment reads. Texts of a trace
// have no quotation marks.
func (l *LeftOut) Comments() []string {
	var all []string
	if f := l.Filter; f != nil {
		all = append(all, fmt.Sprintf(filterComment, f.ID, f.Rules, f.Minimum, f.Regions))
	}
	for _, option := range l.Disabled {
		all = append(all, disabledComment+option)
	}
	if l.Off > 0 {
		all = append(all, fmt.Sprintf(offComment, l.Off, l.OffTime))
	}
	for _, f := range l.Functions {
		all = append(all, fmt.Sprintf(functionComment, f.Calls, f.Line)+f.Name+inFile+f.File)
	}
	if l.Several && (l.Filter != nil || l.Off > 0) {
		all = append(all, severalComment)
	}
	return all
}

const (
	filterComment   = "filter %s rules: %d, minimum: %d ns, regions left out: %d"
	disabledComment = "disabled: "
	offComment      = "measurement switched off: %d times, %d ns"
	functionComment = "function switched off after %d calls, of line %d: "
	inFile          = " in file "
	severalComment  = "numbers of what is left out are the largest of a process"
)

// Comment reads a comment of a trace. It returns false for any other comment. A trace that was
// merged from others has several such comments.
func (l *LeftOut) Comment(text string) bool {
	var f Filter
	var o LeftOut
	if option, is := strings.CutPrefix(text, disabledComment); is {
		o.Disabled = []string{Printable(option)}
	} else if n, _ := fmt.Sscanf(text, filterComment, &f.ID, &f.Rules, &f.Minimum, &f.Regions); n ==
		4 {
		f.ID = Printable(f.ID)
		o.Filter = &f
	} else if f, is := offFunction(text); is {
		o.Functions = []OffFunction{f}
	} else if n, _ := fmt.Sscanf(text, offComment, &o.Off, &o.OffTime); n != 2 &&
		text != severalComment {
		return false
	}
	several := l.Several || text == severalComment || l.Filter != nil && o.Filter != nil ||
		l.Off > 0 && o.Off > 0
	l.Join(&o)
	l.Several = several
	return true
}

// offFunction reads the comment of a trace on a function.
func offFunction(text string) (OffFunction, bool) {
	var f OffFunction
	if n, _ := fmt.Sscanf(text, functionComment, &f.Calls, &f.Line); n != 2 {
		return f, false
	}
	_, rest, _ := strings.Cut(text, ": ")
	name, file, is := strings.Cut(rest, inFile)
	f.Name, f.File = Printable(name), Printable(file)
	return f, is
}

// joinFunctions adds functions. Of one that several processes have, the largest number counts.
func (l *LeftOut) joinFunctions(functions []OffFunction) {
	all := slices.Clone(l.Functions)
	for _, f := range functions {
		i := slices.IndexFunc(all, func(g OffFunction) bool { return f.same(&g) })
		if i < 0 {
			all = append(all, f)
		} else {
			all[i].Calls = max(all[i].Calls, f.Calls)
		}
	}
	l.Functions = all
	slices.SortStableFunc(l.Functions, func(f, g OffFunction) int {
		return cmp.Or(cmp.Compare(g.Calls, f.Calls), cmp.Compare(f.File, g.File),
			cmp.Compare(f.Line, g.Line), cmp.Compare(f.Name, g.Name))
	})
}

func (f *OffFunction) same(g *OffFunction) bool {
	return f.Name == g.Name && f.File == g.File && f.Line == g.Line
}

// Join adds what another process or trace leaves out. Numbers become the larger of the two,
// because all processes have the same regions.
func (l *LeftOut) Join(o *LeftOut) {
	if o.Filter != nil {
		if l.Filter == nil {
			l.Filter = &Filter{ID: o.Filter.ID}
		}
		f := *l.Filter
		if f.ID != o.Filter.ID && !strings.Contains(f.ID, o.Filter.ID) {
			f.ID += "+" + o.Filter.ID
		}
		f.Rules, f.Minimum, f.Regions = max(f.Rules, o.Filter.Rules),
			max(f.Minimum, o.Filter.Minimum), max(f.Regions, o.Filter.Regions)
		l.Filter = &f
	}
	l.Disabled = slices.Compact(slices.Sorted(slices.Values(slices.Concat(l.Disabled, o.Disabled))))
	l.joinFunctions(o.Functions)
	l.Off, l.OffTime = max(l.Off, o.Off), max(l.OffTime, o.OffTime)
	l.Several = true
}

// Lines returns the description of l for people, one line for each fact.
func (l *LeftOut) Lines() []string {
	most := ""
	if l.Several {
		most = " at most in a process"
	}
	var lines []string
	if f := l.Filter; f != nil {
		var parts []string
		if f.Rules > 0 {
			parts = append(parts, plural(f.Rules, "rule"))
		}
		if f.Regions > 0 {
			parts = append(parts, plural(f.Regions, "region")+" left out"+most)
		}
		if f.Minimum > 0 {
			parts = append(parts, "visits of less than "+Duration(int64(f.Minimum))+" left out")
		}
		text := "filter: " + strings.Join(parts, ", ")
		switch {
		case f.Regions == 1 && f.Minimum == 0:
			text += ": its time counts for the enclosing region"
		case f.Regions > 0 || f.Minimum > 0:
			text += ": their time counts for the enclosing regions"
		default:
			text += ", nothing left out"
		}
		lines = append(lines, text)
	}
	if len(l.Disabled) > 0 {
		lines = append(lines, "instrumented with "+strings.Join(l.Disabled, " ")+
			": the time of what that leaves out counts for the enclosing regions")
	}
	if len(l.Functions) > 0 {
		lines = append(lines, l.functionsLine())
	}
	if l.Off > 0 {
		lines = append(lines, fmt.Sprintf("measurement switched off %s, for %s%s, on all "+
			"threads: that time counts for the enclosing regions",
			Often(l.Off), Duration(int64(l.OffTime)), most))
	}
	return lines
}

// mostFunctions is the number of functions that a report's head names.
const mostFunctions = 5

func (l *LeftOut) functionsLine() string {
	var most []string
	for _, f := range l.Functions[:min(mostFunctions, len(l.Functions))] {
		most = append(most, fmt.Sprintf("%s %s:%d (%d)", f.Name, f.File, f.Line, f.Calls))
	}
	more := ""
	if n := len(l.Functions) - len(most); n > 0 {
		more = fmt.Sprintf(", and %d more", n)
	}
	return plural(uint64(len(l.Functions)), "function") + " switched off while the program ran, " +
		"with too many calls for what they do: later time counts for the callers; calls until " +
		"then: " +
		strings.Join(most, ", ") + more
}

func Often(n uint64) string {
	if n == 1 {
		return "once"
	}
	return strconv.FormatUint(n, 10) + " times"
}

func plural(n uint64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Differs says what two runs recorded differently, so that their times cannot be compared line by
// line; "" for nothing.
func (l *LeftOut) Differs(o *LeftOut) string {
	id := func(f *Filter) string {
		if f == nil {
			return ""
		}
		return f.ID
	}
	var what []string
	if id(l.Filter) != id(o.Filter) {
		what = append(what, "under different filters")
	}
	if !slices.Equal(l.Disabled, o.Disabled) {
		what = append(what, "with different constructs disabled")
	}
	if !slices.EqualFunc(l.byPlace(), o.byPlace(), func(f, g OffFunction) bool {
		return f.same(&g)
	}) {
		what = append(what, "with different functions switched off")
	}
	if (l.Off > 0) != (o.Off > 0) {
		what = append(what, "one of them with measurement switched off for a time")
	}
	return strings.Join(what, ", ")
}

func (l *LeftOut) byPlace() []OffFunction {
	return slices.SortedFunc(slices.Values(l.Functions), func(f, g OffFunction) int {
		return cmp.Or(cmp.Compare(f.File, g.File), cmp.Compare(f.Line, g.Line),
			cmp.Compare(f.Name, g.Name))
	})
}

// LostNote says how many records are missing, and why, if that is known.
func LostNote(n uint64, why string) string {
	if why != "" {
		why = " (" + why + ")"
	}
	return fmt.Sprintf("records lost: %d%s: times are incomplete", n, why)
}

// Notes returns what a reader must know of a run before its numbers, a line each.
func (r *Result) Notes() []string {
	notes := append(r.LeftOut.Lines(), r.Lost...)
	if note := r.processorNote(); note != "" {
		notes = append([]string{note}, notes...)
	}
	if r.Part != nil {
		return append(r.Part.lines(r), notes...)
	}
	return notes
}

// PropertyName returns a property's name for people. For Work it says so if the recording left
// something out, because its time, including waits, may be in Work.
func (r *Result) PropertyName(p Property) string {
	if p == Work && r.LeftOut.Any() {
		return p.String() + ", and what was left out"
	}
	return p.String()
}

// PropertyWhat says what a property counts in this run.
func (r *Result) PropertyWhat(p Property) string {
	if p == Work && r.LeftOut.Any() {
		return p.What() + "; with the time, waiting too, of what was left out of the recording"
	}
	return p.What()
}
