package profile

import (
	"io"
	"strings"
	"testing"
)

// FuzzRead checks that Read accepts a profile or rejects it with its line. What it accepts can
// be printed.
func FuzzRead(f *testing.F) {
	// A longer seed would keep the fuzzer busy with shortening it.
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
