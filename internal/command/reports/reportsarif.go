package reports

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/command/build"
	"opari/internal/sarif"
)

// writeSARIF writes the findings of runs for editors and code hosts.
func (o *reportFlags) writeSARIF(w io.Writer, names []string, results []*analysis.Result) error {
	folder, err := os.Getwd()
	if err != nil {
		folder = "" // files are named as the compiler got them
	}
	log := sarif.Log{Tool: "opari report", Version: build.Version, Mark: "opari_report"}
	rules := map[analysis.Property]int{}
	for i, r := range results {
		one := sarif.Run{}
		if len(results) > 1 {
			one.Name = names[i]
		}
		same := map[string]int{}
		for _, f := range finding.Of(r, o.share/100) {
			rule, known := rules[f.Property]
			if !known {
				rule = len(log.Rules)
				rules[f.Property] = rule
				log.Rules = append(log.Rules, sarif.Rule{
					ID: f.Property.Key(), Level: "warning",
					Description: sentence(f.Property.String()) + ": " + f.Property.What() + ".",
				})
			}
			result := sarifResult(r, &f, folder)
			result.Rule = rule
			// Findings of several constructs of a kind in a file differ by their order.
			same[result.Print]++
			result.Print = sarif.Fingerprint(result.Print, strconv.Itoa(same[result.Print]))
			one.Results = append(one.Results, result)
		}
		log.Runs = append(log.Runs, one)
	}
	return log.Write(w)
}

func sarifResult(r *analysis.Result, f *finding.Finding, folder string) sarif.Result {
	result := sarif.Result{
		Level:   "warning",
		Message: fmt.Sprintf("%s. %s.", sentence(f.String(r)), sentence(f.Advice(r))),
		Kind:    "lostTime/v1",
		Print:   strings.Join([]string{f.Property.Key(), f.Region.File, f.Region.Name}, "\n"),
		Rank:    100 * f.Share,
		Properties: map[string]any{
			"time_ns": f.Time, "share": f.Share, "processor_ns": r.Total(), "program": r.Program,
		},
	}
	if f.UpperBound {
		result.Level = "note" // most of it is the cost of measuring
		result.Properties["upper_bound"] = true
	}
	if f.Region.File != "" {
		result.Location = &sarif.Location{
			File: relative(f.Region.File, folder), Line: f.Region.Line,
		}
	}
	return result
}

// relative returns the name of a file from a folder, if it is below that: code hosts know files
// by their names in the repository.
func relative(file, folder string) string {
	if !filepath.IsAbs(file) || folder == "" {
		return filepath.Clean(file)
	}
	if name, err := filepath.Rel(folder, file); err == nil && filepath.IsLocal(name) {
		return name
	}
	return file
}

// sentence begins a text with a capital letter, unless it begins with the name of a file.
func sentence(s string) string {
	word, _, _ := strings.Cut(s, " ")
	if s == "" || strings.ContainsAny(word, ".:/") {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
