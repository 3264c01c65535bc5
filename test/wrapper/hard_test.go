package wrapper

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

const project = `
#include <stdio.h>
int NAME(int n);
int NAME(int n)
{
    int s = 0;
    #pragma omp parallel for reduction(+: s)
    for (int i = 0; i < n; i++)
        s += i;
    return s;
}
`

// shell runs a script in dir and returns its output.
func (f *fixture) shell(t *testing.T, dir, script string, env ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(append(cmd.Env, f.env...), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// manySources writes a project with a number of files and a Makefile.
func manySources(t *testing.T, dir string, n int) {
	t.Helper()
	makefile := "all:"
	for i := range n {
		name := "f" + string(rune('a'+i/26)) + string(rune('a'+i%26))
		write(t, dir, name+".c", strings.ReplaceAll(project, "NAME", name))
		makefile += " " + name + ".o"
	}
	write(t, dir, "Makefile", makefile+"\n%.o: %.c\n\t$(CC) -fopenmp -MMD -O1 -c $< -o $@\n")
}

// TestInterrupted interrupts a parallel build at several times, as ^C in a terminal does. No
// temporary file and no partial object may remain, and the next build must complete the work.
func TestInterrupted(t *testing.T) {
	f := setUp(t)
	for _, after := range []time.Duration{30, 90, 200, 400} {
		r := f.room(t)
		for _, d := range []string{r.dir, r.temp} {
			if err := os.MkdirAll(d, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		manySources(t, r.dir, 16)
		cmd := exec.Command("make", "-j4", "CC="+f.opari+" cc gcc")
		cmd.Dir = r.dir
		cmd.Env = append(append(cmd.Env, f.env...), "TMPDIR="+r.temp)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(after * time.Millisecond)
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGINT)
		if err := cmd.Wait(); err == nil {
			t.Logf("%d ms: the build was done", after)
		}
		if left := leftBehind(r.temp); len(left) > 0 {
			t.Errorf("%d ms: left behind: %v", after, left)
		}
		objects, _ := filepath.Glob(filepath.Join(r.dir, "*.o"))
		for _, o := range objects {
			if list := symbols(t, o); len(list) == 0 {
				t.Errorf("%d ms: %s is no whole object", after, filepath.Base(o))
			}
		}
		if out, err := f.shell(t, r.dir, "make -j4 CC=\""+f.opari+" cc gcc\" >/dev/null && nm "+
			"*.o | grep -c 'POMP_Parallel_fork'", "TMPDIR="+r.temp); err != nil || out != "16\n" {
			t.Errorf("%d ms: the next build: %v %s", after, err, out)
		}
		t.Logf("%d ms: %d of 16 objects were done", after, len(objects))
	}
}

// leftBehind returns our files that still exist after the processes of an interrupted group have
// had time to end.
func leftBehind(dir string) []string {
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		all, _ := filepath.Glob(filepath.Join(dir, "*"))
		if left := ours(all); len(left) == 0 || time.Now().After(end) {
			return left
		}
	}
}

// ours omits the files that GCC itself forgets. It creates a temporary file first and then notes
// it for removal. A signal between the two leaves the file, empty.
//
// This happens in 1 of 2,000 compilations by the bare compiler that are interrupted in their
// first 20 ms.
func ours(files []string) []string {
	return slices.DeleteFunc(files, func(name string) bool {
		info, err := os.Stat(name)
		if err != nil {
			return os.IsNotExist(err)
		}
		ofGCC, _ := filepath.Match("cc??????.[so]", filepath.Base(name))
		return ofGCC && info.Mode().IsRegular() && info.Size() == 0
	})
}

// nobody returns the credentials of a user to whom permissions apply.
func nobody() *syscall.SysProcAttr {
	if os.Getuid() != 0 {
		return nil
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
}

// TestReadOnlySources checks builds in which neither the folder of the sources nor the working
// folder is writable.
func TestReadOnlySources(t *testing.T) {
	f := setUp(t)
	r := f.room(t)
	src, out := filepath.Join(r.dir, "src"), filepath.Join(r.dir, "out")
	write(t, src, "f.c", strings.ReplaceAll(project, "NAME", "f"))
	for _, d := range []string{out, r.temp} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for d := filepath.Dir(r.dir); len(d) >= len(f.dir); d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(src, 0o555); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(src, 0o755) }()
	for _, compiler := range []string{"gcc", f.opari + " cc gcc"} {
		cmd := exec.Command("sh", "-c", compiler+" -fopenmp -g -MD -MF ../out/f.d -c f.c -o "+
			"../out/f.o && touch x 2>/dev/null && echo writable; exec rm ../out/f.o ../out/f.d")
		cmd.Dir = src
		cmd.Env = append(append(cmd.Env, f.env...), "TMPDIR="+r.temp, "XDG_CACHE_HOME="+r.temp)
		cmd.SysProcAttr = nobody()
		if said, err := cmd.CombinedOutput(); err != nil || len(said) > 0 {
			t.Errorf("%s: %v %s", compiler, err, said)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(src, "*")); len(left) != 1 {
		t.Errorf("in the sources: %v", left)
	}
}

// TestDiskFull checks builds without room for the output, or for temporary files. The exit code
// must be the bare compiler's, no file may remain, and a message must give the reason.
func TestDiskFull(t *testing.T) {
	f := setUp(t)
	r := f.room(t)
	if err := os.MkdirAll(r.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	full := filepath.Join(filepath.Dir(r.dir), "full")
	if err := os.MkdirAll(full, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", full, "tmpfs", 0, "size=64k"); err != nil {
		t.Logf("no file system can be mounted here (%v): /dev/full has to do", err)
		full = ""
	} else {
		defer func() { _ = syscall.Unmount(full, syscall.MNT_DETACH) }()
		filler := bytes.Repeat([]byte("x"), 60<<10)
		if err := os.WriteFile(filepath.Join(full, "filler"), filler, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(t, r.dir, "f.c", "#include <stdlib.h>\n"+strings.ReplaceAll(project, "NAME", "f"))
	scripts := []string{"$CC -fopenmp -S f.c -o /dev/full; echo $? >&2"}
	if full != "" {
		scripts = append(scripts,
			"TMPDIR="+full+" $CC -fopenmp -g3 -c f.c -o f.o; c=$?; rm -f f.o; echo $c >&2",
			"$CC -fopenmp -g3 -c f.c -o "+full+"/f.o; c=$?; rm -f "+full+"/f.o; echo $c >&2",
			"$CC -fopenmp -MD -MF "+full+"/f.d -g3 -c f.c -o "+full+"/f.o; c=$?; rm -f "+full+
				"/f.*; echo $c >&2")
	}
	for _, script := range scripts {
		var codes []string
		for _, prefix := range []string{"", f.opari + " cc "} {
			out, _ := f.shell(t, r.dir, script, "CC="+prefix+"gcc")
			lines := strings.Split(strings.TrimSpace(out), "\n")
			codes = append(codes, lines[len(lines)-1])
			if len(lines) < 2 && lines[0] != "0" {
				t.Errorf("%s: %s: nothing is said", script, prefix)
			}
		}
		if codes[0] != codes[1] || codes[0] == "0" {
			t.Errorf("%s: exit codes %v", script, codes)
		}
		if full != "" {
			if left, _ := filepath.Glob(filepath.Join(full, "*")); len(left) != 1 {
				t.Errorf("%s: left behind: %v", script, left)
			}
		}
	}
}

// TestMeasured checks an instrumented object that the bare compiler has linked. It must run as
// before, and measure if the library is preloaded. It must also do so if the wrapper links the
// library, or the user by hand.
func TestMeasured(t *testing.T) {
	f := setUp(t)
	r := f.room(t)
	write(t, r.dir, "f.c", "#include <omp.h>\n"+strings.ReplaceAll(project, "NAME", "f")+
		"int main(void) { printf(\"%d\\n\", f(10)); return 0; }\n")
	write(t, r.dir, "s.f90", "program s\n  integer :: n = 0\n!$omp parallel reduction(+: n)\n  n "+
		"= n + 1\n!$omp end parallel\n#ifdef MANY\n  call m(n)\n#endif\n  print *, n\nend "+
		"program\n")
	write(t, r.dir, "m.f", "      subroutine m(n)\n      integer n, k\n      k = 0\n!$omp "+
		"parallel reduction(+: k)\n      k = k + 1\n!$omp end parallel\n      n = n + k - k\n    "+
		"  end\n")
	script := `set -e
opari=` + f.opari + `
$opari cc gcc -fopenmp -c f.c
$opari cc gfortran -cpp -fopenmp -c s.f90
gcc -fopenmp f.c -o bare
gfortran -cpp -fopenmp s.f90 -o sbare
gcc -fopenmp f.o -o plain
gfortran -fopenmp s.o -o splain
gcc -fopenmp -no-pie f.o -o fixed
gfortran -fopenmp -no-pie s.o -o sfixed
$opari cc gfortran -fopenmp -O3 -ffixed-form -c m.f -o m.o
$opari cc gfortran -fopenmp -O3 -DMANY -cpp -c s.f90 -o sm.o
gfortran -fopenmp -O3 -Wl,--gc-sections sm.o m.o -o smany
for o in -O0 -O2; do
  $opari cc gcc $o -fopenmp -fno-pie -c f.c -o n.o
  $opari cc gfortran $o -cpp -fopenmp -fno-pie -c s.f90 -o sn.o
  gcc -fopenmp -no-pie n.o -o absolute$o
  gfortran -fopenmp -no-pie sn.o -o sabsolute$o
done
$opari cc gcc -fopenmp f.o -o wrapped
$opari cc gfortran -fopenmp s.o -o swrapped
gcc -fopenmp f.o $($opari config --libs) -o hand
gcc -fopenmp f.o $($opari config --libs --shared) -o handshared
gfortran -fopenmp s.o $($opari config --libs --fortran) -o shand
$opari install --prefix=$PWD/inst
gcc -fopenmp f.o $(PKG_CONFIG_PATH=$PWD/inst/lib/pkgconfig pkg-config --libs pomp) -Wl,-rpath,$PWD/inst/lib -o pkg
profile() { rm -f p.*; OPARI_PROFILE=$PWD/p "$@" >out 2>&1; cat p.* 2>/dev/null | grep -c '"name":"parallel' || true; }
for p in bare plain fixed absolute-O0 absolute-O2 wrapped hand handshared pkg; do ./$p >$p.out; cmp bare.out $p.out; done
for p in sbare splain sfixed sabsolute-O0 sabsolute-O2 swrapped shand; do ./$p >$p.out; cmp sbare.out $p.out; done
echo plain $(profile ./plain) splain $(profile ./splain)
for p in wrapped hand handshared pkg swrapped shand; do echo $p $(profile ./$p); done
for p in plain fixed absolute-O0 absolute-O2; do echo preload $p $(profile env LD_PRELOAD=$PWD/inst/lib/libpomp.so ./$p); cmp out bare.out; done
for p in splain sfixed sabsolute-O0 sabsolute-O2; do echo preload $p $(profile env LD_PRELOAD=$PWD/inst/lib/libpomp.so ./$p); cmp out sbare.out; done
for p in bare sbare; do echo preload $p $(profile env LD_PRELOAD=$PWD/inst/lib/libpomp.so ./$p); cmp out $p.out; done
for p in splain sfixed sabsolute-O0 sabsolute-O2 sbare smany; do strip -o stripped $p; echo stripped $p $(profile env LD_PRELOAD=$PWD/inst/lib/libpomp.so ./stripped); cmp out sbare.out; done
`
	out, err := f.shell(t, r.dir, script)
	want := "plain 0 splain 0\nwrapped 1\nhand 1\nhandshared 1\npkg 1\nswrapped 1\nshand 1\n" +
		"preload plain 1\npreload fixed 1\npreload absolute-O0 1\npreload absolute-O2 1\n" +
		"preload splain 1\npreload sfixed 1\npreload sabsolute-O0 1\npreload sabsolute-O2 1\n" +
		"preload bare 0\npreload sbare 0\n" +
		// The mark in their data identifies them.
		"stripped splain 1\nstripped sfixed 1\nstripped sabsolute-O0 1\nstripped sabsolute-O2 " +
		"1\nstripped sbare 0\nstripped smany 2\n"
	if err != nil || out != want {
		t.Errorf("%v\n%s\nwant:\n%s", err, out, want)
	}
}
