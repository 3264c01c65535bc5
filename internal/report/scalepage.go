package report

import (
	"bufio"
	"encoding/json"
	"fmt"
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
	text, err := json.Marshal(scalePage{s.Study, s.unit(), s.Sentence(), s.remarks()})
	if err != nil {
		return err
	}
	d := document{
		title:   filepath.Base(s.Program) + ": what more threads bring",
		styles:  []string{"page.css", "scale.css"},
		body:    "scale.html",
		scripts: scaleScripts,
	}
	return d.write(w, func(b *bufio.Writer) error { // Marshal has escaped <, > and &
		_, err := fmt.Fprintf(b,
			"<script type=\"application/json\" id=\"data\">%s</script>\n", text)
		return err
	})
}
