package directive

import (
	"strings"

	"opari/internal/omp"
)

// Own is one of opari's own directives, under either sentinel.
type Own uint8

// opari's own directives.
const (
	NotOwn Own = iota
	InstInit
	InstFinalize
	InstOn
	InstOff
	InstBegin
	InstAltend
	InstEnd
	NoInstrument
	Instrument
	owns
)

// ownRow is a row of ownTable.
type ownRow struct {
	name    string
	control omp.Control // the call that it asks for; "" for those that mark text
}

var ownTable = [owns]ownRow{
	InstInit:     {"inst init", omp.ControlInit},
	InstFinalize: {"inst finalize", omp.ControlFinalize},
	InstOn:       {"inst on", omp.ControlOn},
	InstOff:      {"inst off", omp.ControlOff},
	InstBegin:    {"inst begin", omp.ControlBegin},
	InstAltend:   {"inst altend", omp.ControlEnd},
	InstEnd:      {"inst end", omp.ControlEnd},
	NoInstrument: {"noinstrument", ""},
	Instrument:   {"instrument", ""},
}

// String is the directive's name in C; "" of NotOwn.
func (o Own) String() string { return ownTable[o].name }

// Control is the call that the directive asks for, "" for none.
func (o Own) Control() omp.Control { return ownTable[o].control }

// Named says whether the directive takes the name of a region.
func (o Own) Named() bool { return o.Control().TakesRegion() }

// MarksText says whether the directive begins or ends a part of the text that is left alone.
func (o Own) MarksText() bool { return o == NoInstrument || o == Instrument }

// isUserDirective reports whether the word at i starts one of opari's own directives. In Fortran no blank need follow
// `inst`.
func (p *grammar) isUserDirective(i int) bool {
	w := p.s[i:p.word(i)]
	if len(w) < len("inst") {
		return false
	}
	switch w[0] | 0x20 {
	case 'i':
		return p.same(w, "inst") || p.same(w, "instrument") || p.lang == omp.Fortran && p.same(w[:4], "inst")
	case 'n':
		return p.same(w, "noinstrument")
	}
	return false
}

func (p *grammar) same(a, b string) bool {
	return a == b || p.lang == omp.Fortran && strings.EqualFold(a, b)
}

// userDirective reads one of opari's own directives, whose first word is at i.
func (p *grammar) userDirective(i int) bool {
	end := p.word(i)
	name := p.s[i:end]
	if p.same(name, "inst") {
		k := p.blanks(end)
		end = max(end, p.word(k))
		name = JoinWords(p.s[i:end])
	}
	p.d.Name, p.d.NameExtent = name, p.l.Extent(i, end)
	for o := NotOwn + 1; o < owns; o++ {
		joined := p.lang == omp.Fortran && p.same(name, strings.ReplaceAll(o.String(), " ", ""))
		if joined || p.same(name, o.String()) {
			p.d.Own, p.d.Name = o, o.String()
			return p.userArg(i, end)
		}
	}
	p.warnf(i, "unknown directive '%s' is copied through", name)
	return false
}

// userArg reads what follows the name of one of opari's own directives.
func (p *grammar) userArg(start, i int) bool {
	named := p.d.Own.Named()
	i = p.blanks(i)
	if i < len(p.s) && p.s[i] == '(' {
		end, ok := p.group(i)
		if !ok {
			p.unclosed(i, p.d.Name)
			return false
		}
		p.d.Arg, p.d.HasArg = strings.TrimSpace(p.s[i+1:end-1]), true
		if !named {
			p.warnf(i, "directive '%s' takes no argument", p.d.Name)
		}
		i = p.blanks(end)
	}
	if i < len(p.s) {
		p.warnf(i, "text after directive '%s' has no meaning", p.d.Name)
	}
	if name, _ := p.d.UserRegion(); named && name == "" {
		p.errorf(start, "directive '%s' needs the name of a region in parentheses", p.d.Name)
		return false
	}
	return true
}

// UserRegion gives the region's name and the user's pointer expression of `inst begin(name, expr)`; the pointer is ""
// when there is none.
func (d *Directive) UserRegion() (name, pointer string) {
	name, pointer, _ = strings.Cut(d.Arg, ",")
	return strings.TrimSpace(name), strings.TrimSpace(pointer)
}
