package commandline

import (
	"strings"
	"testing"
)

// TestForMessages: the original command that runs for its messages writes nothing outside its
// folder. There is no such command if an option would make it write elsewhere.
func TestForMessages(t *testing.T) {
	for _, c := range []struct {
		words  string
		extent Extent
		want   string
	}{
		{"-O2 -DX -MD -MF f.d -c f.c -o f.o", FrontEnd, "gcc -fsyntax-only -o T/out -O2 -DX f.c"},
		{"-O2 -DX -c f.c -o f.o", Assembly, "gcc -S -o T/0.s -O2 -DX f.c"},
		{"-save-temps -v f.c a.o -lm -o p", Program, "gcc -o T/out f.c a.o -lm -L"},
		{"f.c g.c a.o -lm", Assembly, "gcc -S -o T/0.s f.c; gcc -S -o T/1.s g.c"},
		{"-Wp,-MD,f.d -Wp,-DX -c f.c", FrontEnd, "gcc -fsyntax-only -o T/out -Wp,-DX f.c"},
		{"-fopt-info-vec=log -fopt-info -c f.c", Assembly, "gcc -S -o T/0.s -fopt-info f.c"},
		{"-fprofile-use -c f.c", FrontEnd, ""},
		{"-fbranch-probabilities -c f.c", Assembly, ""},
		{"-Wl,-Map=f.map f.c", Program, ""},
		{"-Wl,-Map=f.map f.c", FrontEnd, "gcc -fsyntax-only -o T/out f.c"},
		{"-Wl,-z,now,--dependency-file=d f.c", Program, ""},
		{"-Xlinker -Map -Xlinker f.map f.c", Program, ""},
		{"-gsplit-dwarf f.c", Program, ""},
		{"--coverage f.c", Program, ""},
		{"--coverage -c f.c", Assembly, "gcc -S -o T/0.s -coverage f.c"},
	} {
		command := Parse([]string{"gcc"}, strings.Fields(c.words))
		var got []string
		for _, words := range command.ForMessages("T", c.extent, []string{"-L"}, false) {
			got = append(got, strings.Join(words, " "))
		}
		if all := strings.Join(got, "; "); all != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.words, all, c.want)
		}
	}
}
