package sarif

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"
)

// Log is what a tool has found, in one run or several.
type Log struct {
	Tool    string // "opari race"
	Version string // of opari
	Mark    string // the property by which opari knows its own files, "opari_races"
	Rules   []Rule
	Runs    []Run
}

// Rule is a kind of results.
type Rule struct {
	ID          string
	Description string // a sentence
	Level       string // of its results: "error", "warning" or "note"
}

// Run has the results of one run of a program.
type Run struct {
	Name    string // tells runs of a log apart; "" for none
	Results []Result
}

// Result is something that the tool has found.
type Result struct {
	Rule       int // index in the log's rules
	Level      string
	Message    string
	Location   *Location // nil: unknown
	Related    *Location // nil: none
	Kind       string    // names what the fingerprint is made of, "racePlaces/v1"
	Print      string    // a fingerprint that stays where lines move; see Fingerprint
	Rank       float64   // from 0 to 100, the most important; 0 for none
	Properties map[string]any
}

// Location is a line of a source file.
type Location struct {
	File    string // relative to the root of the sources, or absolute
	Line    int
	Message string // of a related location
}

type object = map[string]any

// Write writes the log.
func (l *Log) Write(w io.Writer) error {
	rules := []object{}
	for _, r := range l.Rules {
		rules = append(rules, object{
			"id": r.ID, "shortDescription": object{"text": r.Description},
			"defaultConfiguration": object{"level": r.Level},
		})
	}
	runs := []object{}
	for _, r := range l.Runs {
		results := []object{}
		for i := range r.Results {
			results = append(results, l.result(&r.Results[i]))
		}
		run := object{
			"tool": object{"driver": object{
				"name": l.Tool, "version": l.Version, "rules": rules,
			}},
			"columnKind": "utf16CodeUnits",
			"results":    results,
		}
		if r.Name != "" {
			run["automationDetails"] = object{"id": r.Name}
		}
		runs = append(runs, run)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json",
		"version": "2.1.0", "properties": object{l.Mark: 1}, "runs": runs,
	})
}

func (l *Log) result(r *Result) object {
	o := object{
		"ruleId": l.Rules[r.Rule].ID, "ruleIndex": r.Rule, "level": r.Level,
		"message":             object{"text": r.Message},
		"partialFingerprints": object{r.Kind: r.Print},
	}
	if r.Location != nil {
		o["locations"] = []object{r.Location.object()}
	}
	if r.Related != nil {
		at := r.Related.object()
		at["id"], at["message"] = 0, object{"text": r.Related.Message}
		o["relatedLocations"] = []object{at}
	}
	if r.Rank > 0 {
		o["rank"] = r.Rank
	}
	if r.Properties != nil {
		o["properties"] = r.Properties
	}
	return o
}

func (l *Location) object() object {
	path := url.URL{Path: filepath.ToSlash(l.File)}
	artifact := object{}
	if filepath.IsAbs(l.File) {
		path.Scheme = "file"
	} else {
		artifact["uriBaseId"] = "%SRCROOT%"
	}
	artifact["uri"] = path.String()
	return object{"physicalLocation": object{
		"artifactLocation": artifact, "region": object{"startLine": max(1, l.Line)},
	}}
}

// Fingerprint returns a fingerprint of parts. Lines of the source may be parts, numbers of lines
// are none.
func Fingerprint(parts ...string) string {
	h := sha256.Sum256([]byte(strings.Join(parts, "\n") + "\n"))
	return hex.EncodeToString(h[:16])
}
