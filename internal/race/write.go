package race

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"opari/internal/sarif"
)

// Text writes the findings for people. It writes nothing where there are none.
func (fs *Findings) Text(w io.Writer) error {
	for _, f := range fs.List {
		if err := f.text(w); err != nil {
			return err
		}
	}
	return nil
}

func (f *Finding) text(w io.Writer) error {
	var b strings.Builder
	what := "race"
	if f.Possible {
		what = "possible race"
	}
	fmt.Fprintf(&b, "%s: %s%s: %s and %s\n", f.Accesses[0].Place, what, f.of(), f.Accesses[0].Kind,
		f.Accesses[1].Kind)
	for i := range f.Accesses {
		a := &f.Accesses[i]
		fmt.Fprintf(&b, "  %-12s %s", a.Kind, a.Place)
		if a.Function != "" && a.File != "" {
			fmt.Fprintf(&b, " in %s", a.Function)
		}
		b.WriteByte('\n')
		if a.Source != "" {
			fmt.Fprintf(&b, "               | %s\n", printable(a.Source))
		}
		if len(a.Constructs) > 0 {
			fmt.Fprintf(&b, "               in %s\n", strings.Join(a.Constructs, ", in "))
		}
	}
	fmt.Fprintf(&b, "  why: %s\n  try: %s\n", f.Why, f.Advice)
	if f.Possible {
		b.WriteString("  One thread executed both tasks in all runs, and the program asks for " +
			"thread numbers:\n  if each thread has memory of its own, this is no race.\n")
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

func (f *Finding) of() string {
	switch {
	case f.Variable != "" && f.Guessed:
		return " on " + f.Variable + " (by the source lines)"
	case f.Variable != "":
		return " on " + f.Variable
	case f.Memory != "":
		return " on " + f.Memory
	}
	return ""
}

// printable replaces what a terminal would obey.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r < ' ', r == 0x7f:
			return '?'
		}
		return r
	}, s)
}

// JSON writes the findings as one object.
func (fs *Findings) JSON(w io.Writer) error {
	list := fs.List
	if list == nil {
		list = []*Finding{}
	}
	return encode(w, struct {
		Version    int        `json:"opari_races"`
		Findings   []*Finding `json:"findings"`
		Suppressed int        `json:"suppressed"`
	}{1, list, fs.Suppressed})
}

func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// SARIF writes the findings in the Static Analysis Results Interchange Format 2.1.0, which code
// hosts read. version is opari's.
func (fs *Findings) SARIF(w io.Writer, version string) error {
	results := []sarif.Result{}
	for _, f := range fs.List {
		results = append(results, f.sarif())
	}
	log := sarif.Log{
		Tool: "opari race", Version: version, Mark: "opari_races",
		Rules: []sarif.Rule{
			{
				ID: "data-race", Level: "error", Description: "Two threads access a variable, " +
					"one of them writes, and nothing orders them.",
			},
			{
				ID: "possible-data-race", Level: "warning", Description: "Two tasks access " +
					"memory that may be the thread's own, and nothing orders them.",
			},
		},
		Runs: []sarif.Run{{Results: results}},
	}
	return log.Write(w)
}

func (f *Finding) sarif() sarif.Result {
	a, b := &f.Accesses[0], &f.Accesses[1]
	r := sarif.Result{
		Rule: 0, Level: "error",
		Message: fmt.Sprintf("Data race%s: %s at %s and %s at %s. %s. Try: %s.",
			f.of(), a.Kind, a.Place, b.Kind, b.Place, sentence(f.Why), f.Advice),
		Kind: "racePlaces/v1", Print: f.fingerprint(),
		Location: a.sarif(), Related: b.sarif(),
	}
	if f.Possible {
		r.Rule, r.Level = 1, "warning"
	}
	return r
}

// sarif returns a location, or nil where the file is unknown.
func (a *Access) sarif() *sarif.Location {
	if a.File == "" {
		return nil
	}
	return &sarif.Location{File: a.File, Line: a.Line, Message: a.Kind}
}

// fingerprint stays where lines move: it is of the lines' text.
func (f *Finding) fingerprint() string {
	var parts []string
	for i := range f.Accesses {
		a := &f.Accesses[i]
		parts = append(parts, a.File+" "+a.Function+" "+cmp.Or(a.Source, a.Kind))
	}
	return sarif.Fingerprint(parts...)
}

func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
