package commandline

import (
	"slices"
	"strings"
	"testing"
)

// FuzzWords: quoted words of a response file are read back unchanged, and the command line parser
// accepts any words.
func FuzzWords(f *testing.F) {
	f.Add(`gcc -fopenmp "-DX=a b" -x c f.c -o 'it''s' @x`)
	f.Add("-MD -MF -o -x")
	f.Fuzz(func(t *testing.T, text string) {
		words := SplitWords(text)
		if back := SplitWords(string(QuoteResponse(words))); !slices.Equal(back, words) {
			t.Fatalf("%q became %q", words, back)
		}
		if slices.ContainsFunc(words, isResponse) {
			return // the parser would read files
		}
		c := Parse([]string{"gcc"}, words)
		// No argument is lost or changed: the parsed arguments spell the command again.
		var all []string
		for _, a := range c.Args {
			all = append(all, a.Words...)
		}
		if c.Plain == "" && !slices.Equal(all, words) {
			t.Fatalf("%q was parsed as %q", words, all)
		}
		for _, s := range c.Sources() {
			if w := c.Preprocess(s, false); !slices.Contains(w, "-E") || w[len(w)-1] != s.Name {
				t.Fatalf("%q is preprocessed by %q", words, w)
			}
		}
		if w := c.Compile(nil); len(w) == 0 || strings.Join(w[:1], "") != "gcc" {
			t.Fatalf("%q is compiled by %q", words, w)
		}
	})
}
