// Command site builds the documentation site: static pages of README.md and docs, of the commands'
// help, with a search and with the report of a real run.
//
//	go run ./site [-release NAME] DIR
//
// DIR gets a folder per release, versions.json, and an index.html that leads to the latest one.
// Only MkDocs with its Material theme is needed to build, no server to read. The environment names
// the binary that makes the report: OPARI, or bin/opari.
package main
