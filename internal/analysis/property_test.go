package analysis

import (
	"testing"
)

// TestProperties checks the table of properties.
func TestProperties(t *testing.T) {
	keys := map[string]bool{}
	for p := range NumProperties {
		if p.Key() == "" || p.String() == "" || p.What() == "" || keys[p.Key()] {
			t.Errorf("property %d: %q, %q, %q", p, p.Key(), p.String(), p.What())
		}
		keys[p.Key()] = true
		if p.Parent() > p {
			t.Errorf("%s stands before what it is part of", p)
		}
		if p.Leaf() && p.Loss() && properties[p].phrase == "" {
			t.Errorf("%s has no phrase for findings", p)
		}
	}
}
