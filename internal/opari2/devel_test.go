package opari2

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// reader compiles the program that prints what a string says, with the sources in a folder.
func reader(t *testing.T, folder string, options ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "strings")
	words := append([]string{
		"-std=gnu11", "-g", "-I" + folder, "-o", program, "testdata/strings.c",
		filepath.Join(folder, "opari2_ctc_parser.c"), filepath.Join(folder, "pomp2_region_info.c"),
		filepath.Join(folder, "pomp2_user_region_info.c"),
	}, options...)
	if out, err := exec.Command("gcc", words...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

const (
	placesOf = "*sscl=/p.c:1:2*escl=/p.c:3:4"
	sections = "*numSections=2"
)

var goodStrings = []string{
	"8*regionType=atomic" + placesOf + "**",
	"*regionType=parallelfor" + placesOf + "*hasIf=1*hasSchedule=dynamic,3@n*hasNum_threads=1**",
	"1*regionType=sections" + placesOf + sections + "*hasNowait=1*hasLastPrivate=1*",
	"1*escl=b.c:7:7*sscl=a.c:5:5*regionType=critical*criticalName=lock*userGroupName=g**",
	"1*regionType=task" + placesOf + "*hasUntied=1*hasShared=1*hasFirstPrivate=0**",
	"1*regionType=do" + placesOf + "*hasOrdered=1*hasCollapse=1*hasReduction=1*hasSchedule=auto**",
	"1*regionType=single" + placesOf + "*hasCopyPrivate=1*hasCopyIn=1**",
}

// Each is wrong in another way.
var badStrings = []string{
	"", "5", "5*regionType", "5*regionType=" + placesOf + "**", "5" + placesOf + "**",
	"5*regionType=loop" + placesOf + "**", "5*regionType=for*sscl=/p.c:1:2**",
	"5*regionType=for*sscl=/p.c:2:1*escl=/p.c:3:4**", "5*regionType=for*sscl=/p.c:1*escl=a:1:2**",
	"5*regionType=for" + placesOf + "*hasIf=2**", "5*regionType=for" + placesOf + "*hasIf=yes**",
	"5*regionType=for" + placesOf + "*hasSchedule=static2**",
	"5*regionType=for" + placesOf + "*hasDefault=all**",
	"5*regionType=sections" + placesOf + "**",
	"5*regionType=sections" + placesOf + "*numSections=-1**",
	"5*regionType=for" + placesOf + "*=1**",
}

// TestStrings: the sources for libraries read what strings say, and end the program for strings
// that are wrong. Those of OPARI2 do the same.
func TestStrings(t *testing.T) {
	ours := reader(t, "devel", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror",
		"-fsanitize=address,undefined", "-fno-sanitize-recover=all")
	programs := []string{ours}
	if folder := "/usr/share/opari2/devel"; isFolder(folder) {
		empty := t.TempDir() // each package that compiles them has a config.h
		if err := os.WriteFile(filepath.Join(empty, "config.h"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		programs = append(programs, reader(t, folder, "-w", "-I"+empty))
	} else {
		t.Log("OPARI2's sources are not there to compare with: make test installs libpomp2-dev")
	}
	for _, s := range append([]string{
		"-u 1*regionType=userRegion" + placesOf + "*userRegionName=whole**",
		"1*regionType=parallel" + placesOf + "*hasDefault=firstprivate**",
	}, goodStrings...) {
		said := make([]string, len(programs))
		for i, p := range programs {
			out, err := exec.Command(p, strings.Fields(s)...).CombinedOutput()
			if err != nil {
				t.Errorf("%s: %v\n%s", s, err, out)
			}
			said[i] = string(out)
		}
		if len(said) > 1 && said[0] != said[1] {
			t.Errorf("%s:\n%sand with OPARI2\n%s", s, said[0], said[1])
		}
	}
	for _, s := range append([]string{
		"-u 1*regionType=userRegion" + placesOf + "**",
		"-u 1" + placesOf + "*userRegionName=whole**",
	}, badStrings...) {
		arguments := strings.Fields(s)
		if s == "" {
			arguments = []string{""}
		}
		out, err := exec.Command(ours, arguments...).CombinedOutput()
		if e, is := err.(*exec.ExitError); !is || e.ExitCode() != 1 ||
			!strings.HasPrefix(string(out), "opari2: the string of a region: ") {
			t.Errorf("%s: %v\n%s", s, err, out)
		}
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
