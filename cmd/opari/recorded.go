package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"opari/analysis"
	"opari/otf"
	"opari/report"
)

// A recorded run is a profile or a trace on the disk.
type recorded struct {
	path  string
	trace bool
}

// profileHead is how a profile begins.
const profileHead = `{"opari_profile":`

// findRecorded says what path is: a profile, a trace by its master file or its name, or a directory of `opari run --trace`.
func findRecorded(path string) (recorded, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		inside := filepath.Join(path, "trace.otf")
		if _, err := os.Stat(inside); err != nil {
			return recorded{}, fileErrorf(path, "the directory holds no trace.otf; name a profile or a trace")
		}
		return recorded{inside, true}, nil
	case err == nil && strings.HasSuffix(path, ".otf"):
		return recorded{path, true}, nil
	case err == nil:
		is, err := beginsWith(path, profileHead)
		if err != nil {
			return recorded{}, osError(path, err)
		}
		if is {
			return recorded{path, false}, nil
		}
		return recorded{}, fileErrorf(path, "is neither a profile (opari run --profile) nor a trace (opari run --trace)")
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(otf.TraceName(path) + ".otf"); err == nil {
			return recorded{otf.TraceName(path) + ".otf", true}, nil
		}
	}
	return recorded{}, osError(path, err)
}

// beginsWith says whether a file begins with a text.
func beginsWith(path, text string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, len(text))
	if _, err := io.ReadFull(f, head); err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return false, err
	}
	return bytes.Equal(head, []byte(text)), nil
}

// result reads the run. interval, which may be nil, is told what the threads of a trace did.
func (r recorded) result(interval func(analysis.Interval)) (*analysis.Result, error) {
	if !r.trace {
		profiles, err := readProfiles([]string{r.path})
		if err != nil {
			return nil, err
		}
		return report.ResultOf(profiles[0]), nil
	}
	bar := newProgress("reading")
	defer bar.end()
	o := analysis.Options{Interval: interval}
	if bar != nil {
		o.Progress = bar.set
	}
	result, err := analysis.FromTrace(r.path, o)
	return result, traceError(err)
}
