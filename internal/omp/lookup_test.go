package omp

import (
	"strings"
	"testing"
)

func leafNames(n *Name) string {
	if n == nil {
		return "-"
	}
	var s []string
	for _, d := range n.Leaves {
		s = append(s, d.Name)
	}
	return strings.Join(s, "+")
}

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		lang   Language
		text   string
		leaves string
		words  int
	}{
		{C, "parallel", "parallel", 1},
		{C, "parallel for simd private", "parallel+for+simd", 3},
		{C, "parallel nowait", "parallel", 1},
		{
			C, "target teams distribute parallel for simd",
			"target+teams+distribute+parallel+for+simd", 6,
		},
		{C, "distribute parallel", "distribute", 1},
		{C, "master taskloop", "master+taskloop", 2},
		{C, "target data map", "target data", 2},
		{C, "target_data map", "target data", 1},
		{C, "target enter map", "target", 1},
		{C, "cancellation point for", "cancellation point", 2},
		{C, "cancel for", "cancel", 1},
		{C, "ordered simd", "ordered", 1},
		{C, "begin declare target", "begin declare target", 3},
		{C, "begin declare_target", "begin declare target", 2},
		{C, "end declare target", "end declare target", 3},
		{C, "declare", "-", 0},
		{C, "do", "-", 0},
		{C, "Parallel", "-", 0},
		{C, "workshare", "-", 0},
		{C, "barrier for", "barrier", 1},
		{Fortran, "PARALLEL Do simd", "parallel+for+simd", 3},
		{Fortran, "for", "-", 0},
		{Fortran, "parallel workshare", "parallel+workshare", 2},
		{Fortran, "target teams workdistribute", "target+teams+workdistribute", 3},
		{CPlusPlus, "target_enter_data", "target enter data", 1},
		{C, "", "-", 0},
		{C, strings.Repeat("parallel", 100), "-", 0},
	} {
		n, used := Lookup(c.lang, strings.Fields(c.text)...)
		if leafNames(n) != c.leaves || used != c.words {
			t.Errorf("%q: %s and %d words, want %s and %d", c.text, leafNames(n), used,
				c.leaves, c.words)
		}
	}
}

func TestLookupCompact(t *testing.T) {
	for _, c := range []struct {
		text, leaves string
		length       int
	}{
		{"paralleldoprivate(i)", "parallel+for", 10},
		{"PARALLELDOSIMD", "parallel+for+simd", 14},
		{"dosimdsimdlen(4)", "for+simd", 6},
		{"targetdatamap(a)", "target data", 10},
		{"targetdevice(0)", "target", 6},
		{"parallel do", "parallel", 8},
		{"sectionsprivate(x)", "sections", 8},
		{"section", "section", 7},
		{"taskloopsimd", "taskloop+simd", 12},
		{"canceldo", "cancel", 6},
		{"cancellationpointdo", "cancellation point", 17},
		{"x", "-", 0},
		{"", "-", 0},
	} {
		n, used := LookupCompact(c.text)
		if leafNames(n) != c.leaves || used != c.length {
			t.Errorf("%q: %s and %d bytes, want %s and %d", c.text, leafNames(n), used,
				c.leaves, c.length)
		}
	}
}

// TestNames requires that Lookup finds every name, alone, before a word that continues no name,
// and in Fortran without its blanks.
func TestNames(t *testing.T) {
	for _, lang := range []Language{C, CPlusPlus, Fortran} {
		for _, n := range Names(lang) {
			w := append(strings.Fields(n.Text), "xyzzy")
			got, used := Lookup(lang, w...)
			if got != n || used != len(w)-1 {
				t.Errorf("%q: found %v with %d words", n.Text, got, used)
			}
			c, _ := LookupCompact(strings.ReplaceAll(n.Text, " ", ""))
			if lang == Fortran && leafNames(c) != leafNames(n) {
				t.Errorf("%q without blanks: %s", n.Text, leafNames(c))
			}
		}
	}
}

// TestCompounds requires that a compound is no newer than its leaves allow, and that a compound
// without its first leaf is a compound or a leaf.
func TestCompounds(t *testing.T) {
	for _, c := range Compounds {
		first, rest, _ := strings.Cut(c.Name, " ")
		n, used := Lookup(Fortran, strings.Fields(rest)...)
		if c.Langs&C != 0 {
			n, used = Lookup(C, strings.Fields(rest)...)
		}
		if n == nil || used != len(strings.Fields(rest)) {
			t.Errorf("%s: after %s stands no directive", c.Name, first)
		}
		for _, d := range leavesOf(c.Name) {
			if d.Since > c.Since || c.Langs&^d.Langs != 0 {
				t.Errorf("%s: leaf %s is newer or not in its languages", c.Name, d.Name)
			}
		}
	}
	for _, bad := range []string{
		"barrier for", "for parallel", "simd for", "parallel single",
		"parallel parallel", "sections simd", "teams parallel",
	} {
		words := strings.Fields(bad)
		if n, used := Lookup(C, words...); used == len(words) {
			t.Errorf("%q is taken for %q", bad, n.Text)
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	w := []string{"target", "teams", "distribute", "parallel", "for", "simd"}
	for b.Loop() {
		Lookup(C, w...)
	}
}
