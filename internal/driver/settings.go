package driver

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"opari/internal/driver/commandline"
)

// settings reads opari's options from the configuration file and from OPARI_FLAGS, which takes
// precedence.
func settings(fs *pflag.FlagSet) error {
	name, text, err := configuration()
	if err != nil {
		return err
	}
	if err := parseSettings(fs, name, text); err != nil {
		return err
	}
	return parseSettings(fs, "OPARI_FLAGS", os.Getenv("OPARI_FLAGS"))
}

func parseSettings(fs *pflag.FlagSet, where, text string) error {
	words := commandline.SplitWords(text)
	if len(words) == 0 {
		return nil
	}
	err := fs.Parse(words)
	if err == nil && fs.NArg() > 0 {
		err = fmt.Errorf("%s is no option", fs.Arg(0))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	return nil
}

// configuration returns the text of the configuration file without comments, that is, lines that
// begin with #. The file is the one that OPARI_CONFIG names, or opari/flags in the user's
// configuration folder, which need not exist.
func configuration() (name, text string, err error) {
	name = os.Getenv("OPARI_CONFIG")
	named := name != ""
	if !named {
		dir, err := os.UserConfigDir()
		if err != nil {
			return "", "", nil
		}
		name = filepath.Join(dir, "opari", "flags")
	}
	b, err := os.ReadFile(name)
	switch {
	case err != nil && named:
		return "", "", fmt.Errorf("OPARI_CONFIG: %w", err)
	case err != nil:
		return "", "", nil
	}
	var words strings.Builder
	for line := range bytes.Lines(b) {
		if !bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("#")) {
			words.Write(line)
		}
	}
	return name, words.String(), nil
}
