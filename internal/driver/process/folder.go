package process

import (
	"os"
	"path/filepath"

	"opari/internal/driver/commandline"
)

// Folder makes the private temporary folder, which a signal also removes.
func (r *Runner) Folder() (string, error) {
	if r.folder != "" {
		return r.folder, nil
	}
	r.Watch()
	r.mu.Lock()
	defer r.mu.Unlock()
	folder, err := makeFolder()
	r.folder = folder
	return folder, err
}

// Scratch opens a file without a name in the private folder.
func (r *Runner) Scratch() (*os.File, error) {
	dir, err := r.Folder()
	if err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, "")
	if err == nil {
		_ = os.Remove(f.Name())
	}
	return f, err
}

// makeFolder makes a private folder where GCC would put its temporary files: in the first of
// these places that is writable.
func makeFolder() (folder string, err error) {
	for _, d := range []string{
		os.Getenv("TMPDIR"), os.Getenv("TMP"), os.Getenv("TEMP"), "/tmp",
		"/var/tmp", ".",
	} {
		if d == "" {
			continue
		}
		if folder, err = os.MkdirTemp(d, "opari-"); err == nil {
			return filepath.Abs(folder)
		}
	}
	return "", err
}

// maxWords is the length in bytes above which arguments go into a response file. The kernel's
// limit is 128 kB for one word, and 2 MB for all words and the environment, plus eight bytes for
// the pointer to each.
const maxWords = 1 << 20

// shorten puts arguments that are too long for the kernel into a response file.
func (r *Runner) shorten(words []string) []string {
	n := 0
	for _, w := range words {
		n += len(w) + 9
	}
	if n < maxWords || r.folder == "" {
		return words
	}
	keep := r.Compiler
	name := filepath.Join(r.folder, "args")
	if os.WriteFile(name, commandline.QuoteResponse(words[keep:]), 0o600) != nil {
		return words
	}
	return append(append([]string(nil), words[:keep]...), "@"+name)
}

// Clean removes the temporary folder, and ends this process by a signal that came in between.
func (r *Runner) Clean() {
	r.mu.Lock()
	if r.folder != "" {
		_ = os.RemoveAll(r.folder)
		r.folder = ""
	}
	sig := r.caught
	r.mu.Unlock()
	if sig != 0 {
		die(sig)
	}
}
