package main

import (
	"bytes"
	"fmt"
	"strings"

	"opari/internal/omp"
)

const docsTop = `# Directives

` + "`go generate ./internal/omp`" + ` writes this page from the dictionary in internal/omp; do not
edit it.

These are the directives and clauses of OpenMP 1.0 to 6.0 that opari knows. It copies any other
through, with a warning.

## How a directive is instrumented

| rule | opari writes, with E = enter, B = begin, N = end, X = exit |
|---|---|
| keep | nothing; it copies the directive |
| fork | fork, directive { B body N }, join |
| enclose | E, directive with its body, X |
| enclose-body | E, directive { B body N }, X |
| body | directive { B body N } |
| point | E, directive, X |
| task | create_begin, directive { B body N }, create_end |
| host-only | E, directive with its body, X; nothing in a body that may run on a device |

"opaque" means that no call may stand in the body. "barrier" means that an implied barrier ends
the construct, unless it has ` + "`nowait`" + `.

## Leaf directives

The Fortran spelling follows a slash. Other spellings are in brackets.

| directive | OpenMP | languages | association | Fortran end | rule | calls | remarks | clauses |
|---|---|---|---|---|---|---|---|---|
`

var ruleNames = [...]string{
	omp.Keep: "keep", omp.Fork: "fork", omp.Enclose: "enclose", omp.EncloseBody: "enclose-body",
	omp.Body:  "body",
	omp.Point: "point", omp.Task: "task", omp.HostOnly: "host-only",
}

var associationNames = [...]string{
	omp.None: "none", omp.Block: "block", omp.Loop: "loop", omp.Declaration: "declaration",
	omp.Delimited:  "delimited",
	omp.Separating: "separating",
}

var endNames = [...]string{
	omp.EndNone: "none", omp.EndOptional: "optional",
	omp.EndRequired: "required",
}

var argNames = [...]string{
	omp.NoArg: "none", omp.OptionalArg: "optional", omp.List: "list", omp.Expression: "expression",
	omp.Other: "other",
}

var splitNames = [...]string{
	omp.SplitPermitted:    "all leaves that take it",
	omp.SplitInnermost:    "the innermost leaf that takes it",
	omp.SplitOutermost:    "the outermost leaf that takes it",
	omp.SplitFirstprivate: "parallel; the loop when the item is lastprivate too",
	omp.SplitLastprivate:  "the loop, and shared on parallel",
	omp.SplitReduction: "parallel; with inscan the loop, by `opari cc` with GCC, and else " +
		"nothing is split",
	omp.SplitLinear:   "the loop, and shared on parallel",
	omp.SplitIf:       "by directive name, else all leaves that take it",
	omp.SplitAllocate: "where its list items go",
}

// writeDocs writes docs/reference/directives.md.
func writeDocs(b *bytes.Buffer) {
	b.WriteString(docsTop)
	for i := range omp.Directives {
		writeDirective(b, &omp.Directives[i])
	}
	b.WriteString("\n## Combined and composite directives\n\nIn Fortran `do` stands for " +
		"`for`.\n\n| directive | OpenMP | languages |\n|---|---|---|\n")
	for _, c := range omp.Compounds {
		fmt.Fprintf(b, "| %s | %s | %s |\n", c.Name, versions(c.Since, 0), languages(c.Langs))
	}
	b.WriteString(`
## Clauses

"modifiers" are the words that may stand before the colon of the argument, or behind it where the
column says "after". In 6.0 a directive name may stand there in every clause. "combined" says to
which leaf of a combined directive the clause goes.

| clause | OpenMP | argument | modifiers | combined | directives |
|---|---|---|---|---|---|
`)
	for i := range omp.Clauses {
		writeClause(b, &omp.Clauses[i])
	}
	b.WriteString("\n## Runtime routines that opari wraps\n\n")
	for _, r := range omp.LockRoutines {
		fmt.Fprintf(b, "- `%s` (%s)\n", r.Name, versions(r.Since, 0))
	}
}

func writeDirective(b *bytes.Buffer, d *omp.Directive) {
	name := d.Name
	if d.Fortran != "" {
		name += " / " + d.Fortran
	}
	for _, s := range d.Synonyms {
		name += " [" + s + "]"
	}
	if d.Arg == omp.ArgRequired {
		name += " (...)"
	} else if d.Arg == omp.ArgOptional {
		name += " [(...)]"
	}
	var calls []string
	for _, t := range d.EventTypes() {
		calls = append(calls, string(t))
	}
	var remarks []string
	if d.Barrier {
		remarks = append(remarks, "barrier")
	}
	if d.Opaque {
		remarks = append(remarks, "opaque")
	}
	if d.Within != "" {
		remarks = append(remarks, "where "+d.Within+" is seen around it")
	}
	if len(d.StandAloneWith) > 0 {
		remarks = append(remarks, "stand-alone with "+d.StandAloneWith.Join(", "))
	}
	end := endNames[d.End]
	if d.Langs&omp.Fortran == 0 {
		end = ""
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", name,
		versions(d.Since, d.Until), languages(d.Langs),
		associationNames[d.Assoc], end, ruleNames[d.Rule], strings.Join(calls, ", "),
		strings.Join(remarks, "; "),
		d.Clauses.Join(", "))
}

func writeClause(b *bytes.Buffer, c *omp.Clause) {
	name := c.Name
	if c.Fortran != "" {
		name += " / " + c.Fortran
	}
	mods := c.Modifiers.Join(", ")
	switch {
	case c.Colon == omp.ColonAfter && mods == "":
		mods = "after"
	case c.Colon == omp.ColonAfter:
		mods = "after: " + mods
	case c.Colon == omp.ColonAny && mods == "":
		mods = "any"
	case c.Colon == omp.ColonAny:
		mods = "any; " + mods
	}
	var takers []string
	for i := range omp.Directives {
		if omp.Directives[i].Takes(c) {
			takers = append(takers, omp.Directives[i].Name)
		}
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", name, versions(c.Since, c.Until),
		argNames[c.Arg], mods, splitNames[c.Split],
		strings.Join(takers, ", "))
}

// versions returns "3.0" or "1.0, not in 6.0".
func versions(since, until omp.Version) string {
	s := fmt.Sprintf("%d.%d", since/10, since%10)
	if until != 0 {
		s += fmt.Sprintf(", not in %d.%d", until/10, until%10)
	}
	return s
}

func languages(l omp.Language) string {
	switch l {
	case omp.All:
		return "all"
	case omp.CFamily:
		return "C, C++"
	case omp.Fortran:
		return "Fortran"
	case omp.CPlusPlus:
		return "C++"
	case omp.C:
		return "C"
	}
	return "?"
}
