package corpus

import (
	"cmp"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Clang is one release of clang on this machine.
type Clang struct {
	Name  string   // as in clang-19
	Flags []string // needed to find an OpenMP runtime for it
}

// Clangs lists the releases of clang that are installed with a number in their names, oldest
// first. Debian has several, and a runtime with its header for only one of them. The others get
// that runtime, whose interface is the same.
func Clangs() []Clang {
	paths, _ := filepath.Glob("/usr/bin/clang-[0-9]*")
	var all []Clang
	runtime := ""
	for _, path := range paths {
		name := strings.TrimPrefix(filepath.Base(path), "clang-")
		if _, err := strconv.Atoi(name); err != nil {
			continue
		}
		if _, err := exec.LookPath("clang++-" + name); err != nil {
			continue
		}
		all = append(all, Clang{Name: name})
		if exists("/usr/lib/llvm-" + name + "/lib/libomp.so") {
			runtime = name
		}
	}
	slices.SortFunc(all,
		func(a, b Clang) int { return cmp.Compare(number(a.Name), number(b.Name)) })
	for i := range all {
		if runtime != "" && !exists("/usr/lib/llvm-"+all[i].Name+"/lib/libomp.so") {
			home := "/usr/lib/llvm-" + runtime + "/lib"
			all[i].Flags = []string{
				"-idirafter", home + "/clang/" + runtime + "/include",
				"-L" + home, "-Wl,-rpath," + home,
			}
		}
	}
	return all
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
