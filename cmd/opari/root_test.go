package main

import (
	"slices"
	"strings"
	"testing"

	"opari/internal/instrument"
)

// TestNeeded checks that each command line finds the same command whether all commands were made
// or only those that it needs.
func TestNeeded(t *testing.T) {
	for _, c := range commands {
		if name := c.make().Name(); name != c.name {
			t.Errorf("%s makes %s", c.name, name)
		}
	}
	lines := []string{
		"", "f.c", "f.c out.c", "-o run f.c", "f.c run", "run f.c", "-m run report", "--help",
		"help", "help run", "help trace print", "completion bash", "run --help", "-fh", "trace",
		"trace print t", "--force strip f.c", "nothing", "__complete r", "__completeNoDesc r",
		"-h", "--fortran trace f.f90", "run ./run",
	}
	for _, c := range commands {
		lines = append(lines, c.name, c.name+" x", "-m "+c.name)
	}
	for _, line := range lines {
		args := instrument.SingleDash(strings.Fields(line))
		with := needed(args)
		cmd, rest, err := newRoot(with).Find(args)
		want, wantRest, wantErr := newRoot(commands).Find(args)
		if cmd.CommandPath() != want.CommandPath() || !slices.Equal(rest, wantRest) ||
			(err == nil) != (wantErr == nil) {
			t.Errorf("%q: %q with %q, %v; not %q with %q, %v", line, cmd.CommandPath(), rest, err,
				want.CommandPath(), wantRest, wantErr)
		}
		if strings.HasSuffix(line, ".c") && !strings.Contains(line, " ") && len(with) > 0 {
			t.Errorf("%q makes %d commands", line, len(with))
		}
	}
}
