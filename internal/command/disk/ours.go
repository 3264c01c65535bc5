package disk

import (
	"io"
	"os"

	"github.com/spf13/pflag"

	"opari/internal/pattern"
	"opari/internal/report/export"
)

// reported matches the beginnings of the files that the commands write with -o. It leaves out
// sources (rewrite.Instrumented) and exports (report.Exported). It also leaves out profiles and
// traces, because they are the measured data.
var reported = pattern.Lazy{Text: `\A(?:` +
	`[^\n]+: \S+ wall time, \d+ (?:threads?|ranks?)\b` + // run; report as a table, text and md
	`|[^\n]+: a trace of this run has ` + // run --estimate
	`|\{\n  "program": "[^\n]+,\n  "pid": \d` + // run as json
	`|\{\n "opari_report": \d` +
	`|table,kind,name,file,line,thread,count,` + // report as csv
	`|<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="generator" content="opari report">` +
	`|before: [^\n]+; after: ` + // compare
	`|### [a-z]+: [^\n]+\n\nBefore: ` +
	`|\{\n  "verdict": "[a-z]+",\n  "threshold": ` +
	`|scaling of [^\n]+: ` + // scale
	`|\{\n  "opari_scale": \d` +
	`|[^\n]+: (?:possible )?race(?: on [^\n]+)?: (?:atomic )?(?:read|write) and ` + // race
	`|\{\n  "opari_races": \d` +
	`|\{\n  "\$schema": "[^"]+",\n  "properties": \{\n    "opari_(?:races|report)": \d` +
	`|# [^\n]+, process \d+: \d+ threads?, OpenMP \d` + // tool-log
	`|\{"pid":\d+,"program":` +
	`|(?:Def\w+ stream=\d|[A-Z]\w+ \d+ (?:\w+=\S+ )*proc=\d)` + // trace print
	`)`}

// isReport reports whether a file begins like a report of opari.
func isReport(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 4096)
	n, _ := io.ReadFull(f, head)
	return reported.Get().Match(head[:n]) || export.Exported(head[:n])
}

// AddForce adds the flag of the commands that write reports.
func AddForce(fs *pflag.FlagSet, force *bool) {
	fs.BoolVar(force, "force", false, "overwrite a file that opari has not written")
}
