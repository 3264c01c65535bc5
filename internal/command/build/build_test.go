package build

import (
	"runtime/debug"
	"strings"
	"testing"
)

// TestNoted checks what a build knows of itself: from a module proxy its version, from a checkout
// its commit.
func TestNoted(t *testing.T) {
	setting := func(words ...string) []debug.BuildSetting {
		var all []debug.BuildSetting
		for _, w := range words {
			key, value, _ := strings.Cut(w, "=")
			all = append(all, debug.BuildSetting{Key: key, Value: value})
		}
		return all
	}
	const id = "4ce304af22e0c2fc65c0b906a2590d2bccc916f1"
	for _, c := range []struct {
		main            string
		settings        []debug.BuildSetting
		Version, Commit string
	}{
		{"v1.2.3", setting("GOARCH=amd64"), "1.2.3", ""},
		{"(devel)", nil, development, ""},
		{"", nil, development, ""},
		{
			"v0.0.0-20261126010203-4ce304af22e0", setting("vcs=git", "vcs.revision="+id,
				"vcs.modified=false"), development, id,
		},
		{
			"v0.0.0-20261126010203-4ce304af22e0+dirty", setting("vcs.revision="+id,
				"vcs.modified=true"), development, id + "+",
		},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: c.main}, Settings: c.settings}
		if version, commit := noted(info); version != c.Version || commit != c.Commit {
			t.Errorf("%q %v: version %q of %q, want %q of %q", c.main, c.settings, version, commit,
				c.Version, c.Commit)
		}
	}
}
