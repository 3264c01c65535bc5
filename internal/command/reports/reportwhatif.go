package reports

import (
	"errors"
	"fmt"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/analysis/run"
	"opari/internal/analysis/whatif"
	"opari/internal/command/failure"
	"opari/internal/command/terminal"
	"opari/internal/report/page"
)

// parse reads the changes of --what-if.
func (o *reportFlags) parseWhatIf() error {
	for _, text := range o.whatIf {
		w, err := whatif.Parse(text)
		if err != nil {
			return failure.Usage(fmt.Errorf("--what-if: %w", err))
		}
		o.changes = append(o.changes, w)
	}
	switch {
	case o.changes == nil:
	case o.within != "":
		return failure.Usage(errors.New("--what-if: not with --within"))
	case o.format == "table" || o.format == "html":
		return failure.Usage(fmt.Errorf("--what-if: not with --format=%s", o.format))
	}
	return nil
}

// predict finds out what a run would be with each of the changes.
func (o *reportFlags) predict(name string, r *analysis.Result) ([]*whatif.Prediction, error) {
	if o.changes == nil {
		return nil, nil
	}
	trace, err := TraceOf(name)
	if err != nil {
		return nil, err
	}
	if trace == "" {
		return nil, failure.File(name, "--what-if: a profile does not say who waited for whom; "+
			"record with --trace")
	}
	defer terminal.Wait("predicting " + name)()
	var all []*whatif.Prediction
	for _, w := range o.changes {
		p, err := run.Predict(trace, r, w, run.Options{
			EventCost: o.cost, Window: o.part,
		})
		if err != nil {
			return nil, failure.File(name, "--what-if: %s", err)
		}
		all = append(all, p)
	}
	return all, nil
}

// remedies predicts for the page what remedying its findings would bring. Within a region there
// are no predictions.
func (o *reportFlags) remedies(trace string, r *analysis.Result) error {
	if o.within != "" {
		return nil
	}
	defer terminal.Wait("predicting what remedies bring")()
	return run.AddRemedies(r, trace, finding.Of(r, page.PageShare), run.Options{
		EventCost: o.cost, Window: o.part,
	})
}
