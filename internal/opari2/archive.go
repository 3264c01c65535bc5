package opari2

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// EZTrace has no step for an initialization file: eztrace_cc compiles and links in one command.
// But it adds the answer to --cflags to that command. So an archive can hold the file, and the
// answer name the archive. A program with its own file takes nothing from the archive.

const archiveName = "opari2"

func (c *Config) archive() string {
	return filepath.Join(c.Prefix, "lib", "lib"+archiveName+".a")
}

// InstallArchive compiles the initialization file of a program of unknown units by cc, a compiler
// with its options, and puts it into an archive.
func (c *Config) InstallArchive(cc []string) error {
	dir, err := os.MkdirTemp("", "opari-pomp2-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	text, object := filepath.Join(dir, "init.c"), filepath.Join(dir, "init.o")
	f, err := os.Create(text)
	if err != nil {
		return err
	}
	// The link takes EZTrace's library because the program needs its calls for constructs. There
	// are none for user regions, and maybe none for locks in Fortran.
	known := "#define POMP2_CONSTRUCTS 1\n" +
		"#define POMP2_FORTRAN_LOCKS 1\n#define POMP2_FORTRAN_LOCKS_UNKNOWN 1\n"
	if _, err = f.WriteString(known); err == nil {
		err = c.InitFile(f, nil)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.archive()), 0o777); err != nil {
		return err
	}
	// ar would keep the members that an earlier installation has left.
	if err := os.Remove(c.archive()); err != nil && !os.IsNotExist(err) {
		return err
	}
	for _, words := range [][]string{
		append(append([]string{}, cc...), "-O2", "-fPIC", "-c", text, "-o", object),
		{program("ar"), "rc", c.archive(), object},
	} {
		if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", words[0], err, out)
		}
	}
	return nil
}
