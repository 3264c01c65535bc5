package instrument

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"opari/internal/omp"
)

// many returns a file with n functions of two constructs each.
func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b,
			"void f%d(void)\n{\n#pragma omp parallel\n    {\n#pragma omp barrier\n    }\n}\n", i)
	}
	return b.String()
}

func draft(t *testing.T, text string, scratch func() (*os.File, error)) (*Draft, error) {
	t.Helper()
	d, err := NewDraft("f.c", []byte(text), DraftOptions{Lang: omp.C, Scratch: scratch},
		&Options{OnError: Fail})
	t.Cleanup(d.Close)
	return d, err
}

// TestDraft: a text made in parts equals a text made at once, whether memory or a file keeps it.
func TestDraft(t *testing.T) {
	defer func(n int64) { spoolLimit = n }(spoolLimit)
	text := many(5000)
	for _, c := range []struct{ what, text string }{
		{"nothing", "int x;\n"},
		{"one part", many(1)},
		{"two parts", text},
		{"a target declared late", text + "#pragma omp declare target to(f1)\n"},
		{
			"in doubt late",
			text + "void g(void)\n{\n#pragma omp parallel\nFOREACH(x) { f1(); }\n}\n",
		},
		{
			"a region late",
			text + "void g(void)\n{\n#pragma pomp inst begin(x)\n#pragma pomp inst end(x)\n}\n",
		},
	} {
		u := Prepare("f.c", []byte(c.text), omp.C, false, &Options{})
		want, err := u.Text()
		if err != nil {
			t.Fatal(err)
		}
		for _, limit := range []int64{0, 100_000, 16 << 20} {
			spoolLimit = limit
			dir := t.TempDir()
			d, err := draft(t, c.text, func() (*os.File, error) { return os.CreateTemp(dir, "") })
			if err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(d.Diags) != fmt.Sprint(u.Diags) {
				t.Errorf("%s: diagnostics %v, want %v", c.what, d.Diags, u.Diags)
			}
			for range 2 {
				var got strings.Builder
				if err := d.Write(&got); err != nil || got.String() != string(want) {
					t.Errorf("%s, %d bytes in memory: another text (%d bytes, want %d), %v", c.what,
						limit, got.Len(), len(want), err)
				}
			}
			if files, _ := filepath.Glob(dir + "/*"); (len(files) > 0) !=
				(int64(len(want)) > limit) {
				t.Errorf("%s, %d bytes in memory: %d files", c.what, limit, len(files))
			}
		}
	}
}

// TestDraftFails: errors of the text become diagnostics, those of the disk errors, and neither
// leaves a text to write.
func TestDraftFails(t *testing.T) {
	defer func(n int64) { spoolLimit = n }(spoolLimit)
	spoolLimit = 1 << 16
	text := many(5000)
	bad := text + "void g(void)\n{\n#pragma omp parallel\n}\n"
	if d, err := draft(t, bad, func() (*os.File,
		error,
	) {
		return os.CreateTemp(t.TempDir(), "")
	}); err != nil || !d.Diags.HasErrors() {
		t.Errorf("an error in the last part: %v %v", d.Diags, err)
	}
	if _, err := draft(t, text, func() (*os.File,
		error,
	) {
		return os.OpenFile("/dev/full", os.O_RDWR, 0)
	}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a full disk: %v", err)
	}
	if _, err := draft(t, text, func() (*os.File, error) { return nil, io.ErrNoProgress }); err !=
		io.ErrNoProgress {
		t.Errorf("no scratch file: %v", err)
	}
}

// TestScan: a loop with a scan is separated from its parallel only for GCC.
func TestScan(t *testing.T) {
	text := "int s, a[9], b[9];\nvoid f(void)\n{\n#pragma omp parallel for reduction(inscan, +: " +
		"s)\n    for (int i = 0; i < 9; i++) {\n        s += a[i];\n" +
		"#pragma omp scan inclusive(s)\n        b[i] = s;\n    }\n}\n"
	for _, gcc := range []bool{false, true} {
		d, err := NewDraft("f.c", []byte(text),
			DraftOptions{Lang: omp.C, Preprocessed: true, GCC: gcc}, &Options{OnError: Fail})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := d.Write(&b); err != nil {
			t.Fatal(err)
		}
		d.Close()
		if parted := strings.Contains(b.String(),
			"#pragma omp for reduction(inscan, +: s)"); parted != gcc {
			t.Errorf("GCC %v: parted %v:\n%s", gcc, parted, b.String())
		}
	}
}
