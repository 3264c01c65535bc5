package scan

import (
	"bytes"

	"opari/internal/pattern"
)

// Some headers declare OpenMP's routines themselves for compilers without OpenMP, after #ifndef
// _OPENMP or in the #else of #ifdef _OPENMP. Under -fopenmp no compiler reads these declarations.
// If the search saw their lock routines, every file of the project would go through the
// preprocessor.

var (
	ifOpenMP   = pattern.Lazy{Text: `^(ifdef[ \t]+_OPENMP|if[ \t]+defined[ \t]*\(?[ \t]*_OPENMP[ \t]*\)?)[ \t\r]*(//.*)?$`}
	ifNoOpenMP = pattern.Lazy{Text: `^(ifndef[ \t]+_OPENMP|if[ \t]*![ \t]*defined[ \t]*\(?[ \t]*_OPENMP[ \t]*\)?)[ \t\r]*(//.*)?$`}
	changed    = pattern.Lazy{Text: `(define|undef)[ \t]+_OPENMP\b`}
)

// conditional is an #if with its groups. unread is the beginning of the group that no compiler
// with OpenMP reads; -1: it may read the current group.
type conditional struct {
	openMP bool // the compiler reads its first group and no other
	unread int
}

// blankUnread replaces text for compilers without OpenMP by blanks. It returns false if it
// cannot, because the text itself defines _OPENMP. It may miss some text, but never replaces what
// a compiler reads. So it keeps a group whose limits may be elsewhere because of a comment, a
// literal or joined lines.
func blankUnread(text []byte) bool {
	if !bytes.Contains(text, []byte("_OPENMP")) {
		return true
	}
	if changed.Get().Match(text) {
		return false
	}
	if bytes.Contains(text, []byte(`R"`)) || bytes.Contains(text, []byte("??")) ||
		bytes.Contains(text, []byte("%:")) {
		return true
	}
	var open []conditional
	for at := 0; at < len(text); {
		begin, end := at, len(text)
		if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n
		}
		at = end + 1
		line := bytes.TrimLeft(text[begin:end], " \t")
		if len(line) == 0 || line[0] != '#' ||
			bytes.HasSuffix(bytes.TrimRight(text[:begin], " \t\r\f\v\n"), []byte(`\`)) {
			continue
		}
		line = bytes.TrimLeft(line[1:], " \t")
		switch string(line[:wordLength(line)]) {
		case "if", "ifdef", "ifndef":
			c := conditional{openMP: ifOpenMP.Get().Match(line), unread: -1}
			if ifNoOpenMP.Get().Match(line) {
				c.unread = at
			}
			open = append(open, c)
		case "elif", "else", "elifdef", "elifndef":
			if len(open) == 0 {
				break
			}
			switch c := &open[len(open)-1]; {
			case c.openMP && c.unread < 0:
				c.unread = at
			case !c.openMP && c.unread >= 0:
				blank(text[c.unread:begin])
				c.unread = -1
			}
		case "endif":
			if len(open) == 0 {
				break
			}
			if c := open[len(open)-1]; c.unread >= 0 {
				blank(text[c.unread:begin])
			}
			open = open[:len(open)-1]
		}
	}
	return true
}

// blank replaces a group by blanks if it is sure of the group's limits.
func blank(group []byte) {
	if bytes.Contains(group, []byte("/*")) || bytes.Contains(group, []byte("*/")) ||
		splice.Get().Match(group) {
		return
	}
	for i, c := range group {
		if c != '\n' {
			group[i] = ' '
		}
	}
}
