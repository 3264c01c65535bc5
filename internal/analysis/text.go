package analysis

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Duration formats ns in at most six characters: 0, 850ns, 12.3us, 1.25ms, 123s, 27.8h.
func Duration(ns int64) string {
	f := float64(ns)
	switch {
	case ns == 0:
		return "0"
	case ns < 1000:
		return strconv.FormatInt(ns, 10) + "ns"
	case f < 999.5e3:
		return threeDigits(f/1e3) + "us"
	case f < 999.5e6:
		return threeDigits(f/1e6) + "ms"
	case f < 9999.5e9:
		return threeDigits(f/1e9) + "s"
	}
	return threeDigits(f/3600e9) + "h"
}

// threeDigits formats f with three significant digits, and with all digits before the point.
func threeDigits(f float64) string {
	digits := 2
	switch {
	case f >= 99.95:
		digits = 0
	case f >= 9.995:
		digits = 1
	}
	return strconv.FormatFloat(f, 'f', digits, 64)
}

// Count formats n in at most six characters.
func Count(n int64) string {
	switch f := float64(n); {
	case n < 1_000_000:
		return strconv.FormatInt(n, 10)
	case f < 999.5e6:
		return threeDigits(f/1e6) + "M"
	case f < 999.5e9:
		return threeDigits(f/1e9) + "G"
	default:
		return threeDigits(f/1e12) + "T"
	}
}

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
