package pomp

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"opari/internal/expensive"
)

const nobody = 65534

// openFolder makes a folder that everybody may write to.
func openFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "opari-secure-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	chmod(t, dir, 0o777)
	return dir
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// asNobody runs a copy of the program as nobody, with everything that the environment can
// request, and returns the names of what is in the folder afterwards. arm may give the copy
// rights.
func asNobody(t *testing.T, program, tool string, arm func(copied string)) string {
	t.Helper()
	dir := openFolder(t)
	victim, loaded, copied := filepath.Join(dir, "victim"), filepath.Join(dir, "loaded"),
		filepath.Join(dir, "copied")
	text, err := os.ReadFile(program)
	for path, is := range map[string][]byte{victim: []byte("theirs\n"), copied: text} {
		if err == nil {
			err = os.WriteFile(path, is, 0o600)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	chmod(t, victim, 0o666)
	chmod(t, copied, 0o755)
	library := filepath.Join(dir, "tool.so")
	command(t, "gcc", "-shared", "-fPIC", `-DLOADED="`+loaded+`"`, "-o", library, tool)
	chmod(t, library, 0o755)
	arm(copied)
	cmd := exec.Command(copied)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{
		Uid: nobody,
		Gid: nobody,
	}}
	cmd.Env = append(os.Environ(), "OMP_DYNAMIC=false", "LD_PRELOAD=", "OMP_TOOL=enabled",
		"OMP_TOOL_LIBRARIES="+library,
		"OMP_TOOL_VERBOSE_INIT="+victim, "OPARI_PROFILE="+
			filepath.Join(dir, "profile"), "OPARI_TRACE="+filepath.Join(dir, "trace"))
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v, printed %q", err, out)
	}
	var left []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		name, _, _ := strings.Cut(e.Name(), ".")
		left = append(left, name)
	}
	if now, _ := os.ReadFile(victim); string(now) != "theirs\n" {
		left = append(left, "truncated")
	}
	return strings.Join(left, " ")
}

// TestSecureProcess requires that a program with more rights than its caller loads no tool,
// creates no file and truncates none, whatever the environment requests.
func TestSecureProcess(t *testing.T) {
	expensive.Compilers(t)
	if os.Getuid() != 0 {
		t.Skip("only root can give a program another user's rights")
	}
	var fs syscall.Statfs_t
	if err := syscall.Statfs(os.TempDir(), &fs); err != nil || fs.Flags&2 != 0 {
		t.Skipf("%s is mounted nosuid", os.TempDir())
	}
	status, _ := os.ReadFile("/proc/self/status")
	if regexp.MustCompile(`(?m)^NoNewPrivs:\s*1`).Match(status) {
		t.Skip("this process may gain no rights")
	}
	prefix := openFolder(t)
	lib := library(t)
	if err := lib.Install(prefix, "0"); err != nil {
		t.Fatal(err)
	}
	for _, link := range []struct {
		name, all string
		libs      []string
	}{
		{"static library", "copied loaded profile tool trace victim truncated", lib.Libs(false)},
		{"interposing", "copied loaded profile tool trace victim truncated", lib.DynamicLibs()},
		{
			"shared", "copied loaded profile tool trace victim truncated",
			Lib{Dir: prefix}.Libs(true),
		},
		{
			"static program", "copied profile tool trace victim truncated",
			append(lib.Libs(false), "-static"),
		},
	} {
		t.Run(link.name, func(t *testing.T) {
			program := compileProgram(t, "counts", link.libs...)
			left := asNobody(t, program, "testdata/planted.c", func(string) {})
			if left != link.all {
				t.Fatalf("with no rights of its own: %s; want %s", left, link.all)
			}
			for name, arm := range map[string]func(string){
				"set-uid": func(copied string) { chmod(t, copied, 0o755|os.ModeSetuid) },
				"set-gid": func(copied string) { chmod(t, copied, 0o755|os.ModeSetgid) },
				"capabilities": func(copied string) {
					if out, err := exec.Command("setcap", "cap_net_raw+ep",
						copied).CombinedOutput(); err != nil {
						t.Skipf("setcap: %v: %s", err, out)
					}
				},
			} {
				t.Run(name, func(t *testing.T) {
					if left := asNobody(t, program, "testdata/planted.c",
						arm); left != "copied tool victim" {
						t.Errorf("left %s", left)
					}
				})
			}
		})
	}
}

// TestOneReaderOfEnvironment requires that only one function reads the environment, and that it
// first checks whose environment it is.
func TestOneReaderOfEnvironment(t *testing.T) {
	var readers []string
	for _, pattern := range []string{
		"src/*.[ch]", "src/*/*.[ch]", "../ompt_bridge/src/*.[ch]",
		"../ompt_bridge/src/*/*.[ch]", "../internal/mpi/src/*.[ch]",
	} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) < 5 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for range regexp.MustCompile(`\bgetenv\b|\bextern char \*\*environ\b`).FindAll(text,
				-1) {
				readers = append(readers, file)
			}
		}
	}
	if want := []string{"src/pomp_environment.h"}; !slices.Equal(readers, want) {
		t.Errorf("the environment is read in %v, want %v", readers, want)
	}
}

// TestProfileFollowsNoLink requires that the profile's temporary file is a new one, so that the
// target of a link with its name stays unchanged.
func TestProfileFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	if err := os.WriteFile(victim, []byte("theirs\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	program := compileProgram(t, "counts", library(t).Libs(false)...)
	prefix := filepath.Join(dir, "p")
	shell := `ln -s victim "` + prefix + `.$$.tmp" && exec "` + program + `"`
	cmd := exec.Command("sh", "-c", shell)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "OMP_DYNAMIC=false", "OPARI_PROFILE="+prefix)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if now, _ := os.ReadFile(victim); string(now) != "theirs\n" {
		t.Errorf("the file that a link leads to was written: %.60q", now)
	}
	if files, _ := filepath.Glob(prefix + ".*"); len(files) != 1 {
		t.Errorf("left %v, want the profile alone", files)
	}
}
