package commandline

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// contradictions lists the mistakes in a table: two rows that match the same word, and rows that
// add nothing.
func contradictions(rows []option) []string {
	var list []string
	long := map[string]string{} // with the equals sign if a value follows
	for i := range rows {
		a := &rows[i]
		if a.name == "" || a.name[0] != '-' {
			list = append(list, fmt.Sprintf("%q is no option", a.name))
		}
		if a.form == next && strings.HasSuffix(a.name, "=") {
			list = append(list, a.name+" has its value in the same word")
		}
		for j := range rows {
			b := &rows[j]
			switch {
			case i == j:
			case a.name == b.name && i < j:
				list = append(list, a.name+" has two rows")
			case b.joins() && strings.HasPrefix(a.name, b.name) &&
				(a.form == alone || a.form == joined) && a.kind == b.kind &&
				a.effect == b.effect && a.long == b.long && !longer(rows, a, b):
				list = append(list, a.name+" says what "+b.name+" says")
			}
		}
		for _, name := range []string{a.long, a.longAlias} {
			for _, form := range []string{name, name + "="} {
				withValue := strings.HasSuffix(form, "=")
				if name == "" || withValue && a.form == alone ||
					!withValue && strings.HasSuffix(a.name, "=") {
					continue
				}
				if long[form] != "" {
					list = append(list, form+" stands for "+long[form]+" and "+a.name)
				}
				long[form] = a.name
			}
		}
	}
	return list
}

// longer reports whether a row between a and b matches words that begin with the name of a.
func longer(rows []option, a, b *option) bool {
	return slices.ContainsFunc(rows, func(c option) bool {
		return c.joins() && strings.HasPrefix(a.name, c.name) && len(b.name) < len(c.name) &&
			len(c.name) < len(a.name)
	})
}

// TestTable: no row of the table contradicts another, and each can be found by its names.
func TestTable(t *testing.T) {
	for _, c := range contradictions(options) {
		t.Error(c)
	}
	for i := range options {
		o := &options[i]
		if row, value := match(o.name); row != o || value != "" {
			t.Errorf("%s is found as %v with %q", o.name, row, value)
		}
		for _, name := range []string{o.long, o.longAlias} {
			word, want := name, []string{o.name}
			switch {
			case name == "":
				continue
			case strings.HasSuffix(o.name, "="):
				word, want = name+"=x", []string{o.name + "x"}
			case o.name == "-save-temps": // it has a row for each form
			case o.form == joined:
				word, want = name+"=x", []string{o.name + "x"}
			case o.form != alone:
				word, want = name+"=x", []string{o.name, "x"}
			}
			if got := shortForm(word); !slices.Equal(got, want) {
				t.Errorf("%s stands for %q, want %q", word, got, want)
			}
		}
	}
}

// TestContradictions: the check finds mistakes in a table.
func TestContradictions(t *testing.T) {
	for want, rows := range map[string][]option{
		"": {
			{name: "-a", form: either},
			{name: "-ab", kind: Link},
			{name: "-ac", form: next},
		},
		"-a has two rows": {{name: "-a"}, {name: "-a", form: next}},
		"-ab says what -a says": {
			{name: "-a", form: joined, kind: Link},
			{name: "-ab", kind: Link},
		},
		"-a= has its value in the same word": {{name: "-a=", form: next}},
		"--a stands for -a and -b": {
			{name: "-a", long: "--a"},
			{name: "-b", long: "--a"},
		},
		`"a" is no option`: {{name: "a"}},
	} {
		if got := strings.Join(contradictions(rows), "; "); got != want {
			t.Errorf("%v: %q, want %q", rows, got, want)
		}
	}
}

// TestMatch: the longest name counts, and a value is where the row says.
func TestMatch(t *testing.T) {
	for word, want := range map[string]string{
		"-includefile.h": "-include file.h", "-include-pch": "-include-pch ",
		"-Iinclude": "-I include", "-I-": "-I- ", "-Tdata": "-Tdata ",
		"-Tscript": "-T script", "-O2": "-O 2", "-dM": "-d M", "-dumpmachine": "-dump machine",
		"-dumpbase":       "-dumpbase ",
		"-fprofile-use=x": "-fprofile-use =x", "-fprofile-arcs": "-fprofile- arcs", "-MDx": "",
		"-Wunused": "", "-sys": "", "-std=c99": "-std= c99",
	} {
		got := ""
		if row, value := match(word); row != nil {
			got = row.name + " " + value
		}
		if got != want {
			t.Errorf("%s is %q, want %q", word, got, want)
		}
	}
}
