package report

import (
	"io"
	"strings"
	"testing"
)

// FuzzRead: a profile is read or refused with its line; what was read can be printed.
func FuzzRead(f *testing.F) {
	// a longer seed would keep the fuzzer busy with making it shorter
	f.Add(header + region + sample)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Read("p", strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "p:") {
				t.Fatalf("no line in: %v", err)
			}
			return
		}
		if err := p.Table(io.Discard, Layout{Width: 80}); err != nil {
			t.Fatal(err)
		}
		if err := p.JSON(io.Discard); err != nil {
			t.Fatal(err)
		}
	})
}
