package directive

import (
	"strings"

	"opari/internal/omp"
)

// userDirectives are opari's own directives, which either sentinel may begin. named says that the
// directive has the name of a region as its argument.
var userDirectives = []struct {
	name  string
	named bool
}{
	{"inst init", false},
	{"inst finalize", false},
	{"inst on", false},
	{"inst off", false},
	{"inst begin", true},
	{"inst altend", true},
	{"inst end", true},
	{"noinstrument", false},
	{"instrument", false},
}

// isUserDirective reports whether the word at i starts one of opari's own directives. Fortran
// needs no blank after `inst`.
func (p *grammar) isUserDirective(i int) bool {
	w := p.s[i:p.word(i)]
	if len(w) < len("inst") {
		return false
	}
	switch w[0] | 0x20 {
	case 'i':
		return p.same(w, "inst") || p.same(w, "instrument") ||
			p.lang == omp.Fortran && p.same(w[:4], "inst")
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
	for _, u := range userDirectives {
		if p.same(name, u.name) ||
			p.lang == omp.Fortran && p.same(name, strings.ReplaceAll(u.name, " ", "")) {
			p.d.Name = u.name
			return p.userArg(i, end, u.named)
		}
	}
	p.warnf(i, "unknown directive '%s' is copied through", name)
	return false
}

// userArg reads what follows the name of one of opari's own directives.
func (p *grammar) userArg(start, i int, named bool) bool {
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

// UserRegion returns the region's name and the user's pointer expression from
// `inst begin(name, expr)`. The pointer is "" if there is none.
func (d *Directive) UserRegion() (name, pointer string) {
	name, pointer, _ = strings.Cut(d.Arg, ",")
	return strings.TrimSpace(name), strings.TrimSpace(pointer)
}
