package race

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"opari/internal/pattern"
)

// FrameFormat is the form of a stack's line that Read expects: TSAN_OPTIONS' stack_trace_format.
const FrameFormat = "    #%n|%f|%s|%l|%m|%o"

// Report is one report of ThreadSanitizer: two accesses that nothing orders.
type Report struct {
	Accesses [2]ReportedAccess
	Location Location
}

// ReportedAccess is an access of one thread.
type ReportedAccess struct {
	Write, Atomic bool
	Size          int
	Address       uint64
	Thread        Thread
	Stack         []Frame // innermost first; nil: ThreadSanitizer has forgotten it
}

// Location is what ThreadSanitizer knows of the memory.
type Location struct {
	Kind      string // "global", "heap", "stack", "TLS" or ""
	Name      string // of a global variable
	Size      int    // of a global variable or a heap block
	Thread    Thread // that owns a stack, or has allocated a block
	Allocated []Frame
}

// Thread is a thread, or a task that the measurement library shows as one.
type Thread struct {
	Name string // in the report: "T1"; "" is the main thread
	ID   int    // the system's number of the thread that executed it
	Task bool
}

// Frame is a call in a stack.
type Frame struct {
	Function, File string
	Line           int
	Module         string
	Offset         uint64 // of the code in the module
}

var (
	heading = pattern.Lazy{Text: `^WARNING: ThreadSanitizer: (data race|heap-use-after-free|race on vptr).* \(pid=(\d+)\)`}
	access  = pattern.Lazy{Text: `^  (?i:previous )?(?i:(atomic )?(read|write)) of size (\d+) at ` +
		`0x([0-9a-f]+) by (main thread|thread (T\d+))`}
	location = pattern.Lazy{Text: `^  Location is (global|heap block|stack|TLS|stack or TLS)\b` +
		`(?: '(.*)')?(?: of size (\d+))?.*?(?:(?:of|allocated by) (main thread|thread (T\d+)))?[.:]?$`}
	thread = pattern.Lazy{Text: `^  Thread (T\d+) (?:'(?:task on (\d+))?.*' )?\(tid=(\d+),`}
)

// Read reads the log of a process and returns its data races.
func Read(r io.Reader) ([]Report, error) {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	var reports []Report
	var p parser
	for s.Scan() {
		line := s.Text()
		if strings.HasPrefix(line, "=====") || strings.HasPrefix(line, "SUMMARY:") {
			reports = p.finish(reports)
			continue
		}
		p.line(line)
	}
	return p.finish(reports), s.Err()
}

// parser holds the report that is being read.
type parser struct {
	open    bool
	pid     int
	report  Report
	n       int // accesses
	threads map[string]Thread
	stack   *[]Frame // to which the next frames belong
}

func (p *parser) finish(reports []Report) []Report {
	if p.open && p.n == 2 {
		for i := range p.report.Accesses {
			p.resolve(&p.report.Accesses[i].Thread)
		}
		p.resolve(&p.report.Location.Thread)
		reports = append(reports, p.report)
	}
	*p = parser{}
	return reports
}

func (p *parser) resolve(t *Thread) {
	if t.Name == "" {
		t.ID = p.pid
	} else if known, ok := p.threads[t.Name]; ok {
		*t = known
	}
}

func (p *parser) line(line string) {
	if m := heading.Get().FindStringSubmatch(line); m != nil {
		*p = parser{open: true, pid: number(m[2]), threads: map[string]Thread{}}
		return
	}
	if !p.open {
		return
	}
	if strings.HasPrefix(line, "    #") {
		if f, ok := readFrame(line); ok && p.stack != nil {
			*p.stack = append(*p.stack, f)
		}
		return
	}
	if line != "" {
		p.stack = nil
	}
	if m := access.Get().FindStringSubmatch(line); m != nil && p.n < 2 {
		a := &p.report.Accesses[p.n]
		a.Atomic, a.Write = m[1] != "", strings.EqualFold(m[2], "write")
		a.Size, a.Thread.Name = number(m[3]), m[6]
		a.Address, _ = strconv.ParseUint(m[4], 16, 64)
		p.stack = &a.Stack
		p.n++
	} else if m := location.Get().FindStringSubmatch(line); m != nil {
		l := &p.report.Location
		l.Kind, _, _ = strings.Cut(m[1], " ")
		l.Name, l.Size, l.Thread.Name = known(m[2]), number(m[3]), m[5]
		if l.Kind == "global" && l.Name == "" {
			l.Kind = "stack" // ThreadSanitizer calls the main thread's so
		}
		p.stack = &l.Allocated
	} else if m := thread.Get().FindStringSubmatch(line); m != nil {
		t := Thread{Name: m[1], ID: number(m[3])}
		if m[2] != "" {
			t.ID, t.Task = number(m[2]), true
		}
		p.threads[t.Name] = t
	}
}

// readFrame reads a line of FrameFormat.
func readFrame(line string) (Frame, bool) {
	words := strings.Split(line, "|")
	n := len(words)
	if n < 6 {
		return Frame{}, false
	}
	// Only the function's name may have the character that separates.
	f := Frame{
		Function: known(strings.Join(words[1:n-4], "|")), File: known(words[n-4]),
		Line: number(words[n-3]), Module: known(words[n-2]),
	}
	f.Offset, _ = strconv.ParseUint(strings.TrimPrefix(words[n-1], "0x"), 16, 64)
	return f, true
}

func known(s string) string {
	if s == "<null>" || s == "(null)" || s == "??" {
		return ""
	}
	return s
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// Frames says where on the stacks of threads the frames of tasks are: below these addresses. The
// keys are the system's numbers of the threads.
type Frames map[int]uint64

// ReadFrames reads what the measurement library's tool has written: lines "frame THREAD ADDRESS",
// among others.
func ReadFrames(r io.Reader) (Frames, error) {
	frames := Frames{}
	s := bufio.NewScanner(r)
	for s.Scan() {
		words := strings.Fields(s.Text())
		if len(words) == 3 && words[0] == "frame" {
			id := number(words[1])
			at, _ := strconv.ParseUint(strings.TrimPrefix(words[2], "0x"), 16, 64)
			frames[id] = max(frames[id], at)
		}
	}
	return frames, s.Err()
}
