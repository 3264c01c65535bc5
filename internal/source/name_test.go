package source

import "testing"

func TestUnquote(t *testing.T) {
	for literal, want := range map[string]string{
		`"a b.c"`: "a b.c", `"q\"\\.c"`: `q"\.c`, `"n\012.c"`: "n\n.c", `""`: "",
		"\"lat\xe9.c\"": "lat\xe9.c", `"lat\351.c"`: "lat\xe9.c", `"日.c"`: "日.c", `"\u65e5"`: "日",
	} {
		if got, ok := Unquote(literal); !ok || got != want {
			t.Errorf("%q: %q, %v, want %q", literal, got, ok, want)
		}
	}
	for _, literal := range []string{``, `"`, `a"`, `"a`, `"a"b"`, `"\"`, `"\q"`} {
		if got, ok := Unquote(literal); ok {
			t.Errorf("%q: %q, which is no literal", literal, got)
		}
	}
}
