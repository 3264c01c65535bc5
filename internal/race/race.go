// Package race turns ThreadSanitizer's reports of a program in OpenMP into findings: pairs of
// places in the source whose accesses nothing orders.
//
// A report is about an address and two stacks, so one mistake gives many. A finding names both
// lines with the constructs around them, the variable, why nothing orders the accesses, and what
// to try. Read parses the log, Add makes findings, and Text, JSON and SARIF write them.
package race

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"opari/internal/symbols"
)

// Place is a line of the source.
type Place struct {
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Function string `json:"function,omitempty"`
}

func (p Place) String() string {
	if p.File == "" {
		return cmp.Or(p.Function, "an unknown place")
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Access is one side of a finding.
type Access struct {
	Place
	Kind       string   `json:"kind"` // "read", "write", "atomic read" or "atomic write"
	Constructs []string `json:"constructs"`
	Calls      []Place  `json:"calls,omitempty"` // the callers, innermost first
	Source     string   `json:"source,omitempty"`

	chain []*region
	write bool
	plain bool // not atomic
	task  bool // a task of the measurement library's
}

// Finding is a pair of places whose accesses nothing orders.
type Finding struct {
	// Variable is "" if no name is known. Guessed says that it is read off the source lines.
	Variable string    `json:"variable,omitempty"`
	Guessed  bool      `json:"guessed,omitempty"`
	Memory   string    `json:"memory,omitempty"`
	Accesses [2]Access `json:"accesses"`
	// Possible says that one thread executed both tasks in all runs. If each thread has memory of
	// its own, the tasks may never meet in it.
	Possible bool   `json:"possible,omitempty"`
	Why      string `json:"why"`
	Advice   string `json:"advice"`
	Count    int    `json:"reports"`

	names []string // candidates for Variable
}

// Findings are those of all runs of a program.
type Findings struct {
	List       []*Finding
	Suppressed int

	folder  string // names of files are relative to this one
	files   *symbols.Files
	sources map[string]*text
}

// New returns findings without any. folder is the one to which names of files are relative.
func New(folder string) *Findings {
	return &Findings{folder: folder, files: symbols.New(), sources: map[string]*text{}}
}

// Close closes the files with symbols.
func (fs *Findings) Close() { fs.files.Close() }

// Add adds the reports of one process, with the frames of its tasks.
func (fs *Findings) Add(reports []Report, frames Frames) {
	for i := range reports {
		r := &reports[i]
		if r.isNone(frames) {
			continue
		}
		f := fs.finding(r)
		at := slices.IndexFunc(fs.List, func(o *Finding) bool { return samePlaces(o, f) })
		if at < 0 {
			fs.List = append(fs.List, f)
			continue
		}
		fs.List[at].merge(f)
	}
}

// Finish explains the findings and puts them in the order of their places. Certain ones come
// first.
func (fs *Findings) Finish() {
	for _, f := range fs.List {
		f.explain()
	}
	slices.SortStableFunc(fs.List, func(a, b *Finding) int {
		if a.Possible != b.Possible {
			if a.Possible {
				return 1
			}
			return -1
		}
		return cmp.Or(comparePlaces(&a.Accesses[0], &b.Accesses[0]),
			comparePlaces(&a.Accesses[1], &b.Accesses[1]))
	})
}

// Certain returns the number of findings that are no mere possibilities.
func (fs *Findings) Certain() int {
	n := 0
	for _, f := range fs.List {
		if !f.Possible {
			n++
		}
	}
	return n
}

func comparePlaces(a, b *Access) int {
	return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line, cmp.Compare(a.Function, b.Function))
}

func samePlaces(a, b *Finding) bool {
	return comparePlaces(&a.Accesses[0], &b.Accesses[0]) == 0 &&
		comparePlaces(&a.Accesses[1], &b.Accesses[1]) == 0
}

// merge adds another finding of the same places. A write says more than a read.
func (f *Finding) merge(o *Finding) {
	f.Count += o.Count
	f.Possible = f.Possible && o.Possible
	for i := range f.Accesses {
		if o.Accesses[i].write && !f.Accesses[i].write {
			f.Accesses[i].write, f.Accesses[i].Kind = true, o.Accesses[i].Kind
		}
	}
	if f.Guessed && !o.Guessed && o.Variable != "" {
		f.Variable, f.Guessed, f.Memory = o.Variable, false, o.Memory
	}
}

// isNone reports whether a report is about memory that its threads do not share. Tasks that one
// thread executed one after the other use the same frames of the stack, the same threadprivate
// variables, and the same copies of reductions.
func (r *Report) isNone(frames Frames) bool {
	l := &r.Location
	one := r.Accesses[0].Thread.ID == r.Accesses[1].Thread.ID
	if strings.Contains(l.Kind, "TLS") && one {
		return true
	}
	if r.Accesses[0].copiesForTask() || r.Accesses[1].copiesForTask() {
		return true
	}
	isTask := r.Accesses[0].Thread.Task || r.Accesses[1].Thread.Task
	if l.Kind == "stack" && isTask && r.Accesses[0].Address < frames[l.Thread.ID] {
		return true
	}
	return l.Kind == "heap" && one && isRuntimes(l.Allocated)
}

// copiesForTask reports whether a write is one of GCC's functions that copy what a task has
// firstprivate. The task begins behind it, but the runtime has announced the task before.
func (a *ReportedAccess) copiesForTask() bool {
	return a.Write && slices.ContainsFunc(a.Stack, func(f Frame) bool {
		return strings.Contains(f.Function, "._omp_cpyfn")
	})
}

// isRuntimes reports whether the runtime itself has allocated a block. The innermost frame is
// ThreadSanitizer's malloc, which clang links into the program.
func isRuntimes(stack []Frame) bool {
	if len(stack) < 2 {
		return false
	}
	m := filepath.Base(stack[1].Module)
	return strings.HasPrefix(m, "libgomp") || strings.HasPrefix(m, "libomp")
}

// finding makes a finding of a report.
func (fs *Findings) finding(r *Report) *Finding {
	f := &Finding{Count: 1, Memory: r.Location.memory()}
	for i := range r.Accesses {
		f.Accesses[i] = fs.access(&r.Accesses[i])
	}
	a, b := &f.Accesses[0], &f.Accesses[1]
	if comparePlaces(a, b) > 0 {
		*a, *b = *b, *a
	}
	f.Possible = a.task && b.task && r.Accesses[0].Thread.ID == r.Accesses[1].Thread.ID &&
		(fs.asksThread(a) || fs.asksThread(b))
	if f.names = fs.sharedNames(a, b); len(f.names) > 0 {
		f.Variable, f.Guessed = strings.Join(f.names, " or "), true
	}
	if name := plainName(r.Location.Name); r.Location.Kind == "global" && name != "" {
		f.Variable, f.Guessed, f.names = name, false, []string{name}
	}
	return f
}

func (l *Location) memory() string {
	switch l.Kind {
	case "global":
		return fmt.Sprintf("a global variable of %d bytes", l.Size)
	case "heap":
		return fmt.Sprintf("a block of %d bytes on the heap", l.Size)
	case "stack":
		return "a variable on a thread's stack"
	case "TLS":
		return "a thread's own variable"
	}
	return ""
}

// plainName returns the name that the source has for a symbol: gfortran calls a variable of a
// module __m_MOD_x, and a local one that is kept x.4711.
func plainName(symbol string) string {
	if i := strings.Index(symbol, "_MOD_"); i >= 0 && strings.HasPrefix(symbol, "__") {
		symbol = symbol[i+len("_MOD_"):]
	}
	if i := strings.LastIndexByte(symbol, '.'); i > 0 &&
		strings.Trim(symbol[i+1:], "0123456789") == "" {
		symbol = symbol[:i]
	}
	return symbol
}

// access makes one side of a finding.
func (fs *Findings) access(r *ReportedAccess) Access {
	a := Access{write: r.Write, plain: !r.Atomic, task: r.Thread.Task, Kind: "read"}
	if r.Write {
		a.Kind = "write"
	}
	if r.Atomic {
		a.Kind = "atomic " + a.Kind
	}
	for _, p := range fs.places(r.Stack) {
		if a.Place == (Place{}) {
			a.Place = p
		} else {
			a.Calls = append(a.Calls, p)
		}
	}
	if r.Stack == nil {
		a.Function = "a place that ThreadSanitizer has forgotten"
	}
	a.Source = strings.TrimSpace(fs.text(a.File).line(a.Line))
	for _, p := range append([]Place{a.Place}, a.Calls...) {
		a.chain = append(a.chain, fs.text(p.File).around(p.Line)...)
	}
	a.Constructs = []string{}
	for _, c := range a.chain {
		a.Constructs = append(a.Constructs, c.String())
	}
	return a
}

// places returns those frames of a stack that are the program's.
func (fs *Findings) places(stack []Frame) []Place {
	var places []Place
	for _, f := range stack {
		if strings.Contains(f.File, "/libsanitizer/") || strings.Contains(f.File, "/compiler-rt/") {
			continue
		}
		if f.File != "" {
			places = append(places, Place{fs.name(f.File), f.Line, functionName(f.Function)})
			continue
		}
		for _, s := range fs.files.Loaded(f.Module, f.Offset) {
			if s.Line > 0 {
				file := s.File
				if !filepath.IsAbs(file) {
					file = filepath.Join(s.Directory, file)
				}
				places = append(places, Place{fs.name(file), s.Line, functionName(s.Function)})
			}
		}
	}
	if len(places) == 0 && len(stack) > 0 {
		places = append(places, Place{Function: fmt.Sprintf("%s+%#x",
			filepath.Base(stack[0].Module), stack[0].Offset)})
	}
	return places
}

// functionName is the name of the function in the source from which the compiler made this one.
func functionName(s string) string {
	for _, mark := range []string{"._omp_fn", ".omp_outlined", ".omp_task_entry", ".."} {
		if i := strings.Index(s, mark); i > 0 {
			s = s[:i]
		}
	}
	return s
}

// name returns a file's name as the user knows it: relative to the folder if it is in there.
func (fs *Findings) name(file string) string {
	file = filepath.Clean(file)
	if rel, err := filepath.Rel(fs.folder, file); filepath.IsAbs(file) && err == nil &&
		!strings.HasPrefix(rel, "../") {
		return rel
	}
	return file
}
