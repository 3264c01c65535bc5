package corpus

import (
	"slices"
	"testing"
)

func TestDejaGnu(t *testing.T) {
	for _, c := range []struct {
		text string
		want dejaGnu
	}{
		{"int main;", dejaGnu{kind: "run"}},
		{"/* { dg-do run } */", dejaGnu{kind: "run"}},
		{
			"/* { dg-do compile } */\n/* { dg-options \"-O1 -fopenmp\" } */",
			dejaGnu{kind: "compile", options: []string{"-O1", "-fopenmp"}},
		},
		{"// { dg-do run { target x86_64-*-* } }", dejaGnu{kind: "run"}},
		{"// { dg-do run { target powerpc*-*-* } }", dejaGnu{kind: "run", skip: "dg-do target"}},
		{"/* { dg-do run { target { ! { offload_device } } } } */", dejaGnu{kind: "run"}},
		{
			"/* { dg-do run { target { lp64 && { ! tls } } } } */",
			dejaGnu{kind: "run", skip: "dg-do target"},
		},
		{
			"/* { dg-additional-options \"-msse2\" { target sse2 } } */",
			dejaGnu{kind: "run", additional: []string{"-msse2"}},
		},
		{"/* { dg-additional-options \"-mfoo\" { target nowhere } } */", dejaGnu{kind: "run"}},
		{
			"/* { dg-require-effective-target offload_device } */",
			dejaGnu{kind: "run", skip: "needs offload_device"},
		},
		{
			"/* { dg-set-target-env-var OMP_CANCELLATION \"true\" } */",
			dejaGnu{kind: "run", env: []string{"OMP_CANCELLATION=true"}},
		},
		{
			"/* { dg-additional-sources \"a.c b.c\" } */",
			dejaGnu{kind: "run", sources: []string{"a.c", "b.c"}},
		},
		{"/* { dg-shouldfail \"libgomp\" } */", dejaGnu{kind: "run", skip: "dg-shouldfail"}},
		{"// { dg-do run { target c++14 } }", dejaGnu{kind: "run", skip: "dg-do target"}},
	} {
		got := parseDejaGnu(c.text, targetsC)
		if got.kind != c.want.kind || got.skip != c.want.skip ||
			!slices.Equal(got.options, c.want.options) ||
			!slices.Equal(got.additional, c.want.additional) ||
			!slices.Equal(got.env, c.want.env) || !slices.Equal(got.sources, c.want.sources) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", c.text, got, c.want)
		}
	}
}
