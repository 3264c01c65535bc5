package rewrite

import (
	"bytes"
	"testing"

	"opari/internal/omp"
	"opari/internal/source"
)

func TestPlace(t *testing.T) {
	tests := []struct {
		name, text string // '@' is the offset of the edit
		closes     bool
		want       string // '^' where the line goes, '|' where the line is split
	}{
		{"opening at the start of a line", "a;\n@b;\n", false, "a;\n^b;\n"},
		{"opening behind blanks", "a;\n \t@b;\n", false, "a;\n^ \tb;\n"},
		{"opening behind a token", "a; @b;\n", false, "a; |b;\n"},
		{"opening behind blanks at the start of the file", "  @b;\n", false, "^  b;\n"},
		{"closing at the end of a line", "a;@\nb;\n", true, "a;\n^b;\n"},
		{"closing before blanks", "a;@ \t\nb;\n", true, "a; \t\n^b;\n"},
		{"closing before a comment", "a;@ /* x */ // y\nb;\n", true, "a; /* x */ // y\n^b;\n"},
		{"closing before a comment that goes on", "a;@ /* x\n */ b;\n", true, "a;| /* x\n */ b;\n"},
		{"closing before a continued comment", "a;@ // x \\\n b;\n", true, "a;| // x \\\n b;\n"},
		{"closing before a token", "a;@ }\n", true, "a;| }\n"},
		{"closing at the end of the file", "a;@", true, "a;|"},
		{"closing at the start of a line", "a;\n@b;\n", true, "a;\n^b;\n"},
		{"closing with CRLF", "a;@\r\nb;\r\n", true, "a;\r\n^b;\r\n"},
	}
	for _, test := range tests {
		at := bytes.IndexByte([]byte(test.text), '@')
		text := []byte(test.text[:at] + test.text[at+1:])
		s := place(text, at, test.closes)
		sign := "^"
		if s.mid {
			sign = "|"
		}
		if got := string(text[:s.at]) + sign + string(text[s.at:]); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestSortEdits(t *testing.T) {
	edits := []edit{
		{10, 0, 0, begin},
		{10, 1, 1, before},
		{20, 1, 1, end},
		{20, 0, 0, end},
		{5, 2, 0, before},
		{10, 2, 0, begin},
		{20, 2, 0, end},
		{20, 3, 0, before},
	}
	sortEdits(edits)
	want := []int32{2, 0, 2, 1, 1, 0, 2, 3}
	for i, e := range edits {
		if e.item != want[i] {
			t.Fatalf("edit %d is of item %d, want %d: %v", i, e.item, want[i], edits)
		}
	}
}

// FuzzEdits splits a text at arbitrary places with arbitrary lines. Strip must return the text.
func FuzzEdits(f *testing.F) {
	f.Add([]byte("int a;\n#pragma omp barrier\n  x();\n"), []byte{0, 3, 9, 7}, false)
	f.Add([]byte("a\r\nb // c\r\n"), []byte{1, 1, 2, 5, 4}, true)
	f.Add([]byte("a;   b;"), []byte{2}, true)
	f.Fuzz(func(t *testing.T, text, places []byte, closes bool) {
		if Instrumented(text) || bytes.Contains(text, []byte(markPrefix)) {
			return
		}
		file := source.New("f.c", text)
		var out []byte
		p := &printer{
			f: file, cursor: file.NewCursor(), options: Options{Lang: omp.C},
			nl: file.Newline(),
		}
		p.flush = func(b []byte) { out = append(out, b...) }
		p.lines = append(p.lines, "first\n"...)
		p.run(spot{0, false}, 0, false)
		at := 0
		for _, b := range places {
			if at += int(b); at > len(text) {
				break
			}
			s := place(text, at, closes)
			if s.at < p.copied {
				continue
			}
			p.lines = append(p.lines, "one\ntwo\n"...)
			p.run(s, 0, b&1 == 0)
		}
		p.copyTo(len(text))
		out = append(out, p.out...)
		back, err := Strip(out)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(back, text) {
			t.Fatalf("strip gives\n%q, the text was\n%q; instrumented\n%q", back, text, out)
		}
	})
}
