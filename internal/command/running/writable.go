package running

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"opari/internal/command/failure"
)

// cannotRecord is the exit code if the program did not start because there is no place to
// record. Programs seldom use it.
const cannotRecord = 125

// roomFile begins the name of the file that tests a folder.
const roomFile = ".opari-room-"

// room is the number of free bytes that must exist before a program starts. It is the initial
// size of the library's files.
const room = 1 << 16

// writable checks that a folder accepts files and has space for them. A program that runs for
// hours and records nothing is worse than one that does not start.
func writable(directory string) error {
	f, err := os.CreateTemp(directory, roomFile)
	if err != nil {
		return failure.OS(directory, err)
	}
	_, err = f.Write(make([]byte, room))
	if err = errors.Join(err, f.Close(), os.Remove(f.Name())); err != nil {
		return failure.OS(directory, err)
	}
	return nil
}

// placesToRecord checks the folders that a run of the program writes to, for its recording and
// for the outputs.
func (o *runFlags) placesToRecord(recording string) error {
	folders := []string{recording}
	for _, file := range []string{o.profile, o.Output} {
		if file != "" && file != "-" {
			folders = append(folders, filepath.Dir(file))
		}
	}
	for _, folder := range folders {
		if err := writable(folder); err != nil {
			return noPlace(err)
		}
	}
	return nil
}

// noPlace prints why the program does not start.
func noPlace(err error) error {
	fmt.Fprintln(os.Stderr, err)
	return failure.Exit(cannotRecord)
}
