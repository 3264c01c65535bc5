package traces

import (
	"os"
	"path/filepath"
	"sync"

	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/command/terminal"
	"opari/internal/conversion"
	"opari/otf2"
)

// converted keeps the traces of OTF that stand for archives until the program ends.
var converted = struct {
	sync.Mutex
	of     map[string]string // folder, by archive
	damage map[string]damage // of the archive, by trace
}{of: map[string]string{}, damage: map[string]damage{}}

// OfArchive returns a trace of OTF for an archive, for the commands that compute numbers. Of
// a damaged archive it has what is before the damage; damageOf says so.
func OfArchive(archive string) (string, error) {
	converted.Lock()
	defer converted.Unlock()
	if dir, is := converted.of[archive]; is {
		return filepath.Join(dir, "trace"), nil
	}
	dir, err := disk.Temporaries.CreateDir(os.TempDir(), "opari-trace-")
	if err != nil {
		return "", failure.OS(os.TempDir(), err)
	}
	converted.of[archive] = dir
	defer terminal.Wait("reading " + archive)()
	trace := filepath.Join(dir, "trace")
	converted.damage[trace] = damageOfArchive(archive)
	// What is lost does not matter to numbers of threads and regions.
	_, err = conversion.ToOTF(archive, trace, func(*otf2.Error) {})
	return trace, archiveError(err)
}

// RemoveConverted removes what OfArchive has made.
func RemoveConverted() {
	converted.Lock()
	defer converted.Unlock()
	for _, dir := range converted.of {
		disk.Temporaries.Remove(dir)
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
