package main

import (
	"fmt"
	"strconv"

	"opari/otf"
)

// otfWork does with our package, in one measured process, what bench/otf/libotf.c does with the C
// library.
func otfWork(args []string) error {
	numbers := make([]uint64, len(args))
	for i := range args {
		numbers[i], _ = strconv.ParseUint(args[i], 10, 64)
	}
	switch {
	case len(args) == 5 && args[0] == "write":
		return otfWrite(args[1], uint32(numbers[2]), numbers[3], int(numbers[4]))
	case len(args) == 2 && args[0] == "read":
		return otfRead(args[1], 0, otf.MaxTime)
	case len(args) == 4 && args[0] == "part":
		return otfRead(args[1], numbers[2], numbers[3])
	case len(args) == 4 && args[0] == "pack":
		return otf.Recompress(args[1]+".1.events", args[2], int(numbers[3]),
			otf.NewFileManager(4), nil)
	}
	return fmt.Errorf("otf-work: what is %v?", args)
}

func otfWrite(stub string, streams uint32, events uint64, level int) error {
	w := otf.NewWriter(stub, 0, otf.NewFileManager(100))
	w.SetCompression(level)
	if err := w.WriteDefTimerResolution(0, 1_000_000_000); err != nil {
		return err
	}
	time := uint64(1_000_000_000)
	for i := range events / 2 {
		p, f := uint32(i%uint64(streams))+1, uint32(i%100)+1
		time += 700 + i%7
		if err := w.WriteEnter(time, f, p, 0); err != nil {
			return err
		}
		time += 300
		if err := w.WriteLeave(time, f, p, 0); err != nil {
			return err
		}
	}
	return w.Close()
}

func otfRead(stub string, from, to uint64) error {
	r, err := otf.OpenReader(stub, otf.NewFileManager(100))
	if err != nil {
		return err
	}
	defer r.Close()
	if from > 0 {
		r.SetTimeInterval(from, to)
	}
	var count, sum uint64
	event := func(time uint64, function, process, _ uint32) error {
		count++
		sum += time ^ uint64(function) ^ uint64(process)
		return nil
	}
	_, err = r.ReadEvents(&otf.HandlerArray{Enter: event, Leave: event})
	fmt.Printf("%d %x\n", count, sum)
	return err
}
