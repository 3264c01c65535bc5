package instrumenting

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// diffLine is a line of both texts (' '), of the first ('-') or of the second ('+').
type diffLine struct {
	sign byte
	text string // with its newline, if it has one
}

// diffContext is the number of equal lines around a change.
const diffContext = 3

// unifiedDiff returns the difference of two texts in the form of diff -u, and "" for equal
// texts.
func unifiedDiff(nameA, nameB string, a, b []byte, color bool) string {
	lines := diffLines(string(a), string(b))
	var out strings.Builder
	paint := func(code, s string) {
		if color {
			s = "\x1b[" + code + "m" + s + "\x1b[0m"
		}
		out.WriteString(s)
		out.WriteByte('\n')
	}
	lineA, lineB := 1, 1 // line numbers of lines[done]
	for done := 0; ; {
		first := done
		for first < len(lines) && lines[first].sign == ' ' {
			first++
		}
		if first == len(lines) {
			return out.String()
		}
		if out.Len() == 0 {
			paint("1", "--- "+nameA)
			paint("1", "+++ "+nameB)
		}
		start := max(done, first-diffContext)
		lineA, lineB = lineA+start-done, lineB+start-done
		end := hunkEnd(lines, first)
		countA, countB := 0, 0
		for _, l := range lines[start:end] {
			if l.sign != '+' {
				countA++
			}
			if l.sign != '-' {
				countB++
			}
		}
		paint("36", "@@ -"+hunkRange(lineA, countA)+" +"+hunkRange(lineB, countB)+" @@")
		for _, l := range lines[start:end] {
			text, complete := strings.CutSuffix(l.text, "\n")
			switch l.sign {
			case '-':
				paint("31", "-"+text)
			case '+':
				paint("32", "+"+text)
			default:
				out.WriteString(" " + text + "\n")
			}
			if !complete {
				out.WriteString("\\ No newline at end of file\n")
			}
		}
		lineA, lineB, done = lineA+countA, lineB+countB, end
	}
}

// hunkEnd returns where the hunk that contains the change at first ends, with its context. The
// next equal lines after it outnumber the context of two hunks.
func hunkEnd(lines []diffLine, first int) int {
	last := first
	for i := first; i < len(lines) && i-last <= 2*diffContext+1; i++ {
		if lines[i].sign != ' ' {
			last = i
		}
	}
	return min(len(lines), last+1+diffContext)
}

// hunkRange formats the range of a hunk like diff -u: an empty one names the line before.
func hunkRange(line, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", line-1)
	case 1:
		return fmt.Sprint(line)
	}
	return fmt.Sprintf("%d,%d", line, count)
}

// diffLines compares two texts line by line. It pairs lines that occur once in each text, in
// the same order. go-diff compares the lines between these pairs; its time grows with the
// square of the differences.
func diffLines(a, b string) []diffLine {
	return appendDiff(nil, slices.Collect(strings.Lines(a)), slices.Collect(strings.Lines(b)))
}

func appendDiff(out []diffLine, a, b []string) []diffLine {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		out = append(out, diffLine{' ', a[n]})
		n++
	}
	a, b = a[n:], b[n:]
	n = 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	same := a[len(a)-n:]
	a, b = a[:len(a)-n], b[:len(b)-n]
	pairs := anchors(a, b)
	if len(pairs) == 0 {
		out = appendSmallDiff(out, a, b)
	} else {
		i, j := 0, 0
		for _, p := range append(pairs, anchor{len(a), len(b)}) {
			out = appendDiff(out, a[i:p.a], b[j:p.b])
			i, j = p.a, p.b
		}
	}
	for _, l := range same {
		out = append(out, diffLine{' ', l})
	}
	return out
}

// anchor is a pair of indices of equal lines.
type anchor struct{ a, b int }

// anchors pairs the lines that occur once in a and once in b: as many of them as have the same
// order in both.
func anchors(a, b []string) []anchor {
	type seen struct{ countA, countB, a, b int }
	lines := make(map[string]*seen, len(a))
	for i, l := range a {
		s := lines[l]
		if s == nil {
			s = &seen{}
			lines[l] = s
		}
		s.countA, s.a = s.countA+1, i
	}
	for j, l := range b {
		if s := lines[l]; s != nil {
			s.countB, s.b = s.countB+1, j
		}
	}
	var ends []anchor // ends[n] is the end, smallest in b, of a rising sequence of n+1 pairs
	before := map[anchor]anchor{}
	for i, l := range a {
		s := lines[l]
		if s.countA != 1 || s.countB != 1 {
			continue
		}
		p := anchor{i, s.b}
		n, _ := slices.BinarySearchFunc(ends, p, func(x, y anchor) int { return x.b - y.b })
		if n > 0 {
			before[p] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, p)
		} else {
			ends[n] = p
		}
	}
	if len(ends) == 0 {
		return nil
	}
	out := make([]anchor, len(ends))
	for p, n := ends[len(ends)-1], len(ends)-1; n >= 0; n-- {
		out[n] = p
		p = before[p]
	}
	return out
}

// appendSmallDiff compares by Myers's algorithm.
func appendSmallDiff(out []diffLine, a, b []string) []diffLine {
	d := diffmatchpatch.New()
	d.DiffTimeout = 0 // the result must not depend on the machine's speed
	ra, rb, table := d.DiffLinesToRunes(strings.Join(a, ""), strings.Join(b, ""))
	for _, part := range d.DiffCharsToLines(d.DiffMainRunes(ra, rb, false), table) {
		sign := byte(' ')
		switch part.Type {
		case diffmatchpatch.DiffDelete:
			sign = '-'
		case diffmatchpatch.DiffInsert:
			sign = '+'
		}
		for text := range strings.Lines(part.Text) {
			out = append(out, diffLine{sign, text})
		}
	}
	return out
}
