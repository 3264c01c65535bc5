package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// start runs commands that take little time, in alternating rounds: nothing at all, opari for its
// version and for a file of examples/heat, and OPARI2 for that file. It prints medians of the wall
// time, and of what is left of it above that of nothing in the same round.
func (s *setting) start(rounds int) error {
	for _, name := range []string{"relax.c", "heat.h"} {
		text, err := os.ReadFile(filepath.Join(s.root, "examples", "heat", name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(s.work, name), text, 0o644); err != nil {
			return err
		}
	}
	commands := []struct {
		argv         []string
		times, above []float64 // ms
	}{
		{argv: []string{"true"}},
		{argv: []string{s.opari, "--version"}},
		{argv: []string{s.opari, "relax.c"}},
		{argv: []string{"opari2", "--c", "relax.c", "relax.pomp.c"}},
	}
	if !found("opari2") {
		fmt.Println("opari2 is not installed")
		commands = commands[:len(commands)-1]
	}
	for range rounds * 10 {
		took := make([]float64, len(commands))
		for _, i := range rand.Perm(len(commands)) {
			begin := time.Now()
			if _, _, err := command(s.work, nil, commands[i].argv...); err != nil {
				return err
			}
			took[i] = time.Since(begin).Seconds() * 1e3
		}
		for i := range commands {
			c := &commands[i]
			c.times, c.above = append(c.times, took[i]), append(c.above, took[i]-took[0])
		}
	}
	fmt.Printf("\nStarting a process, %d rounds: ms, and ms above nothing [quartiles]\n", rounds*10)
	for i := range commands {
		c := &commands[i]
		_, median, _ := quartiles(c.times)
		q1, above, q3 := quartiles(c.above)
		c.argv[0] = filepath.Base(c.argv[0])
		fmt.Printf("%6.2f %6.2f [%5.2f,%5.2f] %v\n", median, above, q1, q3, c.argv)
	}
	return nil
}
