package reports

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"opari/internal/analysis"
	"opari/internal/analysis/run"
	"opari/internal/command/failure"
)

// partFlags holds the flags that limit a report to a part of the run.
type partFlags struct {
	from, to, within string
}

func (o *partFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&o.from, "from", "", "begin at this `time` of the run: 1.5s, 300ms or 25%")
	fs.StringVar(&o.to, "to", "", "end at this `time` of the run")
	fs.StringVar(&o.within, "within", "",
		"report on this `region` alone and what is in it: a.c:12, \"a.c:12 for\" or a name")
}

// window returns the window that the flags name; nil for none.
func (o *partFlags) window() (*analysis.Window, error) {
	var w analysis.Window
	for _, e := range []struct {
		flag, text string
		edge       *analysis.Edge
	}{{"from", o.from, &w.From}, {"to", o.to, &w.To}} {
		if e.text == "" {
			continue
		}
		var err error
		if *e.edge, err = analysis.ParseEdge(e.text); err != nil {
			return nil, failure.Usage(fmt.Errorf("--%s: %w", e.flag, err))
		}
	}
	if w == (analysis.Window{}) {
		return nil, nil
	}
	return &w, nil
}

// read reads and analyses the part of a trace or a profile.
func (o *reportFlags) read(name string, options run.Options) (*analysis.Result, error) {
	options.Window = o.part
	r, err := ReadResult(name, options, o.damaged)
	if wrong := (*analysis.WindowError)(nil); errors.As(err, &wrong) {
		return nil, failure.File(name, "--from, --to: %s", wrong.What)
	}
	if err != nil || o.within == "" {
		return r, err
	}
	if err := r.Within(o.within); err != nil {
		return nil, failure.File(name, "--within: %s", err)
	}
	return r, nil
}
