package instrumenting

import (
	"net/url"
	"os"
	"path/filepath"

	"opari/internal/omp"
)

// These types are those of the Language Server Protocol 3.17. Lines and characters count from 0.
type (
	// lspFile has what editors show of a file: results of textDocument/documentSymbol, and what
	// textDocument/publishDiagnostics carries.
	lspFile struct {
		URI         string          `json:"uri"`
		Symbols     []*lspSymbol    `json:"symbols"`
		Diagnostics []lspDiagnostic `json:"diagnostics"`
	}
	lspSymbol struct {
		Name      string       `json:"name"`
		Detail    string       `json:"detail,omitempty"`
		Kind      int          `json:"kind"`
		Range     lspRange     `json:"range"`
		Selection lspRange     `json:"selectionRange"`
		Children  []*lspSymbol `json:"children,omitempty"`
	}
	lspDiagnostic struct {
		Range    lspRange `json:"range"`
		Severity int      `json:"severity"`
		Source   string   `json:"source"`
		Message  string   `json:"message"`
	}
	lspRange struct {
		Start lspPosition `json:"start"`
		End   lspPosition `json:"end"`
	}
	lspPosition struct {
		Line      int `json:"line"`
		Character int `json:"character"`
	}
)

// Numbers of the protocol.
const (
	lspFunction    = 12 // a kind of symbols
	lspEvent       = 24
	lspInformation = 3 // a severity
)

// lsp returns what editors show of the files that the regions are in: headers have their own.
func lsp(all []fileRegions) ([]*lspFile, error) {
	folder, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	files, byURI := []*lspFile{}, map[string]*lspFile{}
	file := func(name string) *lspFile {
		uri := uriOf(name, folder)
		if byURI[uri] == nil {
			byURI[uri] = &lspFile{uri, []*lspSymbol{}, []lspDiagnostic{}}
			files = append(files, byURI[uri])
		}
		return byURI[uri]
	}
	for _, fr := range all {
		file(fr.File)
		symbols := map[int]*lspSymbol{}
		of := map[int]string{}
		for _, r := range fr.Regions {
			s := r.symbol()
			symbols[r.ID], of[r.ID] = s, r.File
			if outer := symbols[r.Outer]; outer != nil && of[r.Outer] == r.File {
				outer.Children = append(outer.Children, s)
			} else {
				f := file(r.File)
				f.Symbols = append(f.Symbols, s)
			}
		}
		for _, c := range fr.Coverage {
			if c.Instrumented || c.isSystem() {
				continue
			}
			f := file(c.File)
			f.Diagnostics = append(f.Diagnostics, lspDiagnostic{
				Range: linesRange(c.Line, c.Line), Severity: lspInformation, Source: "opari",
				Message: c.Directive + " is not instrumented: " + c.Reason,
			})
		}
	}
	return files, nil
}

func (r *regionEntry) symbol() *lspSymbol {
	s := &lspSymbol{
		Name: r.Name, Detail: r.SubName, Kind: lspEvent,
		Range: linesRange(r.Begin[0], r.End[1]), Selection: linesRange(r.Begin[0], r.Begin[1]),
	}
	switch {
	case r.Kind == omp.KindRegion.String() && r.SubName != "":
		s.Name, s.Detail, s.Kind = r.SubName, r.Name, lspFunction
	case r.Directive != r.Name && r.SubName == "":
		s.Detail = "of " + r.Directive
	}
	return s
}

// linesRange returns the range of whole lines, which count from 1 and are all in it. It ends at the
// start of the next line, because characters count in UTF-16.
func linesRange(first, last int) lspRange {
	return lspRange{lspPosition{Line: max(first, 1) - 1}, lspPosition{Line: max(first, last, 1)}}
}

func uriOf(name, folder string) string {
	if name == "<stdin>" {
		return "untitled:stdin"
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(folder, name)
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Clean(name))}).String()
}
