package parse

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/ctext"
	"opari/parse/directive"
	"opari/parse/macro"
)

// The parser reads the headers that the file includes with quotes, or that are in a directory of
// the command line. It reads them for their macros, and records the directives in them as
// Mentions. It does not evaluate their conditions, except #if 0.

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
		for _, opt := range []string{"-I", "-iquote", "-isystem"} {
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

// commandLine defines the macros of -D flags and reads the headers of -include.
func (p *parser) commandLine() {
	flags := p.options.CPPFlags
	for i := 0; i < len(flags); i++ {
		if flags[i] == "-include" && i+1 < len(flags) {
			i++
			p.header([]byte(`"`+flags[i]+`"`), ".", 0)
			continue
		}
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
		if m := macro.Read(text, 0, len(text)); m != nil {
			m.Branch = macro.FromHeader
			p.addMacro(m)
		}
	}
}

// readHeader reads the header that the #include names in the text from i to end.
func (p *parser) readHeader(i, end int) {
	if !p.options.Preprocessed {
		p.header(p.Text[i:end], filepath.Dir(p.file.Name), 0)
	}
}

// headerName reads "name" or <name>.
func headerName(text []byte) (name string, quotes bool) {
	text = bytes.TrimSpace(text)
	if len(text) < 2 || text[0] != '"' && text[0] != '<' {
		return "", false
	}
	closer := byte('"')
	if text[0] == '<' {
		closer = '>'
	}
	n := bytes.IndexByte(text[1:], closer)
	if n < 0 {
		return "", false
	}
	return string(text[1 : 1+n]), closer == '"'
}

// header reads the header that what names, as written in a file of directory dir.
func (p *parser) header(what []byte, dir string, depth int) {
	h := p.headers
	name, quotes := headerName(what)
	if name == "" || depth > 100 || len(h.seen) >= maxHeaders || h.bytes > maxHeaderBytes {
		return
	}
	dirs := h.dirs
	if quotes {
		dirs = append([]string{dir}, dirs...)
	}
	for _, d := range dirs {
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

const includedReason = "in an included file; only the compiler wrapper can instrument it"

// scanHeader reads the directives of a header.
func (p *parser) scanHeader(path string, text []byte, depth int) {
	f := source.New(path, text)
	p.mentionAttributes(text, f.Position, includedReason)
	skip := 0 // the number of open #if inside an #if 0, including it
	for i := 0; i < len(text); {
		j := ctext.AfterBlanks(text, i)
		hash := ctext.HashAt(text, j)
		end := ctext.LineEnd(text, j+hash)
		if hash == 0 {
			i = end + 1
			continue
		}
		word, k := ctext.NextWord(text, j+hash, end)
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
			if m := macro.Read(text, k, end); m != nil {
				m.Branch = macro.FromHeader
				p.addMacro(m)
			}
		case w == "include":
			p.header(text[k:end], filepath.Dir(path), depth+1)
		case w == "pragma":
			if s, after := ctext.NextWord(text, k, end); string(s) == "omp" {
				l := directive.Read(f, source.Extent{Start: after, End: end})
				p.tree.Mentions = append(p.tree.Mentions, construct.Mention{
					Pos: f.Position(j), Text: "omp " + strings.TrimSpace(string(l.Text)),
					Reason: includedReason,
				})
			}
		}
		i = end + 1
	}
}
