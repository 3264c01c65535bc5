package messages

import (
	"bytes"
	"slices"
	"strconv"

	"opari/internal/pattern"
)

// location is a line of a file, under the compiler's name for the file.
type location struct {
	file string
	line int
}

// A message is a warning or a note of the compiler.
type message struct {
	at     location
	text   string // the message with its option
	option string // option of the warning, also of the one that a note belongs to
}

// diagnostics is the part of a compiler's output that opari understands.
type diagnostics struct {
	messages []message
	options  map[string]bool   // options of the warnings; "" for a warning without one
	lines    map[location]bool // lines that messages name or show

	onlyMessages bool // there was nothing else, and nothing about inserted code
	unknown      bool // there may be more warnings and notes than messages has
	ofAssembler  bool // the assembler has said something
}

var (
	colors      = pattern.Lazy{Text: "\x1b\\[[0-9;]*[mK]"}
	shownLine   = pattern.Lazy{Text: `^ *(\d*) \|`}
	context     = pattern.Lazy{Text: `^(?:In file included from |                 from |\S.*: (?:In|At) .*:$)`}
	located     = pattern.Lazy{Text: `^(.+?):(\d+):\d+: +(?:(warning|note): |required |recursively required )(.*)$`}
	fixIt       = pattern.Lazy{Text: `^ *\+\+\+ \|`}
	unusedInput = pattern.Lazy{Text: `^\S+: warning: .*: linker input file unused because linking not done$`}
	option      = pattern.Lazy{Text: ` \[-W([^\]]*)\]$`}
	ownNames    = pattern.Lazy{Text: `(?i)pomp_|opari`}
)

// parse reads GCC's output.
func parse(said []byte) *diagnostics {
	d := &diagnostics{
		options: map[string]bool{}, lines: map[location]bool{},
		onlyMessages: !ownNames.Get().Match(said),
		ofAssembler:  bytes.Contains(said, []byte("Assembler messages:")),
	}
	var at location
	name := "" // name of the last warning's option
	for line := range bytes.Lines(colors.Get().ReplaceAll(said, nil)) {
		line = bytes.TrimRight(line, "\n")
		if m := shownLine.Get().FindSubmatch(line); m != nil {
			if n, err := strconv.Atoi(string(m[1])); err == nil {
				d.lines[location{at.file, n}] = true
			}
			continue
		}
		m := located.Get().FindSubmatch(line)
		if m == nil {
			// The second pattern is about the command, whatever the text.
			known := context.Get().Match(line) || unusedInput.Get().Match(line)
			d.onlyMessages = d.onlyMessages && known
			d.unknown = d.unknown || !known && !fixIt.Get().Match(line)
			continue
		}
		n, _ := strconv.Atoi(string(m[2]))
		at = location{string(m[1]), n}
		d.lines[at] = true
		if string(m[3]) == "warning" {
			name = ""
			if o := option.Get().FindSubmatch(m[4]); o != nil {
				name = string(o[1])
			}
			d.options[name] = true
		}
		if len(m[3]) > 0 {
			d.messages = append(d.messages, message{at, string(m[4]), name})
		}
	}
	return d
}

// have reports whether every warning has an option of the set.
func (d *diagnostics) have(set map[string]bool) bool {
	for o := range d.options {
		if !set[o] {
			return false
		}
	}
	return true
}

// anyLaterPass reports whether any warning is one of a pass after the front end.
func (d *diagnostics) anyLaterPass() bool {
	return slices.ContainsFunc(d.messages, message.ofLaterPass)
}

// possiblyLaterPass returns the messages that a pass after the front end may have given. Other
// warnings come only from front ends, before they hand a function on. Such a warning holds for
// the original text exactly if the front end gives it there, since it omits many within macros.
func (d *diagnostics) possiblyLaterPass() []message {
	var ms []message
	for _, m := range d.messages {
		if !aboutDeclarations()[m.option] || m.ofLaterPass() {
			ms = append(ms, m)
		}
	}
	return ms
}

// contain reports whether d has all of the messages.
func (d *diagnostics) contain(messages []message) bool {
	count := map[message]int{}
	for _, m := range d.messages {
		count[m]++
	}
	for _, m := range messages {
		if count[m]--; count[m] < 0 {
			return false
		}
	}
	return true
}
