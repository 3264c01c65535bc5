package descriptors

import (
	"fmt"
	"path"
	"strings"

	"opari/internal/omp"
	"opari/parse/construct"
)

// FunctionPatterns is the form of the elements of Options.Functions: NAME, FILE:NAME or FILE:
// with globs like those of path.Match. A pattern with ! in front excludes functions.
//
// A name is compared with that of the function with its scopes and without them (ns::A::f, f). A
// file is compared with that of the definition: its path as written, and the last element of it.
// A function is selected if a pattern without ! matches, or if there is no such pattern, and if
// no pattern with ! matches. An inline function is selected only if a pattern matches it.
const FunctionPatterns = "[!][FILE:]NAME"

// functionPattern is one element of Options.Functions.
type functionPattern struct {
	text, file, name string
	exclude          bool
}

func functionPatternOf(text string) functionPattern {
	p := functionPattern{text: text}
	p.name, p.exclude = strings.CutPrefix(text, "!")
	for i := 0; i < len(p.name); i++ {
		if p.name[i] != ':' {
			continue
		}
		if strings.HasPrefix(p.name[i:], "::") {
			i++
			continue
		}
		p.file, p.name = p.name[:i], p.name[i+1:]
		break
	}
	if p.name == "" {
		p.name = "*"
	}
	return p
}

// CheckFunctions returns an error for the first element of Options.Functions that is not a
// pattern.
func CheckFunctions(patterns []string) error {
	for _, text := range patterns {
		p := functionPatternOf(text)
		_, err := path.Match(p.file, "")
		if _, e := path.Match(p.name, ""); err != nil || e != nil || text == "!" {
			return fmt.Errorf("%q is no pattern %s of globs; "+
				"a bracket that is meant is written \\[", text, FunctionPatterns)
		}
	}
	return nil
}

// matches compares the pattern with a function. A slash in the name, as in operator/, is like any
// other character.
func (p *functionPattern) matches(qualified, plain, file string) bool {
	if p.file != "" && match([]string{p.file}, file, path.Base(file)) == "" {
		return false
	}
	name := func(s string) string { return strings.ReplaceAll(s, "/", "\x00") }
	return match([]string{name(p.name)}, name(qualified), name(plain)) != ""
}

// function lowers the definition of a function and everything inside it.
func (l *Lowering) function(c *construct.Construct, x context) {
	inner := x
	inner.parent = c
	reason := l.functionRefusal(c, x)
	l.addCoverage(Coverage{c.Directive.Pos, "function " + c.Directive.Arg, reason == "", reason})
	if reason == "" {
		r := l.add(c, &x)
		r.Kind, r.Name, r.SubName = omp.KindRegion, "function", c.Directive.Arg
		l.table.Placed = append(l.table.Placed,
			Placed{Construct: c, Regions: []*Region{r}, Depth: x.depth})
		inner.outer = r
		inner.depth++
	}
	l.constructs(c.Inner, inner)
}

// functionRefusal returns the reason why c is not instrumented, or "".
func (l *Lowering) functionRefusal(c *construct.Construct, x context) string {
	name, file := c.Directive.Arg, c.Directive.Pos.File
	switch {
	case c.KeepOut != "":
		return c.KeepOut
	case x.noCall != "":
		return x.noCall
	case c.NoInstr:
		return "between pomp noinstrument and instrument"
	}
	if g := match(l.options.DisableFile, file, path.Base(file)); g != "" {
		return disabledBy + "--disable-file=" + g
	}
	if g := match(l.options.DisableRegion, name, c.Function); g != "" {
		return disabledBy + "--disable-region=" + g
	}
	named, any := false, false
	for _, text := range l.options.Functions {
		p := functionPatternOf(text)
		is := p.matches(name, c.Function, file)
		if p.exclude && is {
			return "left by --functions=" + text
		}
		any = any || !p.exclude
		named = named || !p.exclude && is
	}
	switch {
	case any && !named:
		return "not named by --functions"
	case c.Unsafe != "":
		return c.Unsafe
	case c.Inline && !any:
		return "inline: only --functions=NAME instruments it"
	}
	return ""
}

// FunctionVar begins the name of the variable whose end of life is a function's exit. The
// region's ID follows.
const FunctionVar = "pomp_in"
