package opari2

import (
	"regexp"
	"strings"
	"testing"

	"opari/internal/instrument"
	"opari/rewrite"
)

// instrumented returns what the options make of a text, and the messages.
func instrumented(t *testing.T, options, text string) (string, string) {
	t.Helper()
	o, _ := parse(t, options)
	lang, _ := o.FindLanguage()
	d, err := instrument.NewDraft("/p/"+o.In, []byte(text), instrument.DraftOptions{
		Lang: lang, Preprocessed: o.Preprocessed, Repeat: true, Folder: "/p",
		Symbols: Symbols("oparix1"), Tag: "oparix1",
	}, &o.Options)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var messages, b strings.Builder
	instrument.PrintDiagnostics(&messages, d.Diags, false)
	if !d.Diags.HasErrors() {
		if err := d.Write(&b); err != nil {
			t.Fatal(err)
		}
	}
	return b.String(), messages.String()
}

const sample = `void f(int n, int *a)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        a[0]++;
    }
#pragma omp sections
    {
#pragma omp section
        a[0]++;
#pragma omp section
        a[1]++;
    }
#pragma pomp inst begin(all)
#pragma omp task untied if(n)
    a[0]++;
#pragma pomp inst end(all)
}
`

// TestText: options change the text as OPARI2's do.
func TestText(t *testing.T) {
	const fork, loop, critical = "= pomp_parallel_fork(", "pomp_counted_for_enter(",
		"\npomp_critical_enter("
	for _, c := range []struct {
		options    string
		has, lacks []string
		messages   int
	}{
		{"a.c", []string{
			fork, loop, critical, "void POMP2_Init_reg_oparix1_4(void) {}",
			"void POMP2_USER_Init_reg_oparix1_1(void) {}", `"/p/a.c"`,
			"#pragma omp task if(pomp_i8)",
		}, []string{"#pragma omp task untied if(pomp"}, 1},
		{"--omp-task-untied=no-warn a.c", nil, []string{"#pragma omp task untied if(pomp"}, 0},
		{"--omp-task-untied=keep a.c", []string{"#pragma omp task untied if(pomp_i8)"}, nil, 0},
		{
			"--disable=omp --omp-task-untied=keep a.c",
			[]string{
				fork, "POMP2_Init_reg_oparix1_1", "#pragma omp for \n", "pomp_parallel_begin(1",
			},
			[]string{loop, critical, "nowait", "pomp_sections", "pomp_for_", "pomp_loop_"},
			0,
		},
		{
			"--disable=omp:parallelfor --omp-task-untied=keep a.c",
			[]string{critical, fork},
			[]string{loop},
			0,
		},
		{
			"--disable=omp:for,parallel --omp-task-untied=keep a.c",
			[]string{fork, critical, loop},
			nil,
			0,
		},
		{
			"--disable=omp:all+pomp --omp-task-untied=keep a.c",
			[]string{fork, "POMP2_Init_reg_oparix1_1", "#pragma omp for \n"},
			[]string{loop, critical, "pomp_begin", "POMP2_USER"},
			0,
		},
		{"--omp-task=abort a.c", nil, []string{fork}, 2},
		{
			"--omp-task=remove a.c",
			[]string{"#if 0 \n#pragma omp task untied if(n)\n#endif"},
			[]string{"pomp_task_create"},
			0,
		},
	} {
		text, messages := instrumented(t, c.options, sample)
		text = regexp.MustCompile(` ?/\*@\*/`).ReplaceAllString(text, " ")
		for _, s := range c.has {
			if !strings.Contains(text, s) {
				t.Errorf("%s: no %q", c.options, s)
			}
		}
		for _, s := range c.lacks {
			if strings.Contains(text, s) {
				t.Errorf("%s: %q", c.options, s)
			}
		}
		if strings.Count(messages, "\n") != c.messages {
			t.Errorf("%s: %s", c.options, messages)
		}
		if t.Failed() {
			t.Fatalf("%.20000s", text[strings.Index(text, "void f("):])
		}
	}
}

// TestFolder: names in line markers become absolute, except those of no file.
func TestFolder(t *testing.T) {
	text, _ := instrumented(t, "--preprocessed a.c", "# 1 \"b.h\"\n# 1 \"<built-in>\"\n"+
		"# 7 \"src/b.c\"\nvoid f(void)\n{\n#pragma omp barrier\n}\n")
	if !strings.Contains(text, `"/p/src/b.c", 9, 9`) {
		t.Error(text)
	}
}

// TestNothingToDo: a file without a construct that is instrumented is copied.
func TestNothingToDo(t *testing.T) {
	for name, text := range map[string]string{
		"a.c":   "void f(int n)\n{\n#pragma omp simd\n    for (; n; n--)\n        ;\n}\n",
		"a.f90": "subroutine s\n!$omp simd\ndo i = 1, 9\nend do\nend subroutine\n",
	} {
		if got, _ := instrumented(t, name, text); !strings.Contains(got, text) ||
			strings.Contains(got, "POMP2") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestFortranText: the symbol is a subroutine that makes the unit register.
func TestFortranText(t *testing.T) {
	text, _ := instrumented(t, "a.f90", "subroutine s\n!$omp barrier\nend subroutine\n")
	re := regexp.MustCompile(`subroutine POMP2_Init_reg_oparix1_1\(\) !@pomp\n` +
		`call pompx[0-9a-f]{8}\(0\) !@pomp\nend subroutine`)
	if !re.MatchString(text) {
		t.Error(text)
	}
}

// TestFortranTasks: removed task directives become comments, of all lines and at both ends.
func TestFortranTasks(t *testing.T) {
	const source = "subroutine s(n)\ninteger n\n!$omp task untied &\n!$omp shared(n)\nn = 1\n" +
		"!$omp critical\nn = 2\n!$omp end critical\n!$omp end task\n!$omp taskwait\n" +
		"end subroutine\n"
	text, messages := instrumented(t, "--omp-task=remove a.f90", source)
	for _, s := range []string{
		"!@pomp$omp task untied &\n!@pomp$omp shared(n)\nn = 1\n", "!$omp end critical\n",
		"!@pomp$omp end task\n", "!$omp taskwait\n", "POMP2_Init_reg_oparix1_2()",
	} {
		if !strings.Contains(text, s) {
			t.Errorf("no %q in\n%s", s, text)
		}
	}
	if messages != "" {
		t.Error(messages)
	}
	if back, err := rewrite.Strip([]byte(text)); err != nil || string(back) != source {
		t.Errorf("strip: %v %q", err, back)
	}
}
