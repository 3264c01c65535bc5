package traces

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"opari/internal/analysis"
	"opari/internal/analysis/run"
	"opari/internal/command/disk"
	"opari/internal/command/terminal"
	"opari/otf"
)

// AddDamaged adds the flag of the commands that compute numbers from a trace.
func AddDamaged(fs *pflag.FlagSet, damaged *bool) {
	fs.BoolVar(damaged, "damaged", false, "read a damaged trace, too; its numbers are incomplete")
}

// Analyse analyses a trace and checks it against the rules of traces at the same time. The
// numbers of a damaged trace would mislead, so Analyse returns them only if damaged is set.
func Analyse(trace string, o run.Options, damaged bool) (*analysis.Result, error) {
	checked := make(chan damage, 1)
	check := func() { checked <- damageOf(trace) }
	if disk.Openable() >= 64 {
		go check()
	} else {
		check()
	}
	r, err := run.FromTrace(trace, o)
	d := <-checked
	if err == nil && d.failed != nil {
		return nil, Error(d.failed)
	}
	if d.errors == 0 || err != nil && damaged {
		return r, Error(err)
	}
	if !damaged {
		return nil, d.refusal()
	}
	r.Lost = append(r.Lost, d.warn())
	return r, nil
}

// damage counts the errors in a trace or archive.
type damage struct {
	named, what string // its name; trace or archive
	errors      int
	first       []string
	failed      error // why the check failed
}

// add adds an error. The first three are shown.
func (d *damage) add(text string) {
	if d.errors++; d.errors <= 3 {
		d.first = append(d.first, text)
	}
}

// damageOf checks a trace. For one that stands for an archive it returns the archive's damage.
func damageOf(trace string) damage {
	converted.Lock()
	d, is := converted.damage[trace]
	converted.Unlock()
	if is {
		return d
	}
	d = damage{named: trace, what: "trace"}
	d.failed = otf.Check(trace, otf.NewFileManager(openFiles), func(p otf.Problem) {
		if !p.Warning {
			d.add(problemText(p))
		}
	}, nil)
	return d
}

// awaited shows that opari waits for a check.
func awaited(name string, check func(string) damage) damage {
	defer terminal.Wait("checking " + name)()
	return check(name)
}

// warn warns, if the trace is damaged, that the numbers are incomplete, and returns that note.
func (d *damage) warn() string {
	if d.errors == 0 {
		return ""
	}
	note := d.text() + ": the numbers are incomplete"
	fmt.Fprintf(os.Stderr, "%s\n%s: warning: %s\n", strings.Join(d.first, "\n"), d.named, note)
	return note
}

func (d *damage) refusal() error {
	return fmt.Errorf("%s\n%s: error: %s: numbers would be incomplete; `opari trace check` names "+
		"all places, --damaged goes on",
		strings.Join(d.first, "\n"), d.named, d.text())
}

func (d *damage) text() string {
	if d.errors == 1 {
		return fmt.Sprintf("the %s is damaged in one place", d.what)
	}
	return fmt.Sprintf("the %s is damaged in %d places", d.what, d.errors)
}
