package profile

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "write the golden files anew")

// bank returns a recorded run of three threads: an unbalanced loop, one with nowait, a
// critical, a lock, tasks, sections.
func bank(t testing.TB) *Profile {
	t.Helper()
	f, err := os.Open("testdata/bank.profile")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := Read("bank.profile", f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestRead(t *testing.T) {
	p := bank(t)
	if p.Program != "/home/user/bank" || p.PID != 2150 || p.Wall != 12975466 || p.Threads != 3 ||
		p.Clock != "tsc" {
		t.Errorf("header: %+v", p)
	}
	if len(p.Regions) != 14 {
		t.Fatalf("%d regions", len(p.Regions))
	}
	r := p.Regions[4]
	if r.Name != "critical" || r.SubName != "deposit" || r.File != "src/bank.c" ||
		r.Begin != [2]int{16, 16} || r.End != [2]int{20, 20} || r.Outer != 2 {
		t.Errorf("critical: %+v", r)
	}
	want := Sample{
		Thread: 2, Count: 1, Incl: 563702, Excl: 563702, Min: 563702, Max: 563702,
		Body: 561387, Wait: 2315, Hold: 561387,
	}
	if len(r.Samples) != 3 || r.Samples[2] != want {
		t.Errorf("critical's threads: %+v", r.Samples)
	}
}

const (
	header = `{"opari_profile":2,"program":"p","pid":1,"wall_ns":100,"threads":2,"lost":0,"clock":"tsc"}` + "\n"
	region = `{"region":1,"name":"for","sub_name":"","directive":"for","file":"f.c","begin":[1,1],"end":[2,2],"outer":0,"kind":"for","num_sections":0,"facts":0}` + "\n"
	path   = `{"path":1,"parent":0,"region":1}` + "\n"
	sample = `{"path":1,"thread":0,"count":1,"incl":1,"excl":1,"min":1,"max":1,"body":1,"barrier":0,"wait":0,"hold":0}` + "\n"
)

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "p:1: error: the profile is empty"},
		{"no JSON", "hello\n", "p:1: error: this is no profile of opari run: invalid character"},
		{
			"other JSON", "{}\n",
			"p:1: error: this is no profile of opari run: the first line has no opari_profile",
		},
		{
			"version", strings.Replace(header, ":2,", ":1,", 1),
			"p:1: error: profile format 1; this opari reads format 2",
		},
		{
			"too many threads", strings.Replace(header, `"threads":2`, `"threads":2666666666`, 1),
			"p:1: error: 2666666666 threads, more than 262144",
		},
		{"negative time", strings.Replace(header, "100", "-1", 1), "p:1: error: a negative number"},
		{
			"unknown field", header + strings.Replace(region, `"outer"`, `"inner"`, 1),
			`p:2: error: unknown field "inner"`,
		},
		{
			"wrong type", header + strings.Replace(region, `[1,1]`, `"x"`, 1),
			"p:2: error: cannot unmarshal string",
		},
		{"twice", header + region + region, "p:3: error: region 1 is described twice"},
		{"sample first", header + sample, "p:2: error: path 1 has a thread before it is described"},
		{
			"path first", header + path,
			"p:2: error: path 1 is of region 1, which is not described before",
		},
		{"path twice", header + region + path + path, "p:4: error: path 1 is described twice"},
		{
			"parent", header + region + strings.Replace(path, `"parent":0`, `"parent":2`, 1),
			"p:3: error: path 1 is in path 2, which is not described before",
		},
		{
			"path 0", header + region + strings.Replace(path, `"path":1`, `"path":0`, 1),
			"p:3: error: path 0: paths count from 1",
		},
		{
			"region 0", header + strings.Replace(region, `"region":1`, `"region":0`, 1),
			"p:2: error: region 0: regions count from 1",
		},
		{"no region", header + "{}\n", "p:2: error: the line has no region"},
		{"negative sample", header + region + path + strings.Replace(sample, `"count":1`,
			`"count":-1`, 1), "p:4: error: path 1, thread 0: a negative number"},
		{"cut off", header + region + sample[:40], "p:3: error: the last line is not complete"},
		{
			"two values", header + strings.TrimSuffix(region, "\n") + " 5\n",
			"p:2: error: invalid character",
		},
	} {
		p, err := Read("p", strings.NewReader(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || p != nil {
			t.Errorf("%s: got %v, want %s...", c.name, err, c.want)
		}
	}
	p, err := Read("p", strings.NewReader(header+region+path+sample+sample))
	if err != nil || len(p.Regions) != 1 || len(p.Paths) != 1 || len(p.Paths[0].Samples) != 1 ||
		p.Regions[0].Samples[0].Count != 2 {
		t.Errorf("a good profile: %v, %+v", err, p)
	}
}

// TestLost checks the definition of lost time against numbers worked out by hand from the
// recorded profile.
func TestLost(t *testing.T) {
	rows := bank(t).Rows()
	want := map[int]struct{ lost, loss int64 }{ // by line
		10: {6222650, 0},          // barrier: the imbalance shows there
		13: {0, 0},                // nowait: a thread that finishes goes on
		16: {112 + 219 + 2315, 0}, // waiting for the critical
		24: {55932 + 1133273 + 2004385, 0},
		8:  {21063, 54811}, // barrier; 3*12789025 - 38291201 - 21063 were spent elsewhere
		21: {168 + 153 + 246, 0},
		27: {0, 0}, // tasks
	}
	for _, r := range rows {
		w, ok := want[r.Begin[0]]
		if ok && (r.Lost != w.lost || r.ImbalLoss != w.loss) {
			t.Errorf("line %d: lost %d (imbalance %d), want %d (%d)", r.Begin[0], r.Lost,
				r.ImbalLoss, w.lost, w.loss)
		}
		if r.Begin[0] == 10 && (r.Imbalance < 1.4936 || r.Imbalance > 1.4937) {
			// 6103307 * 3 / 12258448
			t.Errorf("imbalance %v", r.Imbalance)
		}
		if r.Name == "single" && r.Imbalance != 0 {
			t.Errorf("single has imbalance %v", r.Imbalance)
		}
	}
	for i := 1; i < len(rows); i++ {
		if rows[i].Lost > rows[i-1].Lost {
			t.Errorf("row %d lost more than the row before it", i)
		}
	}
	var sum int64
	for _, r := range rows {
		sum += r.Lost
	}
	if got := bank(t).LostTime(); got != sum || sum == 0 {
		t.Errorf("lost in all %d, the rows say %d", got, sum)
	}
}

func TestTable(t *testing.T) {
	for _, c := range []struct {
		golden string
		layout Layout
	}{
		{"bank80.txt", Layout{Width: 80}},
		{"bank120.txt", Layout{Width: 120, Top: 3}},
		{"bank60.txt", Layout{Width: 10}},
	} {
		var b strings.Builder
		if err := bank(t).Table(&b, c.layout); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", c.golden)
		if *update {
			if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if b.String() != string(want) {
			t.Errorf("%s differs (run go test ./report -update and look at git diff):\n%s",
				c.golden, b.String())
		}
	}
}

// TestTableFits prints profiles with long names and large numbers. No line is wider than the
// terminal, and the numbers of all rows have the same width.
func TestTableFits(t *testing.T) {
	p := bank(t)
	p.Program = strings.Repeat("/very/long/path", 20)
	p.Wall = 123456789012345
	for i, r := range p.Regions {
		r.File = strings.Repeat("a/directory/", i*3) + "f.c"
		r.SubName += strings.Repeat("x", i*5)
		for k := range r.Samples {
			r.Samples[k].Body *= 1 << (3 * i)
			r.Samples[k].Barrier *= 1 << (3 * i)
			r.Samples[k].Count *= 1 << (3 * i)
		}
	}
	for width := 80; width < 200; width += 7 {
		var b strings.Builder
		if err := p.Table(&b, Layout{Width: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("width %d: a line of %d: %s", width, n, line)
			}
		}
	}
}

func TestJSON(t *testing.T) {
	var b strings.Builder
	if err := bank(t).JSON(&b); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Program    string
		Lost       int64 `json:"lost_ns"`
		Efficiency struct {
			Parallel float64
			Useful   int64 `json:"useful_ns"`
			Reserved int64 `json:"reserved_ns"`
		}
		Regions []struct {
			Name, File string
			Lost       int64 `json:"lost_ns"`
			Barrier    int64 `json:"barrier_ns"`
			Threads    []struct {
				Thread int
				Body   int64 `json:"body_ns"`
			}
		}
	}
	if err := json.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatal(err)
	}
	if got.Program != "/home/user/bank" || got.Lost != bank(t).LostTime() ||
		len(got.Regions) != 14 {
		t.Errorf("got %+v", got)
	}
	if e := got.Efficiency; e.Reserved != 3*12975466 || e.Useful != 26314358 ||
		e.Parallel != float64(e.Useful)/float64(e.Reserved) {
		t.Errorf("efficiency: %+v", e)
	}
	r := got.Regions[0]
	if r.Name != "for" || r.Lost != 6222650 || r.Barrier != 6222650 || len(r.Threads) != 3 ||
		r.Threads[1].Body != 4078914 {
		t.Errorf("first region: %+v", r)
	}
}
