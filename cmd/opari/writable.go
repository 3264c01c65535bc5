package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// cannotRecord is the exit code where the program was not started, for want of a place to record
// into. Programs seldom have it.
const cannotRecord = 125

// roomFile begins the name of the file that tries a folder.
const roomFile = ".opari-room-"

// room is how many bytes must find place before a program starts: as many as the library's files
// begin with.
const room = 1 << 16

// writable makes sure that files can be made in a folder, and that they find place: a program that
// was measured for hours and recorded nothing is worse than one that was not started.
func writable(directory string) error {
	f, err := os.CreateTemp(directory, roomFile)
	if err != nil {
		return osError(directory, err)
	}
	_, err = f.Write(make([]byte, room))
	if err = errors.Join(err, f.Close(), os.Remove(f.Name())); err != nil {
		return osError(directory, err)
	}
	return nil
}

// placesToRecord checks the folders that a run of the program writes to: that of its recording, and
// those of the outputs.
func (o *runFlags) placesToRecord(recording string) error {
	folders := []string{recording}
	for _, file := range []string{o.profile, o.output} {
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

// noPlace says why a program is not started.
func noPlace(err error) error {
	fmt.Fprintln(os.Stderr, err)
	return exitError(cannotRecord)
}
