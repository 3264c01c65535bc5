package arch

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

const longestSentence = 30 // words

// unevenDocuments still have longer lines or sentences.
var unevenDocuments = []string{}

// documents calls visit with each document of the repository: its path and its text.
func documents(t *testing.T, visit func(file string, text []byte)) {
	t.Helper()
	sources(t, []string{".md"}, func(_, file string, text []byte) { visit(file, text) })
}

// block is a heading, a paragraph or a list item of a document, but no code and no table.
type block struct {
	line    int // number of the first line
	heading bool
	text    string
}

var (
	headingLine = regexp.MustCompile(`^#{1,6}\s+(.*?)\s*#*$`)
	itemLine    = regexp.MustCompile(`^\s*(?:[-*+]|\d+\.)\s+(.*)$`)
	comment     = regexp.MustCompile(`(?s)<!--.*?-->`)
	codeSpan    = regexp.MustCompile("(?s)(`+).+?(`+)")
	link        = regexp.MustCompile(`(?s)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(\s*<?([^)\s>]*)>?[^)]*\)`)
	reference   = regexp.MustCompile(`(?m)^\s{0,3}\[[^\]]+\]:\s+<?(\S+?)>?\s*$`)
	notInSlug   = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	sentenceEnd = regexp.MustCompile(`[.!?]["')\]*_]*\s+`)
	docMention  = regexp.MustCompile(`\bdocs/[\w./-]+\.md\b`)
)

// blocks splits a document.
func blocks(text string) []block {
	var all []block
	open, fenced, code := false, "", false
	for i, line := range strings.Split(text, "\n") {
		fence := codeFence.FindStringSubmatch(line)
		switch {
		case fenced != "":
			if fence != nil && fence[1] == fenced {
				fenced = ""
			}
			continue
		case fence != nil:
			open, fenced = false, fence[1]
			continue
		case strings.TrimSpace(line) == "" || tableRow.MatchString(line):
			open, code = false, false
			continue
		}
		if h := headingLine.FindStringSubmatch(line); h != nil {
			all, open = append(all, block{i + 1, true, h[1]}), false
			continue
		}
		item := itemLine.FindStringSubmatch(line)
		inList := len(all) > 0 && !all[len(all)-1].heading
		code = code || !open && item == nil && !inList && strings.HasPrefix(line, "    ")
		switch {
		case code:
		case item != nil:
			all, open = append(all, block{i + 1, false, item[1]}), true
		case open:
			all[len(all)-1].text += "\n" + strings.TrimSpace(line)
		default:
			all, open = append(all, block{i + 1, false, strings.TrimSpace(line)}), true
		}
	}
	return all
}

// lowerStart matches the lower-case words that may start a sentence: code, or a program's name.
var lowerStart = regexp.MustCompile(`^(code|opari|gfortran|libgfortran|flang|clang)\b`)

// sentences splits a paragraph. A span of code is one word.
func sentences(text string) []string {
	text = codeSpan.ReplaceAllString(text, "code")
	text = link.ReplaceAllString(text, "$1")
	var all []string
	begin := 0
	for _, end := range sentenceEnd.FindAllStringIndex(text, -1) {
		rest := text[end[1]:]
		r, _ := utf8.DecodeRuneInString(rest)
		if !unicode.IsLower(r) || lowerStart.MatchString(rest) {
			all = append(all, text[begin:end[1]])
			begin = end[1]
		}
	}
	return append(all, text[begin:])
}

// words counts the words with a letter or a digit.
func words(sentence string) int {
	n := 0
	for w := range strings.FieldsSeq(sentence) {
		if strings.ContainsFunc(w,
			func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n++
		}
	}
	return n
}

// TestSentences checks the length of the sentences of documents, in paragraphs and list items.
func TestSentences(t *testing.T) {
	documents(t, func(file string, text []byte) {
		if slices.Contains(unevenDocuments, file) {
			return
		}
		for _, b := range blocks(comment.ReplaceAllString(string(text), "")) {
			if b.heading {
				continue
			}
			for _, s := range sentences(b.text) {
				if n := words(s); n > longestSentence {
					t.Errorf("%s:%d: a sentence of %d words, more than %d: %s",
						file, b.line, n, longestSentence, strings.Join(strings.Fields(s), " "))
				}
			}
		}
	})
}

// anchors returns the names by which links find the headings of a document.
func anchors(text string) map[string]bool {
	names := map[string]bool{}
	for _, b := range blocks(text) {
		if b.heading {
			title := link.ReplaceAllString(strings.ReplaceAll(b.text, "`", ""), "$1")
			slug := strings.ToLower(strings.ReplaceAll(notInSlug.ReplaceAllString(title, ""), " ",
				"-"))
			name := slug
			for n := 1; names[name]; n++ {
				name = slug + "-" + strconv.Itoa(n)
			}
			names[name] = true
		}
	}
	return names
}

// targets returns the addresses in a document's links.
func targets(text string) []string {
	var all []string
	for _, b := range blocksAndTables(text) {
		for _, m := range link.FindAllStringSubmatch(codeSpan.ReplaceAllString(b, "code"), -1) {
			all = append(all, m[2])
		}
	}
	for _, m := range reference.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

// blocksAndTables returns the parts of a document that may have links.
func blocksAndTables(text string) []string {
	var all []string
	for _, b := range blocks(text) {
		all = append(all, b.text)
	}
	for line := range strings.Lines(text) {
		if tableRow.MatchString(line) {
			all = append(all, line)
		}
	}
	return all
}

// TestLinks checks that the relative links of documents lead to files and headings that exist.
func TestLinks(t *testing.T) {
	documents(t, func(file string, text []byte) {
		for _, target := range targets(string(text)) {
			u, err := url.Parse(target)
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			if u.Scheme != "" {
				continue
			}
			to, content := file, text
			if u.Path != "" {
				to = path.Join(path.Dir(file), u.Path)
				name := filepath.Join(root, to)
				info, err := os.Stat(name)
				if err != nil {
					t.Errorf("%s: the link %s leads to no file", file, target)
					continue
				}
				if u.Fragment == "" || info.IsDir() {
					continue
				}
				if content, err = os.ReadFile(name); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			}
			if u.Fragment != "" && !anchors(string(content))[u.Fragment] {
				t.Errorf("%s: the link %s: %s has no such heading", file, target, to)
			}
		}
	})
}

// TestMentions checks that documents which code, scripts and documents name exist.
func TestMentions(t *testing.T) {
	known := []string{".go", ".c", ".h", ".sh", ".md", ".js"}
	sources(t, known, func(_, file string, text []byte) {
		for _, name := range docMention.FindAllString(string(text), -1) {
			if _, err := os.Stat(filepath.Join(root, name)); err != nil {
				t.Errorf("%s names %s, which does not exist", file, name)
			}
		}
	})
}

// TestDocumentRules tries the rules above on documents with one mistake each.
func TestDocumentRules(t *testing.T) {
	long := strings.Repeat("word ", longestSentence+1)
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"paragraph":     {long + "\n", 1},
		"list item":     {"- One.\n- " + long + "\n  more.\n", 1},
		"two sentences": {long[:60] + "end.\n" + long[:60] + "end.\n", 0},
		"code":          {"Text:\n\n```sh\n" + long + "\n```\n", 0},
		"indented":      {"# A\n\n    " + long + "\n", 0},
		"table":         {"| a |\n|---|\n| " + long + " |\n", 0},
		"one code span": {"The command `" + long + "` is short.\n", 0},
		"link":          {"See [" + long + "](a.md).\n", 1},
		"abbreviation":  {"Some e.g. " + long + "\n", 1},
	} {
		got := 0
		for _, b := range blocks(c.text) {
			for _, s := range sentences(b.text) {
				if words(s) > longestSentence {
					got++
				}
			}
		}
		if got != c.want {
			t.Errorf("%s: %d long sentences, not %d: %+v", name, got, c.want, blocks(c.text))
		}
	}
	text := "# What `--to` does\n\n## Limits\n\n## Limits\n\n[a](b.md#c), `[no](link)`\n[d]: " +
		"e.md\n| [f](g.md) |\n"
	if got := anchors(text); !got["what---to-does"] || !got["limits"] || !got["limits-1"] {
		t.Errorf("anchors %v", got)
	}
	if got := targets(text); !slices.Equal(got, []string{"b.md#c", "g.md", "e.md"}) {
		t.Errorf("targets %v", got)
	}
}
