package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"opari/rewrite"
)

// An output is a place where a text may be written: nothing of the user's is ever overwritten there.
type output struct {
	path    string      // "-" is standard output
	mode    os.FileMode // permission bits of the file to come
	special bool        // a device or a pipe: written to, not replaced
	force   bool
}

var errNotOurs = errors.New("the file exists and is no output of opari; name another file, or say --force to overwrite it")

// umask is the process's, read while no other goroutine can make a file: the system
// returns it only when it sets it.
var umask = func() os.FileMode {
	mask := syscall.Umask(0)
	syscall.Umask(mask)
	return os.FileMode(mask)
}()

// planOutput checks that a text made from inputs may be written to path. expendable are texts that an existing file may hold
// without a loss; one that opari made is always expendable.
func planOutput(path string, inputs []*input, force bool, expendable ...[]byte) (*output, error) {
	o := &output{path: path, mode: 0o666 &^ umask, force: force}
	if path == "-" {
		return o, nil
	}
	if info := inputs[0].info; info != nil && info.Mode().IsRegular() {
		o.mode = info.Mode().Perm() &^ umask
	}
	old, err := os.Lstat(path)
	if os.IsNotExist(err) {
		return o, checkDir(path)
	} else if err != nil {
		return nil, osError(path, err)
	}
	if old.Mode()&os.ModeSymlink != 0 {
		return nil, fileErrorf(path, "the output is a symbolic link; name the file itself, or - for standard output")
	}
	for _, in := range inputs {
		if in.info != nil && os.SameFile(in.info, old) {
			return nil, fileErrorf(path, "the output is the input %s; name another file", in.path)
		}
	}
	switch {
	case old.IsDir():
		return nil, fileErrorf(path, "the output is a directory; name a file in it")
	case !old.Mode().IsRegular():
		o.special = true
		return o, nil
	}
	o.mode = old.Mode().Perm()
	if force || old.Size() == 0 {
		return o, nil
	}
	switch ok, err := mayReplace(path, expendable); {
	case err != nil:
		return nil, osError(path, err)
	case ok || isReport(path):
		return o, nil
	}
	return nil, fileErrorf(path, "%w", errNotOurs)
}

// statInputs are files that are read, for planOutput. A missing one is an error later, when it is read.
func statInputs(files []string) []*input {
	inputs := []*input{{}}
	for _, name := range files {
		info, _ := os.Stat(name)
		inputs = append(inputs, &input{path: name, info: info})
	}
	return inputs
}

// mayReplace reports whether a file is an output of ours or one of the expendable texts. It may be large, and ours shows in its
// first lines, so it is read in pieces.
func mayReplace(path string, expendable [][]byte) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	const overlap = 64 // longer than what shows that a text is ours
	buf := make([]byte, 0, 1<<18)
	at := 0
	same := slices.Clone(expendable) // as far as the file was read
	for {
		n, err := io.ReadFull(f, buf[len(buf):cap(buf)])
		part := buf[len(buf):][:n]
		buf = buf[:len(buf)+n]
		if rewrite.Instrumented(buf) {
			return true, nil
		}
		same = slices.DeleteFunc(same, func(e []byte) bool { return len(e) < at+n || !bytes.Equal(e[at:at+n], part) })
		at += n
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return slices.ContainsFunc(same, func(e []byte) bool { return len(e) == at }), nil
		case err != nil:
			return false, err
		}
		buf = append(buf[:0], buf[len(buf)-overlap:]...)
	}
}

func checkDir(path string) error {
	dir := filepath.Dir(path)
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return osError(dir, err)
	case !info.IsDir():
		return fileErrorf(dir, "is not a directory")
	}
	return nil
}

// write runs fill on a new file beside the output and renames it into place when all is well. On any error there is no
// output and an existing one stays as it was.
func (o *output) write(fill func(w io.Writer) error) error {
	if o.path == "-" || o.special {
		f := os.Stdout
		name := "standard output"
		if o.special {
			var err error
			if f, err = os.OpenFile(o.path, os.O_WRONLY, 0); err != nil {
				return osError(o.path, err)
			}
			defer f.Close()
			name = o.path
		}
		return buffered(f, name, fill)
	}
	f, err := temporaries.create(filepath.Dir(o.path))
	if err != nil {
		return osError(o.path, err)
	}
	name := f.Name()
	defer temporaries.remove(name)
	err = buffered(f, o.path, fill)
	if err == nil {
		err = toOSError(o.path, f.Chmod(o.mode))
	}
	if e := f.Close(); err == nil {
		err = toOSError(o.path, e)
	}
	if err == nil {
		err = toOSError(o.path, os.Rename(name, o.path))
	}
	return err
}

func toOSError(name string, err error) error {
	if err == nil {
		return nil
	}
	return osError(name, err)
}

// buffered runs fill; an error of the system's gets the file's name, one of fill's stays.
func buffered(f *os.File, name string, fill func(w io.Writer) error) error {
	b := bufio.NewWriterSize(&namedWriter{f, name}, 1<<16)
	if err := fill(b); err != nil {
		return err
	}
	return b.Flush()
}

// A namedWriter says in its errors which file it writes.
type namedWriter struct {
	w    *os.File
	name string
}

func (n *namedWriter) Write(b []byte) (int, error) {
	k, err := n.w.Write(b)
	return k, toOSError(n.name, err)
}

// ReadFrom has the system copy a large file where it can.
func (n *namedWriter) ReadFrom(r io.Reader) (int64, error) {
	k, err := n.w.ReadFrom(r)
	return k, toOSError(n.name, err)
}
