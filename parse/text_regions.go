package parse

import (
	"strings"

	"opari/internal/omp"
	"opari/parse/directive"
)

// The regions of text in which no call may be inserted.
const (
	regionTarget = iota
	regionVariant
	regionMeta
	regionModule
	regionKinds
)

var regionText = [...]string{
	regionTarget:  "inside declare target",
	regionVariant: "inside begin declare variant",
	regionMeta:    "inside begin metadirective",
	regionModule:  "in a module unit: nothing may be declared before its first line",
}

// textRegions follows the directives that open and close regions of text, and those that name
// functions for devices.
type textRegions struct {
	open    [regionKinds]int
	keepOut string // why no call may be inserted in the open regions, or ""
	noInstr bool   // between `pomp noinstrument` and `instrument`
	// The functions that `declare target(f)` names, whose code may run on a device.
	targets map[string]bool
}

// add opens n regions of a kind, or closes -n.
func (t *textRegions) add(kind, n int) {
	t.open[kind] = max(0, t.open[kind]+n)
	t.keepOut = ""
	for k, n := range t.open {
		if n > 0 {
			t.keepOut = regionText[k]
		}
	}
}

// follow handles the next directive. It reports whether the directive names functions for
// devices.
func (t *textRegions) follow(d *directive.Directive) bool {
	switch d.Own {
	case directive.NoInstrument:
		t.noInstr = true
	case directive.Instrument:
		t.noInstr = false
	}
	if len(d.Leaves) != 1 {
		return false
	}
	switch d.Leaves[0] {
	case omp.DirectiveDeclareTarget:
		if d.HasArg || d.Has(omp.ClauseTo) || d.Has(omp.ClauseEnter) || d.Has(omp.ClauseLink) ||
			d.Has(omp.ClauseLocal) {
			return t.declare(d)
		}
		t.add(regionTarget, 1)
	case omp.DirectiveBeginDeclareTarget:
		t.add(regionTarget, 1)
	case omp.DirectiveEndDeclareTarget:
		t.add(regionTarget, -1)
	case omp.DirectiveBeginDeclareVariant:
		t.add(regionVariant, 1)
	case omp.DirectiveEndDeclareVariant:
		t.add(regionVariant, -1)
	case omp.DirectiveBeginMetadirective:
		t.add(regionMeta, 1)
	case omp.DirectiveEndMetadirective:
		t.add(regionMeta, -1)
	}
	return false
}

// declare records the functions that `declare target(f)` names, and reports whether it names any.
func (t *textRegions) declare(d *directive.Directive) bool {
	if dt := d.Clause(omp.ClauseDeviceType); dt != nil && dt.Args == "host" {
		return false
	}
	var names []string
	if d.HasArg {
		names = strings.Split(d.Arg, ",")
	}
	for i := range d.Clauses {
		if row := d.Clauses[i].Row; row == omp.ClauseTo || row == omp.ClauseEnter {
			names = append(names, d.Clauses[i].Items...)
		}
	}
	if t.targets == nil {
		t.targets = map[string]bool{}
	}
	for _, name := range names {
		t.targets[strings.TrimSpace(name)] = true
	}
	return len(names) > 0
}
