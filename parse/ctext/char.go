package ctext

// IsWord holds the bytes of identifiers and numbers. All non-ASCII bytes count as letters.
var IsWord = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= 0x80 || c == '_' || c == '$' ||
			'0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	return t
}()

// IsDigit reports whether c is a decimal digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsBlank reports whether c is white space, newlines included.
func IsBlank(c byte) bool {
	return c == ' ' || '\t' <= c && c <= '\r'
}
