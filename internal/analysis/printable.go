package analysis

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable is a name as it may go to a terminal: `a\x1b[2Jb` for one with an escape sequence.
// Printable characters stay, of any language; the bytes of all others, of line ends and of what is
// no UTF-8 become \xHH.
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

// unprintable says of RuneError too, which stands for a byte that is no UTF-8: U+FFFD itself is
// seldom a name's.
func unprintable(c rune) bool { return !unicode.IsPrint(c) || c == utf8.RuneError }
