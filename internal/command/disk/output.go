package disk

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"opari/internal/command/failure"
	"opari/rewrite"
)

// Output is a destination for a text that never overwrites anything of the user's.
type Output struct {
	Path    string      // "-" is standard output
	mode    os.FileMode // permission bits of the new file
	Special bool        // a device or a pipe, which is written to and not replaced
	force   bool
}

var ErrNotOurs = errors.New("the file exists and is no output of opari; name another file, or " +
	"say --force to overwrite it")

// umask is that of the process. The system returns it only while setting it, so it is read
// before any other goroutine can make a file.
var umask = func() os.FileMode {
	mask := syscall.Umask(0)
	syscall.Umask(mask)
	return os.FileMode(mask)
}()

// Plan checks that a text made from inputs may be written to path. An existing file may
// be replaced without loss if it is one of the expendable texts, or if opari made it.
func Plan(path string, inputs []*Input, force bool, expendable ...[]byte) (*Output, error) {
	o := &Output{Path: path, mode: 0o666 &^ umask, force: force}
	if path == "-" {
		return o, nil
	}
	if info := inputs[0].Info; info != nil && info.Mode().IsRegular() {
		o.mode = info.Mode().Perm() &^ umask
	}
	old, err := os.Lstat(path)
	if os.IsNotExist(err) {
		return o, checkDir(path)
	} else if err != nil {
		return nil, failure.OS(path, err)
	}
	if old.Mode()&os.ModeSymlink != 0 {
		return nil, failure.File(path,
			"the output is a symbolic link; name the file itself, or - for standard output")
	}
	for _, in := range inputs {
		if in.Info != nil && os.SameFile(in.Info, old) {
			return nil, failure.File(path, "the output is the input %s; name another file", in.Path)
		}
	}
	switch {
	case old.IsDir():
		return nil, failure.File(path, "the output is a directory; name a file in it")
	case !old.Mode().IsRegular():
		o.Special = true
		return o, nil
	}
	o.mode = old.Mode().Perm()
	if force || old.Size() == 0 {
		return o, nil
	}
	switch ok, err := mayReplace(path, expendable); {
	case err != nil:
		return nil, failure.OS(path, err)
	case ok || isReport(path):
		return o, nil
	}
	return nil, failure.File(path, "%w", ErrNotOurs)
}

// Exists reports whether a file of that name is there.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Stat returns the inputs of Plan for files. A missing file fails later, when it is
// read.
func Stat(files []string) []*Input {
	inputs := []*Input{{}}
	for _, name := range files {
		info, _ := os.Stat(name)
		inputs = append(inputs, &Input{Path: name, Info: info})
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
		return failure.OS(dir, err)
	case !info.IsDir():
		return failure.File(dir, "is not a directory")
	}
	return nil
}

// Write calls fill for a new file beside the output and renames it into place on success. After
// any error there is no output, and an existing one is unchanged.
func (o *Output) Write(fill func(w io.Writer) error) error {
	if o.Path == "-" || o.Special {
		f := os.Stdout
		name := "standard output"
		if o.Special {
			var err error
			if f, err = os.OpenFile(o.Path, os.O_WRONLY, 0); err != nil {
				return failure.OS(o.Path, err)
			}
			defer f.Close()
			name = o.Path
		}
		return Buffered(f, name, fill)
	}
	f, err := Temporaries.create(filepath.Dir(o.Path))
	if err != nil {
		return failure.OS(o.Path, err)
	}
	name := f.Name()
	defer Temporaries.Remove(name)
	err = Buffered(f, o.Path, fill)
	if err == nil {
		err = failure.OS(o.Path, f.Chmod(o.mode))
	}
	if e := f.Close(); err == nil {
		err = failure.OS(o.Path, e)
	}
	if err == nil {
		err = failure.OS(o.Path, os.Rename(name, o.Path))
	}
	return err
}

// Buffered calls fill. It adds the file's name to errors of the system, and keeps errors of
// fill.
func Buffered(f *os.File, name string, fill func(w io.Writer) error) error {
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
	return k, failure.OS(n.name, err)
}

// ReadFrom lets the system copy a large file where it can.
func (n *namedWriter) ReadFrom(r io.Reader) (int64, error) {
	k, err := n.w.ReadFrom(r)
	return k, failure.OS(n.name, err)
}
