package rewrite

import (
	"bytes"
	"strconv"

	"opari/internal/pattern"
)

// instrumentedFortran reports whether text is instrumented Fortran. Each such text ends in marked
// lines.
func instrumentedFortran(text []byte) bool { return bytes.Contains(text, []byte(fortranMark)) }

var (
	fortranLine   = pattern.Lazy{Text: `( ?)!@pomp(\^w?|)(<?)(\+?)(?:>([0-9]+))?\r?$`}
	fortranInline = pattern.Lazy{Text: `^([ \t\f\v]*[!cC*])@pomp(\$|(?i:pomp\$))`}
)

// stripFortran is Strip for Fortran.
func stripFortran(out, text []byte) []byte {
	blanks := 0 // indentation to skip before the next line
	skip := false
	for len(text) > 0 {
		n := bytes.IndexByte(text, '\n') + 1
		if n == 0 {
			n = len(text)
		}
		line := text[:n]
		text = text[n:]
		if skip {
			skip = false
			continue
		}
		body := bytes.TrimSuffix(line, []byte("\n"))
		m := fortranLine.Get().FindSubmatch(tail(body))
		if m == nil {
			line = line[min(blanks, len(line)):]
			blanks = 0
			if bytes.Contains(line, []byte(fortranMark[1:])) {
				line = fortranInline.Get().ReplaceAll(line, []byte("$1$2"))
			}
			out = append(out, line...)
			continue
		}
		if len(m[2]) > 0 { // the user's line continues after the insertion
			body = body[:len(body)-len(m[0])]
			if len(m[2]) > 1 { // the line ends in an inserted word
				body = bytes.TrimSuffix(bytes.TrimSuffix(body, []byte("then")), []byte("continue"))
			}
			out = append(out, body[min(blanks, len(body)):]...)
		}
		// The newline before this line is inserted too, and has the same form as its own.
		if len(m[3]) > 0 {
			out = bytes.TrimSuffix(out, []byte("\n"))
			if bytes.HasSuffix(line, []byte("\r\n")) {
				out = bytes.TrimSuffix(out, []byte("\r"))
			}
		}
		skip = len(m[4]) > 0
		blanks = 0
		if len(m[5]) > 0 {
			blanks, _ = strconv.Atoi(string(m[5]))
		}
	}
	return out
}
