package layout

import (
	"strings"
	"unicode/utf8"
)

// Wrapped breaks a cell at spaces if the line is wider than the terminal.
func Wrapped(text string, indent, width int) string {
	room := max(width, MinWidth) - indent
	if width == 0 || utf8.RuneCountInString(text) <= room {
		return text
	}
	lead := text[:len(text)-len(strings.TrimLeft(text, " "))]
	var b strings.Builder
	line := lead
	for i, word := range strings.Fields(text) {
		if i > 0 && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > room {
			b.WriteString(line + "\n" + strings.Repeat(" ", indent))
			line = lead + "  "
		} else if i > 0 {
			line += " "
		}
		line += word
	}
	return b.String() + line
}

// Markdown escapes the characters of a program's names that Markdown would interpret.
var Markdown = strings.NewReplacer("|", "\\|", "*", "\\*", "_", "\\_", "<", "&lt;", "`",
	"\\`", "[", "\\[")

// Aligned prints rows with the first and last columns left-aligned and the others
// right-aligned.
func Aligned(b *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, cell := range r {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, r := range rows {
		for i, cell := range r {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			switch i {
			case 0:
				b.WriteString(cell + pad)
			case len(r) - 1:
				b.WriteString("  " + cell)
			default:
				b.WriteString("  " + pad + cell)
			}
		}
		b.WriteByte('\n')
	}
}

// MinWidth is the least width of a table.
const MinWidth = 60

// ShortenLeft shortens s to its last n characters, because the ends of paths differ.
func ShortenLeft(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return "…" + string(r[len(r)-n+1:])
}

func ShortenRight(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
