package commandline

import (
	"os"
	"slices"
	"strings"
)

// expandResponse replaces @file by the words of the file, recursively, as GCC does. If a file
// cannot be read, its word stays.
func expandResponse(args []string) []string {
	return expand(args, 0)
}

// maxNesting stops a response file that names itself; GCC's limit is of the same kind.
const maxNesting = 200

func expand(args []string, depth int) []string {
	if !slices.ContainsFunc(args, isResponse) || depth > maxNesting {
		return args
	}
	out := make([]string, 0, len(args)+16)
	for _, a := range args {
		if isResponse(a) {
			if text, err := os.ReadFile(a[1:]); err == nil {
				out = append(out, expand(SplitWords(string(text)), depth+1)...)
				continue
			}
		}
		out = append(out, a)
	}
	return out
}

func isResponse(a string) bool { return len(a) > 1 && a[0] == '@' }

// SplitWords splits text as GCC splits a response file: at white space outside '...' and "...". A
// backslash makes the next character an ordinary one, inside quotes, too.
func SplitWords(text string) []string {
	var words []string
	var word []byte
	in, quote := false, byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text):
			i++
			word, in = append(word, text[i]), true
		case quote != 0:
			if c == quote {
				quote = 0
			} else {
				word = append(word, c)
			}
		case c == '\'' || c == '"':
			quote, in = c, true
		case strings.IndexByte(" \t\n\r\f\v", c) >= 0:
			if in {
				words, word, in = append(words, string(word)), nil, false
			}
		default:
			word, in = append(word, c), true
		}
	}
	if in {
		words = append(words, string(word))
	}
	return words
}

// QuoteResponse writes words so that SplitWords and GCC read them back.
func QuoteResponse(words []string) []byte {
	var b []byte
	for _, w := range words {
		b = append(b, '"')
		for i := 0; i < len(w); i++ {
			if w[i] == '"' || w[i] == '\\' {
				b = append(b, '\\')
			}
			b = append(b, w[i])
		}
		b = append(b, '"', '\n')
	}
	return b
}

// ShellQuote writes a command so that a POSIX shell reads it back.
func ShellQuote(words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if w != "" && strings.Trim(w,
			"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,/:@%^") == "" {
			b.WriteString(w)
			continue
		}
		b.WriteString("'" + strings.ReplaceAll(w, "'", `'\''`) + "'")
	}
	return b.String()
}
