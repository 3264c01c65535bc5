package descriptors

import (
	"fmt"
	"path"
	"strings"

	"opari/internal/omp"
	"opari/parse/construct"
)

// FunctionPatterns describes the elements of Options.Functions: NAME, FILE:NAME or FILE: as globs like those of path.Match, with ! in front
// for functions to leave. A name is held against that of the function with and without its scopes (ns::A::f, f), a file against that of
// the definition (its path as spelled, and its last element). A function is selected if one of the patterns without ! matches, or if there is
// none, and no pattern with ! does. What is inline is selected only by a pattern that matches.
const FunctionPatterns = "[!][FILE:]NAME"

// functionPattern is one element of Options.Functions.
type functionPattern struct {
	text, file, name string
	leave            bool
}

func functionPatternOf(text string) functionPattern {
	p := functionPattern{text: text}
	p.name, p.leave = strings.CutPrefix(text, "!")
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

// CheckFunctions reports an element of Options.Functions that is no pattern.
func CheckFunctions(patterns []string) error {
	for _, text := range patterns {
		p := functionPatternOf(text)
		_, err := path.Match(p.file, "")
		if _, e := path.Match(p.name, ""); err != nil || e != nil || text == "!" {
			return fmt.Errorf("%q is no pattern %s of globs; a bracket that is meant is written \\[", text, FunctionPatterns)
		}
	}
	return nil
}

// matches holds the pattern against a function. A slash in the name, as in operator/, is like any other character.
func (p *functionPattern) matches(qualified, plain, file string) bool {
	if p.file != "" && match([]string{p.file}, file, path.Base(file)) == "" {
		return false
	}
	name := func(s string) string { return strings.ReplaceAll(s, "/", "\x00") }
	return match([]string{name(p.name)}, name(qualified), name(plain)) != ""
}

// function lowers the definition of a function, and what is inside.
func (l *Lowering) function(c *construct.Construct, x context) {
	inner := x
	inner.parent = c
	reason := l.functionRefusal(c, x)
	l.cover(Coverage{c.Directive.Pos, "function " + c.Directive.Arg, reason == "", reason})
	if reason == "" {
		r := l.add(c, &x)
		r.Kind, r.Name, r.SubName = omp.KindRegion, "function", c.Directive.Arg
		l.table.Placed = append(l.table.Placed, Placed{Construct: c, Regions: []*Region{r}, Depth: x.depth})
		inner.outer = r
		inner.depth++
	}
	l.constructs(c.Inner, inner)
}

// functionRefusal says why c is not instrumented, or "".
func (l *Lowering) functionRefusal(c *construct.Construct, x context) string {
	name, file := c.Directive.Arg, c.Directive.Pos.File
	switch {
	case c.KeepOut != "":
		return c.KeepOut
	case x.shut != "":
		return x.shut
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
		if p.leave && is {
			return "left by --functions=" + text
		}
		any = any || !p.leave
		named = named || !p.leave && is
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

// FunctionVar is the start of the name of the variable whose end of life is a function's exit; the region's ID follows.
const FunctionVar = "pomp_in"
