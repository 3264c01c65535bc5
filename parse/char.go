package parse

// isWord holds the bytes of identifiers and numbers. Bytes of other than ASCII characters are letters.
var isWord = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= 0x80 || c == '_' || c == '$' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	return t
}()

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isBlank(c byte) bool {
	return c == ' ' || '\t' <= c && c <= '\r'
}
