package instrument

import (
	"reflect"
	"testing"
)

func TestSingleDash(t *testing.T) {
	got := SingleDash([]string{
		"-std=c99", "-include", "f.h", "-I", "x", "-nosrc", "--lang=c", "--",
		"-std=c11",
	})
	want := []string{
		"--std=c99", "--include", "f.h", "-I", "x", "--nosrc", "--lang=c",
		"--", "-std=c11",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestLineLength(t *testing.T) {
	for text, want := range map[string]Options{
		"132": {LineLength: 132}, "none": {Unlimited: true},
		"0": {Unlimited: true},
	} {
		var o Options
		if err := o.SetLineLength(text); err != nil || o.LineLength != want.LineLength ||
			o.Unlimited != want.Unlimited {
			t.Errorf("%s: %v, %v", text, o, err)
		}
	}
	for _, text := range []string{"", "7", "-1", "many", "99999999999999999999"} {
		var o Options
		if o.SetLineLength(text) == nil {
			t.Errorf("%q is taken for a line length", text)
		}
	}
}
