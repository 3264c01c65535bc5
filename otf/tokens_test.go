package otf

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestMergeTokens merges streams with different meanings of each token: every kind of definition
// and every field that refers to one.
func TestMergeTokens(t *testing.T) {
	stub := filepath.Join(t.TempDir(), "t")
	local := func(name, line string) string {
		return fmt.Sprintf(
			"DFG1NM\"group%[1]s\"\nDSF1NM\"%[1]s.c\"\nDS1F1LN%[2]s\nDF1G1NM\"f%[1]s\"X1\nDF3G2NM\"same\"\nDFG2NM\"samegroup\"\n"+
				"DCG1NM\"counters%[1]s\"\nDCNT1G1NM\"c%[1]s\"P0U\"ns\"\nDCO1NM\"op%[1]s\"Y1\nDP64NM\"node%[1]s\"\nDPG65M1,64,NM\"all%[1]s\"\nDPG66M65,NM\"outer%[1]s\"\n", name, line)
	}
	event := "E1X1\nE3\nL3\nE7\nL7\nCNT1V5\nCOP1C65RT64S1R2D3X1\nS2L1T1C66X1\nR65L1T1C65\nL1X1\n"
	snap := "TE1O1X1\nTS64O1G65T1L2X1\n"
	stat := "SF1N1E2I3\nSG1N1E2I3\nSM65C66T1NS1NR2S3R4\n"
	files := map[string]string{
		"otf":   "1:1\n2:2\n",
		"0.def": "DTR64\nDP1NM\"p1\"\nDP2NM\"p2\"\nDF7G9NM\"global\"\nDFG9NM\"globals\"\nDF3G9NM\"hidden\"\n",
		"1.def": local("A", "a"), "2.def": local("B", "b") + "DP2NM\"p2\"PT64\n",
	}
	for p, at := range map[string]string{"1": "10", "2": "20"} {
		files[p+".events"] = at + "\n*" + p + "\n" + event
		files[p+".snaps"] = at + "\n*" + p + "\n" + snap
		files[p+".stats"] = at + "\n*" + p + "\n" + stat
	}
	writeFiles(t, stub, files)
	merged := stub + "-merged"
	if err := Merge(stub, merged, NewFileManager(10), MergeOptions{Streams: 1}); err != nil {
		t.Fatal(err)
	}
	if problems := checkAll(t, merged); problems != "" {
		t.Error(problems)
	}
	// Equal definitions become one, and of different ones the first keeps its token. Process 2,
	// whose parent is a token of its own stream, comes with the global definitions.
	for ending, want := range map[string]string{
		"1.events": "10\n*1\nE1X1\nE8\nL8\nE7\nL7\nCNT1V5\nCOP1C65RT67S1R2D3X1\nS2L1T1C66X1\nR65L1T1C65\nL1X1\n" +
			"20\n*2\nE9X2\nE8\nL8\nE7\nL7\nCNT2V5\nCOP2C68RT64S1R2D3X2\nS2L1T1C69X2\nR68L1T1C68\nL9X2\n20\n*2\n",
		"1.snaps": "10\n*1\nTE1O1X1\nTS67O1G65T1L2X1\n20\n*2\nTE9O1X2\nTS64O1G68T1L2X2\n20\n*2\n",
		"1.stats": "10\n*1\nSF1N1E2I3\nSG1N1E2I3\nSM65C66T1NS1NR2S3R4\n20\n*2\nSF9N1E2I3\nSGaN1E2I3\nSM68C69T1NS1NR2S3R4\n20\n*2\n",
	} {
		got, err := os.ReadFile(merged + "." + ending)
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v\nwant %s", ending, got, err, want)
		}
	}
}

// meaning returns the records of a trace with each token replaced by its definition in the
// record's stream.
func meaning(t *testing.T, stub string) string {
	t.Helper()
	r, err := OpenReader(stub, NewFileManager(50))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defined := map[scopedToken]string{}
	var kept []*Record
	_, err = r.ReadDefinitions(&HandlerArray{Any: func(d *Record) error {
		same := *d
		same.Members = slices.Clone(d.Members)
		kept = append(kept, &same)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	var say func(stream uint32, in space, token uint64) string
	recordText := func(d *Record) string {
		b := d.Type.String() + strings.Join(d.Texts[:d.Type.Info().texts], " ")
		for _, f := range tokenFields()[d.Type] {
			b += " " + say(d.Stream, f.in, d.Values[f.slot])
		}
		switch d.Type {
		case DefSclRecord:
			b += fmt.Sprint(d.Values[2])
		case DefProcessGroupRecord:
			for _, m := range d.Members {
				b += " " + say(d.Stream, processSpace, uint64(m))
			}
		}
		return b
	}
	byToken := map[scopedToken]*Record{}
	say = func(stream uint32, in space, token uint64) string {
		if in == processSpace && token < 0x40 {
			return fmt.Sprint(token)
		}
		for _, at := range []scopedToken{{stream, in, uint32(token)}, {
			stream, in.other(),
			uint32(token),
		}, {0, in, uint32(token)}, {0, in.other(), uint32(token)}} {
			if d := byToken[at]; d != nil {
				if _, known := defined[at]; !known {
					defined[at] = recordText(d)
				}
				return "<" + defined[at] + ">"
			}
		}
		return "?"
	}
	for _, d := range kept {
		if in := spaceOf[d.Type]; in != noSpace {
			byToken[scopedToken{d.Stream, in, uint32(d.Values[0])}] = d
		}
	}
	var b strings.Builder
	h := &HandlerArray{Any: func(e *Record) error {
		fmt.Fprintf(&b, "%d %d %s", e.Time, e.Process, e.Type)
		rest := *e
		for _, f := range tokenFields()[e.Type] {
			b.WriteString(say(e.Stream, f.in, e.Values[f.slot]))
			rest.Values[f.slot] = 0
		}
		fmt.Fprintln(&b, rest.Values[:e.Type.Info().values])
		return nil
	}}
	for _, read := range []func(*HandlerArray) (uint64, error){
		r.ReadEvents, r.ReadSnapshots,
		r.ReadStatistics,
	} {
		if _, err := read(h); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// localTrace writes a trace whose streams have tokens of their own, drawn from a few. They
// collide, some are defined after their use, and some mean the same under different tokens.
func localTrace(t *testing.T, stub string, random *rand.Rand) {
	t.Helper()
	master := "1:1,2\n2:3\n3:4\n"
	files := map[string]string{"otf": master, "0.def": "DTR3b9aca00\n"}
	time := 1
	token := func() int { return 1 + random.IntN(5) }
	party := func() int { return []int{1, 2, 3, 4, 0x40, 0x41, 0x42, 0x50, 0x51}[random.IntN(9)] }
	for s := range 4 {
		lines := map[string]string{}
		name := func() string { return string(rune('a' + random.IntN(4))) }
		for i := range 12 {
			n := token()
			if s == 0 {
				n = i%5 + 1 // all have global definitions
			}
			lines[fmt.Sprint("f", n)] = fmt.Sprintf("DF%dG%dNM\"%s\"X%d\n", n, token(),
				name(), token())
			lines[fmt.Sprint("g", n)] = fmt.Sprintf("DFG%dNM\"%s\"\n", n, name())
			lines[fmt.Sprint("s", n)] = fmt.Sprintf("DS%dF%dLN%d\n", n, token(), random.IntN(2)+1)
			lines[fmt.Sprint("sf", n)] = fmt.Sprintf("DSF%dNM\"%s\"\n", n, name())
			lines[fmt.Sprint("c", n)] = fmt.Sprintf("DCNT%dG%dNM\"%s\"P0U\"\"\n", n,
				token(), name())
			lines[fmt.Sprint("cg", n)] = fmt.Sprintf("DCG%dNM\"%s\"\n", n, name())
			lines[fmt.Sprint("co", n)] = fmt.Sprintf("DCO%dNM\"%s\"Y1\n", n, name())
			p := 0x40 + (n+random.IntN(2))%3
			lines[fmt.Sprint("p", p)] = fmt.Sprintf("DP%xNM\"%s\"\n", p, name())
			q := 0x50 + random.IntN(2)
			lines[fmt.Sprint("q", q)] = fmt.Sprintf("DPG%xM%x,%x,NM\"%s\"\n", q, 1+random.IntN(4),
				0x40+random.IntN(3), name())
		}
		for _, k := range slices.Sorted(maps.Keys(lines)) {
			if s == 0 || random.IntN(3) > 0 {
				files[fmt.Sprintf("%d.def", s)] += lines[k]
			}
		}
		if s == 0 {
			continue
		}
		text := ""
		for range 60 {
			time += 1 + random.IntN(9)
			p := []int{0, 1 + random.IntN(2), 3, 4}[s]
			text += fmt.Sprintf("%x\n*%d\n", time, p)
			switch random.IntN(5) {
			case 0, 1:
				text += fmt.Sprintf("E%dX%d\nL%d\n", token(), token(), token())
			case 2:
				text += fmt.Sprintf("CNT%dV%d\n", token(), token())
			case 3:
				text += fmt.Sprintf("S%xL1T1C%xX%x\n", party(), 0x50+random.IntN(2), token())
			case 4:
				text += fmt.Sprintf("COP%dC%xRT%xS1R1D1\n", token(), 0x50+random.IntN(2), party())
			}
		}
		files[fmt.Sprintf("%d.events", s)] = text
	}
	writeFiles(t, stub, files)
}

// TestMergeMeaning merges random traces. The meaning of the records must stay, whatever their
// tokens become.
func TestMergeMeaning(t *testing.T) {
	changed := 0
	for seed := range uint64(60) {
		stub := filepath.Join(t.TempDir(), "t")
		localTrace(t, stub, rand.New(rand.NewPCG(seed, 7)))
		merged := stub + "-m"
		if err := Merge(stub, merged, NewFileManager(9),
			MergeOptions{Streams: uint32(seed % 4)}); err != nil {
			t.Fatal(err)
		}
		before, after := meaning(t, stub), meaning(t, merged)
		if before != after {
			a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
			for i := range a {
				if i >= len(b) || a[i] != b[i] {
					t.Fatalf("seed %d, record %d: %s\nbecame %s", seed, i, a[i],
						strings.Join(b[i:min(i+1, len(b))], ""))
				}
			}
			t.Fatalf("seed %d: more records than before", seed)
		}
		if left, _ := filepath.Glob(merged + ".[1-9a-f]*.def"); len(left) > 0 {
			t.Errorf("local definitions are left: %v", left)
		}
		one, _ := os.ReadFile(merged + ".0.def")
		if tokens := regexp.MustCompile(`(?m)^D(F|S|CNT)[6-9a-f]`).FindAll(one,
			-1); len(tokens) > 0 {
			changed++
		}
	}
	if changed < 30 {
		t.Errorf("tokens have changed in %d traces only", changed)
	}
}

// TestMergeTokensPrinted prints a merged trace of colliding tokens with the C library's otfprint.
// (Its otfmerge refuses local definitions.)
func TestMergeTokensPrinted(t *testing.T) {
	if _, err := exec.LookPath("otfprint"); err != nil {
		t.Skip("otfprint is not installed (apt-get install otf-trace)")
	}
	stub := filepath.Join(t.TempDir(), "t")
	localTrace(t, stub, rand.New(rand.NewPCG(1, 7)))
	merged := stub + "-m"
	if err := Merge(stub, merged, NewFileManager(9), MergeOptions{Streams: 2}); err != nil {
		t.Fatal(err)
	}
	enters := func(stub string) (out []string) {
		text, err := exec.Command("otfprint", stub+".otf").CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		names := map[string]string{}
		for _, m := range regexp.MustCompile(
			`DefFunction: stream (\d+), function (\d+), name "(.)"`).FindAllStringSubmatch(
			string(text), -1) {
			names[m[1]+" "+m[2]] = m[3]
		}
		for _, m := range regexp.MustCompile(
			`(\d+) Enter: function (\d+), process (\d+)`).FindAllStringSubmatch(string(text), -1) {
			stream := map[string]string{"1": "1", "2": "1", "3": "2", "4": "3"}[m[3]]
			name := names[stream+" "+m[2]]
			if name == "" {
				name = names["0 "+m[2]]
			}
			out = append(out, m[1]+" "+m[3]+" "+name)
		}
		return out
	}
	before, after := enters(stub), enters(merged)
	if len(before) < 20 || !slices.Equal(before, after) {
		t.Errorf("%d records: %q\n%q", len(before), before, after)
	}
}
