package reports

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"opari/internal/analysis"
	"opari/internal/analysis/run"
	"opari/internal/command/failure"
	"opari/internal/command/traces"
	"opari/internal/report"
	"opari/internal/report/page"
	"opari/otf"
)

// mostPageSize is the largest size of a page in MB. Browsers may open no larger ones.
const mostPageSize = 1000

// page writes one trace or profile as an HTML page.
func (o *reportFlags) page(args []string) error {
	if len(args) != 1 {
		return failure.Usage(fmt.Errorf("--format=html shows one run: %d were named", len(args)))
	}
	if o.size <= 0 || o.size > mostPageSize {
		return failure.Usage(fmt.Errorf("--page-size is from 1 to %d MB", mostPageSize))
	}
	trace, err := TraceOf(args[0])
	if err != nil {
		return err
	}
	var r *analysis.Result
	var lanes *page.Timeline
	if trace == "" {
		if r, err = o.read(args[0], run.Options{EventCost: o.cost}); err != nil {
			return err
		}
	} else {
		lanes = page.NewTimeline(page.TimelineLimit)
		lanes.PageSize = o.size * 1_000_000
		if r, err = o.read(args[0], run.Options{
			Interval: lanes.Add, Message: lanes.AddMessage, EventCost: o.cost,
		}); err != nil {
			return err
		}
		if err := o.remedies(trace, r); err != nil {
			return err
		}
	}
	return o.write(args,
		func(w io.Writer) error { return page.Write(w, r, lanes, o.finder(args[0], r)) })
}

// finder returns a finder for the sources of the run that a name means.
func (o *reportFlags) finder(name string, r *analysis.Result) report.SourceFinder {
	file := fileOf(name)
	if trace, err := TraceOf(name); err == nil && trace != "" {
		if file = traces.ArchiveNamed(name); file == "" {
			file = otf.TraceName(trace) + ".otf"
		}
	}
	var recorded time.Time
	if info, err := os.Stat(file); err == nil {
		recorded = info.ModTime()
	}
	folders := append(append([]string(nil), o.sources...), ".", filepath.Dir(file),
		filepath.Dir(filepath.Dir(file)), filepath.Dir(r.Program))
	return report.Sources(recorded, folders...)
}
