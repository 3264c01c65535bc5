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

// output is a destination for a text that never overwrites anything of the user's.
type output struct {
	path    string      // "-" is standard output
	mode    os.FileMode // permission bits of the new file
	special bool        // a device or a pipe, which is written to and not replaced
	force   bool
}

var errNotOurs = errors.New("the file exists and is no output of opari; name another file, or " +
	"say --force to overwrite it")

// umask is that of the process. The system returns it only while setting it, so it is read
// before any other goroutine can make a file.
var umask = func() os.FileMode {
	mask := syscall.Umask(0)
	syscall.Umask(mask)
	return os.FileMode(mask)
}()

// planOutput checks that a text made from inputs may be written to path. An existing file may
// be replaced without loss if it is one of the expendable texts, or if opari made it.
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
		return nil, fileErrorf(path,
			"the output is a symbolic link; name the file itself, or - for standard output")
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

// statInputs returns the inputs of planOutput for files. A missing file fails later, when it is
// read.
func statInputs(files []string) []*input {
	inputs := []*input{{}}
	for _, name := range files {
		info, _ := os.Stat(name)
		inputs = append(inputs, &input{path: name, info: info})
	}
	return inputs
}

// mayReplace reports whether a file is an output of opari or one of the expendable texts. It
// reads in pieces, because a file may be large, and the first lines identify an output of
// opari.
func mayReplace(path string, expendable [][]byte) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	const overlap = 64 // longer than the mark of an instrumented text
	buf := make([]byte, 0, 1<<18)
	at := 0
	same := slices.Clone(expendable) // texts that agree with the file so far
	for {
		n, err := io.ReadFull(f, buf[len(buf):cap(buf)])
		part := buf[len(buf):][:n]
		buf = buf[:len(buf)+n]
		if rewrite.Instrumented(buf) {
			return true, nil
		}
		same = slices.DeleteFunc(same,
			func(e []byte) bool { return len(e) < at+n || !bytes.Equal(e[at:at+n], part) })
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

// write calls fill for a new file beside the output and renames it into place on success. After
// any error there is no output, and an existing one is unchanged.
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

// buffered calls fill. It adds the file's name to errors of the system, and keeps errors of
// fill.
func buffered(f *os.File, name string, fill func(w io.Writer) error) error {
	b := bufio.NewWriterSize(&namedWriter{f, name}, 1<<16)
	if err := fill(b); err != nil {
		return err
	}
	return b.Flush()
}

// namedWriter adds the name of its file to its errors.
type namedWriter struct {
	w    *os.File
	name string
}

func (n *namedWriter) Write(b []byte) (int, error) {
	k, err := n.w.Write(b)
	return k, toOSError(n.name, err)
}

// ReadFrom lets the system copy a large file where it can.
func (n *namedWriter) ReadFrom(r io.Reader) (int64, error) {
	k, err := n.w.ReadFrom(r)
	return k, toOSError(n.name, err)
}
