package main

import (
	"os"
	"path/filepath"
	"sync"

	"opari/internal/conversion"
	"opari/otf2"
)

// traces keeps the traces of OTF that stand for archives until the program ends.
var traces = struct {
	sync.Mutex
	of     map[string]string // folder, by archive
	damage map[string]damage // of the archive, by trace
}{of: map[string]string{}, damage: map[string]damage{}}

// traceOfArchive returns a trace of OTF for an archive, for the commands that compute numbers. Of
// a damaged archive it has what is before the damage; damageOf says so.
func traceOfArchive(archive string) (string, error) {
	traces.Lock()
	defer traces.Unlock()
	if dir, is := traces.of[archive]; is {
		return filepath.Join(dir, "trace"), nil
	}
	dir, err := temporaries.createDir(os.TempDir(), "opari-trace-")
	if err != nil {
		return "", osError(os.TempDir(), err)
	}
	traces.of[archive] = dir
	trace := filepath.Join(dir, "trace")
	traces.damage[trace] = damageOfArchive(archive)
	// What is lost does not matter to numbers of threads and regions.
	_, err = conversion.ToOTF(archive, trace, func(*otf2.Error) {})
	return trace, archiveError(err)
}

// removeTraces removes what traceOfArchive has made.
func removeTraces() {
	traces.Lock()
	defer traces.Unlock()
	for _, dir := range traces.of {
		temporaries.remove(dir)
	}
}

// damageOfArchive counts the errors in an archive.
func damageOfArchive(archive string) damage {
	d := damage{named: archive, what: "archive"}
	d.failed = otf2.Check(archive, func(p otf2.Problem) {
		if !p.Warning {
			d.add(archiveProblem(p))
		}
	}, nil)
	return d
}
