package report

import (
	"io"
	"path/filepath"

	"opari/internal/scaling"
)

// scalePage is what the page of a study shows.
type scalePage struct {
	*scaling.Study
	Unit     string   `json:"unit"`
	Sentence string   `json:"sentence"`
	Remarks  []string `json:"remarks"`
}

// scaleScripts are the parts of the page's script, in this order.
var scaleScripts = []string{"basics.js", "plot.js", "scale.js"}

// Page writes the study as one self-contained HTML file with plots.
func (s *Scale) Page(w io.Writer) error {
	d := document{
		title:   filepath.Base(s.Program) + ": what more threads bring",
		styles:  []string{"page.css", "scale.css"},
		body:    "scale.html",
		scripts: scaleScripts,
		data:    scalePage{s.Study, s.unit(), s.Sentence(), s.remarks()},
	}
	return d.write(w)
}
