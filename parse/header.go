package parse

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"opari/internal/source"
)

// Headers that the file includes with quotes are read for their macros, and so that directives in them are mentioned.
// Their conditions are not looked at, beyond #if 0.

const (
	maxHeaders     = 2000
	maxHeaderBytes = 64 << 20
)

// headers finds and reads headers.
type headers struct {
	dirs  []string
	seen  map[string]bool
	bytes int
}

func newHeaders(flags []string) *headers {
	h := &headers{seen: map[string]bool{}}
	for i := 0; i < len(flags); i++ {
		for _, opt := range []string{"-I", "-iquote"} {
			dir, ok := strings.CutPrefix(flags[i], opt)
			if ok && dir == "" && i+1 < len(flags) {
				i++
				dir = flags[i]
			}
			if ok && dir != "" {
				h.dirs = append(h.dirs, dir)
				break
			}
		}
	}
	return h
}

// commandLine defines the macros of -D flags.
func (p *parser) commandLine() {
	flags := p.o.CPPFlags
	for i := 0; i < len(flags); i++ {
		def, ok := strings.CutPrefix(flags[i], "-D")
		if ok && def == "" && i+1 < len(flags) {
			i++
			def = flags[i]
		}
		if !ok || def == "" {
			continue
		}
		name, body, given := strings.Cut(def, "=")
		if !given {
			body = "1"
		}
		text := []byte(name + " " + body)
		if m := readDefinition(text, 0, len(text)); m != nil {
			m.ctx = headerCtx
			p.addMacro(m)
		}
	}
}

// readHeader reads what #include names in the text from i to end, when it is in quotes.
func (p *parser) readHeader(i, end int) {
	if p.o.Preprocessed {
		return
	}
	if name := quoted(p.text, i, end); name != "" {
		p.header(name, filepath.Dir(p.f.Name), 0)
	}
}

// quoted is the name between quotes, or "".
func quoted(text []byte, i, end int) string {
	rest := bytes.TrimSpace(text[i:end])
	if len(rest) < 2 || rest[0] != '"' {
		return ""
	}
	n := bytes.IndexByte(rest[1:], '"')
	if n < 0 {
		return ""
	}
	return string(rest[1 : 1+n])
}

func (p *parser) header(name, dir string, depth int) {
	h := p.headers
	if depth > 100 || len(h.seen) >= maxHeaders || h.bytes > maxHeaderBytes {
		return
	}
	for _, d := range append([]string{dir}, h.dirs...) {
		path := name
		if !filepath.IsAbs(name) {
			path = filepath.Join(d, name)
		}
		if h.seen[path] {
			return
		}
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxHeaderBytes {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		h.seen[path] = true
		h.bytes += len(text)
		p.scanHeader(path, text, depth)
		return
	}
}

// scanHeader reads the directives of a header.
func (p *parser) scanHeader(path string, text []byte, depth int) {
	f := source.New(path, text)
	skip := 0 // how many #if are open inside an #if 0, that one included
	for i := 0; i < len(text); {
		j := afterBlanks(text, i)
		hash := hashAt(text, j)
		end := lineEnd(text, j+hash)
		if hash == 0 {
			i = end + 1
			continue
		}
		word, k := ppWord(text, j+hash, end)
		switch w := string(word); {
		case skip > 0:
			switch {
			case strings.HasPrefix(w, "if"):
				skip++
			case w == "endif", skip == 1 && strings.HasPrefix(w, "el"):
				skip--
			}
		case w == "if" && string(bytes.TrimSpace(text[k:end])) == "0":
			skip = 1
		case w == "define":
			if m := readDefinition(text, k, end); m != nil {
				m.ctx = headerCtx
				p.addMacro(m)
			}
		case w == "include":
			if name := quoted(text, k, end); name != "" {
				p.header(name, filepath.Dir(path), depth+1)
			}
		case w == "pragma":
			if s, after := ppWord(text, k, end); string(s) == "omp" {
				l := newLogical(f, source.Extent{Start: after, End: end})
				p.tree.Mentions = append(p.tree.Mentions, Mention{
					Pos: f.Position(j), Text: "omp " + strings.TrimSpace(string(l.Text)),
					Reason: "in an included file; only the compiler wrapper can instrument it",
				})
			}
		}
		i = end + 1
	}
}
