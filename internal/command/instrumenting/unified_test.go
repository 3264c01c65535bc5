package instrumenting

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// rebuild restores the two texts of a difference.
func rebuild(lines []diffLine) (a, b string) {
	var x, y strings.Builder
	for _, l := range lines {
		if l.sign != '+' {
			x.WriteString(l.text)
		}
		if l.sign != '-' {
			y.WriteString(l.text)
		}
	}
	return x.String(), y.String()
}

func TestUnifiedDiff(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"", "", ""},
		{"a\nb\n", "a\nb\n", ""},
		{"", "a\n", "--- a\n+++ b\n@@ -0,0 +1 @@\n+a\n"},
		{"a\n", "", "--- a\n+++ b\n@@ -1 +0,0 @@\n-a\n"},
		{
			"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n5\n6\n7\n8\n9\n",
			"--- a\n+++ b\n@@ -2,6 +2,7 @@\n 2\n 3\n 4\n+x\n 5\n 6\n 7\n",
		},
		{"a", "a\n", "--- a\n+++ b\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{
			"a\nb", "x\nb",
			"--- a\n+++ b\n@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n",
		},
		{
			"a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
			"--- a\n+++ b\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n " +
				"7\n-b\n+B\n",
		},
		{
			"a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n",
			"--- a\n+++ b\n@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n",
		},
	} {
		if got := unifiedDiff("a", "b", []byte(c.a), []byte(c.b), false); got != c.want {
			t.Errorf("%q, %q:\n%s\nwant\n%s", c.a, c.b, got, c.want)
		}
	}
	if got := unifiedDiff("a", "b", []byte("a\n"), []byte("b\n"), true); !strings.Contains(got,
		"\x1b[31m-a\x1b[0m\n\x1b[32m+b\x1b[0m\n") {
		t.Errorf("in colour: %q", got)
	}
}

// TestDiffManyRegions checks that the time for a file with many differences grows with its
// length, not with the square of that.
func TestDiffManyRegions(t *testing.T) {
	var a, b strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&a, "void f%d(void)\n{\n  x;\n}\n", i)
		fmt.Fprintf(&b, "void f%d(void)\n{\n  in();\n  x;\n  out();\n}\n", i)
	}
	start := time.Now()
	lines := diffLines(a.String(), b.String())
	if d := time.Since(start); d > 20*time.Second {
		// It takes half a second. The square of the differences would take minutes.
		t.Errorf("%v", d)
	}
	if len(lines) != 6*20000 {
		t.Errorf("%d lines, want %d", len(lines), 6*20000)
	}
}

// FuzzDiff checks that the lines of the difference restore both texts. patch(1) agrees if it is
// installed.
func FuzzDiff(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nc\n")
	f.Add("a\na\nb\na\n", "a\nb\na\na")
	f.Add("", "\n\n")
	_, err := exec.LookPath("patch")
	if err != nil {
		f.Log("patch is not installed: only the lines are compared")
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, a, b string) {
		if x, y := rebuild(diffLines(a, b)); x != a || y != b {
			t.Fatalf("%q and %q become %q and %q", a, b, x, y)
		}
		d := unifiedDiff("a", "a", []byte(a), []byte(b), false)
		if err != nil || a == b || a == "" || b == "" || strings.ContainsAny(a+b, "\r\x00") {
			return
		}
		path := filepath.Join(dir, "a")
		if err := os.WriteFile(path, []byte(a), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("patch", "-s", "-f", path)
		cmd.Stdin = strings.NewReader(d)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("patch: %v: %s\n%s", err, out, d)
		}
		if got, _ := os.ReadFile(path); string(got) != b {
			t.Fatalf("patched %q, want %q\n%s", got, b, d)
		}
	})
}
