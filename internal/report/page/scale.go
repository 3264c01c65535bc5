package page

import (
	"io"
	"path/filepath"

	"opari/internal/report/scale"
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

// WriteScale writes a study of several numbers of threads as one self-contained HTML file.
func WriteScale(w io.Writer, s *scale.Scale) error {
	d := document{
		title:   filepath.Base(s.Program) + ": what more threads bring",
		styles:  []string{"page.css", "scale.css"},
		body:    "scale.html",
		scripts: scaleScripts,
		data:    scalePage{s.Study, s.Unit(), s.Sentence(), s.Remarks()},
	}
	return d.write(w)
}
