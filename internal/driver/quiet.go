package driver

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"opari/internal/omp"
)

// A look decides from the user's own files, without the preprocessor, that a compilation has nothing to instrument: a
// preprocessor run costs more than reading them. It looks for the words of OpenMP, so it may see something where there is
// nothing; it must never miss anything. System headers hold nothing that is instrumented.
//
// Every compilation of a project pays for it, so each byte is looked at once, in memory that is used again for the next file.
type look struct {
	quotes []string // directories of -iquote
	dirs   []string // directories of -I
	seen   map[string]bool
	absent map[string]bool // names that are in none of dirs
	openMP bool            // the compiler has it on, and it is left to it to say so
	bytes  int
	buffer []byte // of the file at hand
}

// Beyond these the preprocessor is the quicker way.
const (
	maxLookFiles = 64
	maxLookBytes = 4 << 20
)

// isQuiet reports whether none of the command's sources can hold a directive or a lock call.
func (c *command) isQuiet() bool {
	l := look{seen: map[string]bool{}, absent: map[string]bool{}, openMP: c.openmp, buffer: make([]byte, 128<<10)}
	for _, a := range c.args {
		if a.kind != pp {
			continue
		}
		switch a.name {
		case "-I":
			l.dirs = append(l.dirs, a.value)
		case "-iquote":
			l.quotes = append(l.quotes, a.value)
		case "-isystem", "-idirafter", "-nostdinc", "-nostdinc++":
		case "-U":
			l.openMP = l.openMP && a.value != "_OPENMP"
		case "-D":
			l.openMP = l.openMP && !strings.HasPrefix(a.value, "_OPENMP")
			if _, quiet := survey([]byte(a.value)); !quiet {
				return false
			}
		default:
			return false // -include, -Xpreprocessor and the like may bring in anything
		}
	}
	for _, f := range c.sources() {
		if f.pre || f.lang == omp.Fortran || l.file(f.name) != quietFile {
			return false
		}
	}
	return true
}

// What the look finds out about a file.
type finding uint8

const (
	loudFile  finding = iota // it may hold something, or cannot be read
	quietFile                // it holds nothing, nor does what it includes
	noFile                   // there is none
)

// file looks into a file and the user's headers that it includes.
func (l *look) file(name string) finding {
	name = filepath.Clean(name)
	if l.seen[name] {
		return quietFile
	}
	text, is := l.read(name)
	if is != quietFile {
		return is
	}
	l.seen[name] = true
	if l.bytes += len(text); l.bytes > maxLookBytes || len(l.seen) > maxLookFiles {
		return loudFile
	}
	if l.openMP && !blankFallbacks(text) {
		return loudFile
	}
	headers, quiet := survey(text)
	if !quiet {
		return loudFile
	}
	dir := filepath.Dir(name)
	for _, h := range headers { // text is gone
		if !l.header(dir, h) {
			return loudFile
		}
	}
	return quietFile
}

// read returns the bytes of a regular file, which stay until the next call.
func (l *look) read(name string) ([]byte, finding) {
	fd, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if err != nil {
		if err == syscall.ENOENT || err == syscall.ENOTDIR {
			return nil, noFile
		}
		return nil, loudFile
	}
	defer func() { _ = syscall.Close(fd) }()
	var info syscall.Stat_t
	switch err := syscall.Fstat(fd, &info); {
	case err != nil || info.Size > maxLookBytes:
		return nil, loudFile
	case info.Mode&syscall.S_IFMT == syscall.S_IFDIR:
		return nil, noFile
	case info.Mode&syscall.S_IFMT != syscall.S_IFREG:
		return nil, loudFile
	}
	if int64(len(l.buffer)) <= info.Size {
		l.buffer = make([]byte, 2*info.Size)
	}
	for n := 0; ; {
		got, err := syscall.Read(fd, l.buffer[n:])
		switch {
		case err != nil || n+got == len(l.buffer): // it grows while it is read
			return nil, loudFile
		case got == 0:
			return l.buffer[:n], quietFile
		}
		n += got
	}
}

// header looks into the header of a name in its quotes or brackets, if it is one of the user's. One that is in none of the user's
// directories comes from the system.
func (l *look) header(dir, quoted string) bool {
	name := quoted[1 : len(quoted)-1]
	if filepath.IsAbs(name) {
		return l.file(name) == quietFile
	}
	if quoted[0] == '"' {
		for _, d := range append([]string{dir}, l.quotes...) {
			if is := l.file(filepath.Join(d, name)); is != noFile {
				return is == quietFile
			}
		}
	}
	if l.absent[name] {
		return true
	}
	for _, d := range l.dirs {
		if is := l.file(filepath.Join(d, name)); is != noFile {
			return is == quietFile
		}
	}
	l.absent[name] = true
	return true
}

// telling marks the bytes at which survey stops: one of each thing that it looks for, the rarest.
var telling = [256]bool{'m': true, 'P': true, '#': true, '%': true, '\\': true, '?': true}

// survey returns the headers that text includes, in their quotes or brackets, and reports whether text is quiet: it can neither hold a
// directive nor call a lock routine, and all that it includes has a name.
func survey(text []byte) (headers []string, quiet bool) {
	for i := range text {
		if !telling[text[i]] {
			continue
		}
		loud := false
		switch before, after := text[:i], text[i+1:]; text[i] {
		case 'm':
			loud = i > 0 && text[i-1] == 'o' && len(after) > 0 && after[0] == 'p' && isOpenMP(before[:i-1], after[1:])
		case 'P': // the operator that makes a directive of something else than a literal
			if i > 0 && text[i-1] == '_' && bytes.HasPrefix(after, []byte("ragma")) {
				loud = !bytes.HasPrefix(bytes.TrimLeft(after[len("ragma"):], " \t("), []byte(`"`))
			}
		case '%':
			if len(after) == 0 || after[0] != ':' {
				break
			}
			after = after[1:]
			fallthrough
		case '#':
			var name string
			if name, loud = included(after); name != "" {
				headers = append(headers, name)
			}
		case '\\':
			if partsWord(text, i) {
				return survey(splice.ReplaceAll(text, nil))
			}
		case '?': // trigraphs for # and the backslash
			loud = len(after) > 1 && after[0] == '?' && (after[1] == '=' || after[1] == '/')
		}
		if loud {
			return nil, false
		}
	}
	return headers, true
}

// isOpenMP reports whether the letters omp between before and after belong to the word omp or pomp, or to a word omp_ that tells of locks
// or of which ## may make one.
func isOpenMP(before, after []byte) bool {
	if n := len(before); n > 0 && before[n-1] == 'p' {
		before = before[:n-1]
	}
	if n := len(before); n > 0 && inWord(before[n-1]) {
		return false // component
	}
	word := after[:wordLength(after)]
	switch {
	case len(word) == 0: // all but the header's name
		return !bytes.HasPrefix(after, []byte(".h>")) && !bytes.HasPrefix(after, []byte(".h\""))
	case bytes.Equal(word, []byte("_lock_t")), bytes.Equal(word, []byte("_nest_lock_t")): // types
		return false
	case word[0] == '_':
		next := bytes.TrimLeft(after[len(word):], " \t\r\n\\")
		return bytes.Contains(word, []byte("lock")) || bytes.HasPrefix(next, []byte("##")) || bytes.HasPrefix(next, []byte("/*"))
	}
	return false
}

// included returns the header's name, in its quotes or brackets, of the include directive whose sign stands before text; "" when it is
// no such directive. It reports whether what is included cannot be told.
func included(text []byte) (name string, unknown bool) {
	for {
		text = bytes.TrimLeft(text, " \t")
		if !bytes.HasPrefix(text, []byte("/*")) {
			break
		}
		n := bytes.Index(text[2:], []byte("*/"))
		if n < 0 {
			return "", false
		}
		text = text[2+n+2:]
	}
	switch word := text[:wordLength(text)]; string(word) {
	case "include", "include_next":
		text = bytes.TrimLeft(text[len(word):], " \t")
	case "import": // Objective-C and old gcc
		return "", true
	case "":
		return "", len(text) > 0 && text[0] == '\\' // goes on in the next line
	default:
		return "", false
	}
	if len(text) == 0 || text[0] != '"' && text[0] != '<' {
		return "", true // a macro names it
	}
	end := byte('"')
	if text[0] == '<' {
		end = '>'
	}
	n := bytes.IndexByte(text[1:], end)
	if n <= 0 || bytes.IndexByte(text[:n], '\n') >= 0 {
		return "", true
	}
	return string(text[:n+2]), false
}

// A backslash before a newline joins lines, also with blanks between, which gcc forgives.
var splice = regexp.MustCompile(`\\[ \t\r\f\v]*\n`)

// partsWord reports whether the backslash at i is the first of those before newlines that stand within a word.
func partsWord(text []byte, i int) bool {
	if i == 0 || !inWord(text[i-1]) {
		return false
	}
	after := bytes.TrimLeft(text[i+1:], " \t\r\f\v\n\\") // of several splices, what follows the last
	return len(after) > 0 && inWord(after[0]) && bytes.IndexByte(text[i:len(text)-len(after)], '\n') >= 0
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
