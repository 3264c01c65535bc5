package opari2

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The headers of POMP2, and the sources with which Score-P's library reads regions' strings.
//
//go:embed include devel
var files embed.FS

func (c *Config) script() string {
	return filepath.Join(c.Prefix, "libexec", "pomp2-parse-init-regions.awk")
}

// Install puts opari2, opari2-config and what belongs to them below c.Prefix. The programs are
// links to the program opari. Install replaces what it has installed before, and nothing else.
func (c *Config) Install(opari string) error {
	bin := filepath.Join(c.Prefix, "bin")
	for _, dir := range []string{bin, filepath.Dir(c.script())} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	for _, name := range []string{Name, ConfigName} {
		if err := link(opari, filepath.Join(bin, name)); err != nil {
			return err
		}
	}
	script := scriptText(program("awk", "mawk", "gawk"), filepath.Join(bin, ConfigName))
	if err := write(c.script(), script, 0o777); err != nil {
		return err
	}
	for from, to := range map[string]string{
		"include": filepath.Join("include", Name),
		"devel":   filepath.Join("share", Name, "devel"),
	} {
		if err := c.installFiles(from, filepath.Join(c.Prefix, to)); err != nil {
			return err
		}
	}
	return nil
}

// installFiles copies a folder of files to another one.
func (c *Config) installFiles(from, to string) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	return fs.WalkDir(files, from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := files.ReadFile(path)
		if err != nil {
			return err
		}
		return write(filepath.Join(to, filepath.Base(path)), string(text), 0o666)
	})
}

// Name and ConfigName are the names of the programs.
const (
	Name       = "opari2"
	ConfigName = "opari2-config"
)

// link makes path a symbolic link to the program opari.
func link(opari, path string) error {
	if info, err := os.Lstat(path); err == nil {
		if info.Mode()&os.ModeSymlink == 0 {
			return fmt.Errorf("%s exists and is no link to opari; choose another prefix", path)
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	if filepath.Dir(opari) == filepath.Dir(path) {
		opari = filepath.Base(opari)
	}
	return os.Symlink(opari, path)
}

// write writes an installed file. It refuses to replace one that is not of opari.
func write(path, text string, mode os.FileMode) error {
	switch old, err := os.ReadFile(path); {
	case err == nil && !strings.Contains(string(old), "opari2"):
		return fmt.Errorf("%s exists and is not of opari; choose another prefix", path)
	case err == nil:
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return os.WriteFile(path, []byte(text), mode)
}

// scriptText is the script that makes the initialization file. It is for awk, because scripts run
// it by `awk -f`, but it passes the output of nm on.
func scriptText(awk, config string) string {
	command := "'" + strings.ReplaceAll(config, "'", `'\''`) + "' " + initFile
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(command)
	return `#!` + awk + ` -f
# This script makes the initialization file of a program that opari2 has instrumented, from the
# output of nm for its objects. It is a part of opari.
BEGIN { make = "` + quoted + `" }
{ print | make }
END { printf "" | make; exit close(make) != 0 }
`
}
