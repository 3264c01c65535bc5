package analysis

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns name in a form that is safe for a terminal: `a\x1b[2Jb` for a name with an
// escape sequence. Printable characters of any language stay. The bytes of other characters, of
// line ends and of invalid UTF-8 become \xHH.
func Printable(name string) string {
	if strings.IndexFunc(name, unprintable) < 0 {
		return name
	}
	var b strings.Builder
	for len(name) > 0 {
		c, n := utf8.DecodeRuneInString(name)
		if unprintable(c) {
			for _, x := range []byte(name[:n]) {
				b.WriteString(`\x` + strconv.FormatUint(uint64(x)+0x100, 16)[1:])
			}
		} else {
			b.WriteString(name[:n])
		}
		name = name[n:]
	}
	return b.String()
}

// unprintable is also true for RuneError, which stands for a byte of invalid UTF-8. A real U+FFFD
// is rare in a name.
func unprintable(c rune) bool { return !unicode.IsPrint(c) || c == utf8.RuneError }
