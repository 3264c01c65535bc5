package main

import (
	"fmt"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// A diffLine is a line of two texts: of both (' '), of the first ('-') or of the second ('+').
type diffLine struct {
	sign byte
	text string // with its newline, where it has one
}

// diffContext is the number of equal lines that are shown around a change.
const diffContext = 3

// unifiedDiff is the difference of two texts in the form of diff -u; "" when they are equal.
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
	lineA, lineB := 1, 1 // of lines[done]
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
			text, whole := strings.CutSuffix(l.text, "\n")
			switch l.sign {
			case '-':
				paint("31", "-"+text)
			case '+':
				paint("32", "+"+text)
			default:
				out.WriteString(" " + text + "\n")
			}
			if !whole {
				out.WriteString("\\ No newline at end of file\n")
			}
		}
		lineA, lineB, done = lineA+countA, lineB+countB, end
	}
}

// hunkEnd is where the hunk with the change at first ends: before a stretch of equal lines that is longer than the context of two
// hunks, with the context.
func hunkEnd(lines []diffLine, first int) int {
	last := first
	for i := first; i < len(lines) && i-last <= 2*diffContext; i++ {
		if lines[i].sign != ' ' {
			last = i
		}
	}
	return min(len(lines), last+1+diffContext)
}

// hunkRange is the range of a hunk as diff -u writes it: an empty one names the line before.
func hunkRange(line, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", line-1)
	case 1:
		return fmt.Sprint(line)
	}
	return fmt.Sprintf("%d,%d", line, count)
}

// diffLines compares two texts line by line.
func diffLines(a, b string) []diffLine {
	d := diffmatchpatch.New()
	d.DiffTimeout = 0 // the outcome must not depend on how fast the machine is
	ra, rb, table := d.DiffLinesToRunes(a, b)
	var lines []diffLine
	for _, part := range d.DiffCharsToLines(d.DiffMainRunes(ra, rb, false), table) {
		sign := byte(' ')
		switch part.Type {
		case diffmatchpatch.DiffDelete:
			sign = '-'
		case diffmatchpatch.DiffInsert:
			sign = '+'
		}
		for text := range strings.Lines(part.Text) {
			lines = append(lines, diffLine{sign, text})
		}
	}
	return lines
}
