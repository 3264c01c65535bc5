package driver

import (
	"fmt"
	"os"
	"path/filepath"

	"opari/internal/driver/commandline"
)

// wrapperPrefix begins the names of wrappers: opari-gcc is opari cc gcc in one word. Build scripts
// that take no compiler of several words take these.
const wrapperPrefix = "opari-"

// Wrapped lists the compilers that get a wrapper unless others are named.
func Wrapped() []string {
	return []string{
		"cc", "c++", "gcc", "g++", "gfortran", "clang", "clang++", "flang",
		"mpicc", "mpicxx", "mpifort",
	}
}

// InstallWrappers makes a wrapper in dir for each of the compilers: a symbolic link to the program
// opari. It replaces links that are there and refuses to replace anything else. A link to a
// program in the same folder is relative, so that the folder may move.
func InstallWrappers(opari, dir string, compilers []string) error {
	for _, name := range compilers {
		if name != filepath.Base(name) || commandline.PlainName(name) == "" {
			return fmt.Errorf("%s is no compiler that opari knows by its name", name)
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if beside, err := os.Stat(filepath.Join(dir, "opari")); err == nil &&
		beside.Mode().IsRegular() {
		opari = "opari"
	}
	for _, name := range compilers {
		path := filepath.Join(dir, wrapperPrefix+name)
		if info, err := os.Lstat(path); err == nil {
			if info.Mode()&os.ModeSymlink == 0 {
				return fmt.Errorf("%s exists and is no link; choose another directory", path)
			}
			if err := os.Remove(path); err != nil {
				return err
			}
		}
		if err := os.Symlink(opari, path); err != nil {
			return err
		}
	}
	return nil
}
