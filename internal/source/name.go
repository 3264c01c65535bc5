package source

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Unquote reads the file name of a line marker, with its quotes. A name is bytes: those that are
// not UTF-8 stay unchanged. ok is false if the literal is invalid.
func Unquote(literal string) (name string, ok bool) {
	rest, opened := strings.CutPrefix(literal, `"`)
	if rest, ok = strings.CutSuffix(rest, `"`); !opened || !ok {
		return "", false
	}
	var b strings.Builder
	for rest != "" {
		if rest[0] >= utf8.RuneSelf {
			b.WriteByte(rest[0])
			rest = rest[1:]
			continue
		}
		c, wide, tail, err := strconv.UnquoteChar(rest, '"')
		switch {
		case err != nil:
			return "", false
		case wide:
			b.WriteRune(c)
		default:
			b.WriteByte(byte(c))
		}
		rest = tail
	}
	return b.String(), true
}
