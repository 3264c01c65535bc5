package disk

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"opari/internal/command/failure"
	"opari/internal/instrument"
	"opari/internal/omp"
	"opari/internal/source"
)

// Input is a source file that was read and is text.
type Input struct {
	Path string // as the user spelled it; "-" for standard input
	Name string // what messages and #line show
	Text []byte
	Info os.FileInfo // nil for standard input
	Lang omp.Language
	Pre  bool // the preprocessor has run
}

// Read reads path and rejects anything but source text.
func Read(path string, o *instrument.Options) (*Input, error) {
	in := &Input{Path: path, Name: path}
	f := os.Stdin
	if path == "-" {
		in.Name = "<stdin>"
	} else {
		var err error
		if f, err = os.Open(path); err != nil {
			return nil, failure.OS(path, err)
		}
		defer f.Close()
		if in.Info, err = f.Stat(); err != nil {
			return nil, failure.OS(path, err)
		}
		if in.Info.IsDir() {
			return nil, failure.File(path, "is a directory; name the source files in it")
		}
	}
	text, err := ReadAll(f, in.Info)
	if err != nil {
		return nil, failure.OS(in.Name, err)
	}
	in.Text = text
	if err := CheckText(in.Name, text); err != nil {
		return nil, err
	}
	lang, pre, ok := instrument.Language(path)
	in.Lang, in.Pre = lang, pre
	switch named, said := o.Language(); {
	case said:
		in.Lang = named
	case !ok && o.Form != "": // only Fortran has forms
		in.Lang = omp.Fortran
	case !ok && path != "-":
		return nil, failure.File(path, "the name does not say whether this is C, C++ or Fortran; "+
			"say --lang=c, --lang=c++ or --lang=fortran")
	}
	return in, nil
}

// MeantForCommand returns an error if the first name seems to mean a command: it has no
// extension, and no such file exists.
func MeantForCommand(names []string) error {
	if len(names) == 0 || names[0] == "" || strings.ContainsAny(names[0], "./") || names[0] == "-" {
		return nil
	}
	if _, err := os.Stat(names[0]); os.IsNotExist(err) {
		return failure.File(names[0], "%v, and no command of opari has this name; "+
			"`opari --help` lists them",
			failure.Reason(err))
	}
	return nil
}

// ReadAll reads f at once if its size is known. Standard input may be such a file, too.
func ReadAll(f *os.File, info os.FileInfo) ([]byte, error) {
	if info == nil {
		info, _ = f.Stat()
	}
	if info == nil || !info.Mode().IsRegular() {
		return io.ReadAll(f)
	}
	b := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	_, err := b.ReadFrom(f)
	return b.Bytes(), err
}

// CheckText rejects anything that cannot be the text of a program. Any 8-bit encoding is text;
// zero bytes, or many control characters, are not.
func CheckText(name string, text []byte) error {
	if len(text) == 0 {
		return failure.File(name, "the file is empty; there is nothing to instrument")
	}
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return fmt.Errorf("%s:1:1: error: the file is UTF-16, not text in bytes; convert it to "+
			"UTF-8 first (iconv -f UTF-16 -t UTF-8)", name)
	}
	if i := bytes.IndexByte(text, 0); i >= 0 {
		return fmt.Errorf("%s: error: a zero byte: this is a binary file, not a source text",
			source.New(name, text).Position(i))
	}
	control, first := 0, -1
	head := text[:min(len(text), 8192)]
	for i, c := range head {
		if c < 0x20 && (c < '\a' || c > '\r') && c != 0x1a && c != 0x1b || c == 0x7f {
			control++
			if first < 0 {
				first = i
			}
		}
	}
	if control*20 > len(head) {
		return fmt.Errorf("%s: error: control characters: this is a binary file, not a source text",
			source.New(name, text).Position(first))
	}
	return nil
}
