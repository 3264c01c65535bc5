package pomp

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestInstallFile requires that installed files and folders have the mode that the umask leaves,
// and that an existing file keeps its mode.
func TestInstallFile(t *testing.T) {
	for _, mask := range []int{0o022, 0o077, 0o002} {
		old := syscall.Umask(mask)
		t.Cleanup(func() { syscall.Umask(old) })
		folder := filepath.Join(t.TempDir(), "lib")
		check := func(name string, want fs.FileMode) {
			t.Helper()
			info, err := os.Stat(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			if got := info.Mode().Perm(); got != want {
				t.Errorf("umask %03o: %s: %v, want %v", mask, name, got, want)
			}
		}
		install := func(name, text string) {
			t.Helper()
			path := filepath.Join(folder, name)
			if err := InstallFile(path, []byte(text)); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(path); err != nil || string(got) != text {
				t.Errorf("%s: %q: %v", name, got, err)
			}
		}
		install("a.a", "archive")
		install("a.so", "library")
		left := ^fs.FileMode(mask)
		check(".", 0o777&left)
		check("a.a", 0o666&left)
		check("a.so", 0o777&left)
		for name, mode := range map[string]fs.FileMode{"a.a": 0o604, "a.so": 0o711} {
			if err := os.Chmod(filepath.Join(folder, name), mode); err != nil {
				t.Fatal(err)
			}
			install(name, "a newer one")
			check(name, mode)
		}
		if all, _ := os.ReadDir(folder); len(all) != 2 {
			t.Errorf("beside the files there is %v", all)
		}
		syscall.Umask(old)
	}
}
