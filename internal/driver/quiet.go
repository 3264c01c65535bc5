package driver

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"opari/internal/omp"
)

// A look decides from the user's own files, without the preprocessor, that a compilation has nothing to instrument: a
// preprocessor run costs more than reading them. It looks for the words of OpenMP, so it may see something where there is
// nothing; it must never miss anything. System headers hold nothing that is instrumented.
type look struct {
	quotes []string // directories of -iquote
	dirs   []string // directories of -I
	seen   []string
	bytes  int
}

// Beyond these the preprocessor is the quicker way.
const (
	maxLookFiles = 64
	maxLookBytes = 4 << 20
)

// isQuiet reports whether none of the command's sources can hold a directive or a lock call.
func (c *command) isQuiet() bool {
	l := look{}
	for _, a := range c.args {
		if a.kind != pp {
			continue
		}
		switch a.name {
		case "-I":
			l.dirs = append(l.dirs, a.value)
		case "-iquote":
			l.quotes = append(l.quotes, a.value)
		case "-isystem", "-idirafter", "-U", "-nostdinc", "-nostdinc++":
		case "-D":
			if maySpeak([]byte(a.value)) {
				return false
			}
		default:
			return false // -include, -Xpreprocessor and the like may bring in anything
		}
	}
	for _, f := range c.sources() {
		if f.pre || f.lang == omp.Fortran || !l.quiet(f.name) {
			return false
		}
	}
	return true
}

// A backslash before a newline joins lines, also with blanks between, which gcc forgives.
var splice = regexp.MustCompile(`\\[ \t\r\f\v]*\n`)

// maySpeak reports whether text may hold a directive or call a lock routine: whether it has the word omp or pomp, a word omp_ that
// tells of locks or of which ## may make one, or the operator that makes a directive of something else than a literal.
func maySpeak(text []byte) bool {
	if partsWords(text) {
		text = splice.ReplaceAll(text, nil)
	}
	for rest := text; ; {
		i := bytes.Index(rest, []byte("omp"))
		if i < 0 {
			break
		}
		before, after := rest[:i], rest[i+len("omp"):]
		word := after[:wordLength(after)]
		rest = after
		if n := len(before); n > 0 && before[n-1] == 'p' {
			before = before[:n-1]
		}
		if n := len(before); n > 0 && inWord(before[n-1]) {
			continue // component
		}
		switch {
		case len(word) == 0: // all but the header's name
			if !bytes.HasPrefix(after, []byte(".h>")) && !bytes.HasPrefix(after, []byte(".h\"")) {
				return true
			}
		case word[0] == '_':
			if bytes.Contains(word, []byte("lock")) || bytes.HasPrefix(bytes.TrimLeft(after[len(word):], " \t"), []byte("##")) {
				return true
			}
		}
	}
	for rest := text; ; {
		i := bytes.Index(rest, []byte("_Pragma"))
		if i < 0 {
			return false
		}
		rest = bytes.TrimLeft(rest[i+len("_Pragma"):], " \t(")
		if !bytes.HasPrefix(rest, []byte(`"`)) {
			return true
		}
	}
}

// partsWords reports whether a backslash before a newline stands within a word.
func partsWords(text []byte) bool {
	for i := 0; ; i++ {
		n := bytes.IndexByte(text[i:], '\\')
		if n < 0 {
			return false
		}
		i += n
		after := bytes.TrimLeft(text[i+1:], " \t\r\f\v\n\\") // of several splices, what follows the last
		if i > 0 && inWord(text[i-1]) && len(after) > 0 && inWord(after[0]) && bytes.IndexByte(text[i:len(text)-len(after)], '\n') >= 0 {
			return true
		}
	}
}

// inWord reports whether c may stand in an identifier.
func inWord(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// wordLength is the length of the identifier, or the rest of one, that text begins with.
func wordLength(text []byte) int {
	n := 0
	for n < len(text) && inWord(text[n]) {
		n++
	}
	return n
}

// quiet reads a file and the user's headers that it includes.
func (l *look) quiet(name string) bool {
	name = filepath.Clean(name)
	if slices.Contains(l.seen, name) {
		return true
	}
	l.seen = append(l.seen, name)
	text, err := os.ReadFile(name)
	if err != nil || len(l.seen) > maxLookFiles {
		return false
	}
	if l.bytes += len(text); l.bytes > maxLookBytes || maySpeak(text) || bytes.Contains(text, []byte("??=")) {
		return false
	}
	for rest := text; ; {
		i := bytes.Index(rest, []byte("include"))
		j := bytes.Index(rest, []byte("import")) // Objective-C and old gcc
		if j >= 0 && (i < 0 || j < i) {
			if hashBefore(rest[:j]) {
				return false
			}
			rest = rest[j+len("import"):]
			continue
		}
		if i < 0 {
			return true
		}
		directive := hashBefore(rest[:i])
		rest = rest[i+len("include"):]
		if directive && !l.header(filepath.Dir(name), bytes.TrimLeft(bytes.TrimPrefix(rest, []byte("_next")), " \t")) {
			return false
		}
	}
}

// hashBefore reports whether the last thing in b that is no blank is the sign of a preprocessor directive.
func hashBefore(b []byte) bool {
	b = bytes.TrimRight(b, " \t")
	return bytes.HasSuffix(b, []byte("#")) || bytes.HasSuffix(b, []byte("%:")) || bytes.HasSuffix(b, []byte("*/"))
}

// header looks into the header that is named at the start of rest, if it is one of the user's. One that is in none of the user's
// directories comes from the system.
func (l *look) header(dir string, rest []byte) bool {
	if len(rest) == 0 || rest[0] != '"' && rest[0] != '<' {
		return false // a macro names it
	}
	end := byte('"')
	dirs := l.dirs
	if rest[0] == '<' {
		end = '>'
	} else {
		dirs = slices.Concat([]string{dir}, l.quotes, l.dirs)
	}
	n := bytes.IndexByte(rest[1:], end)
	if n < 0 {
		return false
	}
	name := string(rest[1 : n+1])
	if filepath.IsAbs(name) {
		return l.quiet(name)
	}
	for _, d := range dirs {
		path := filepath.Join(d, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return l.quiet(path)
		}
	}
	return true
}
