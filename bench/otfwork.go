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
	case len(args) == 5 && writers[args[0]] != nil:
		return otfWrite(writers[args[0]], args[1], uint32(numbers[2]), numbers[3], int(numbers[4]))
	case len(args) == 2 && args[0] == "read":
		return otfRead(args[1], 0, otf.MaxTime)
	case len(args) == 3 && args[0] == "streams":
		return otfReadStreams(args[1], int(numbers[2]))
	case len(args) == 4 && args[0] == "part":
		return otfRead(args[1], numbers[2], numbers[3])
	case len(args) == 4 && args[0] == "pack":
		return otf.Recompress(args[1]+".1.events", args[2], int(numbers[3]),
			otf.NewFileManager(4), nil)
	}
	return fmt.Errorf("otf-work: what is %v?", args)
}

// writers write the i-th pair of events of some kind at a time, the second one 300 ticks later.
var writers = map[string]func(w *otf.Writer, i, time uint64, process, function uint32) error{
	"write": func(w *otf.Writer, _, time uint64, p, f uint32) error {
		if err := w.WriteEnter(time, f, p, 0); err != nil {
			return err
		}
		return w.WriteLeave(time+300, f, p, 0)
	},
	"counters": func(w *otf.Writer, i, time uint64, p, f uint32) error {
		if err := w.WriteCounter(time, p, f, i*1000); err != nil {
			return err
		}
		return w.WriteCounter(time+300, p, f+100, i*777)
	},
	"messages": func(w *otf.Writer, _, time uint64, p, f uint32) error {
		if err := w.WriteSendMsg(time, p, p+1, 1, f, 8*f, 0); err != nil {
			return err
		}
		return w.WriteRecvMsg(time+300, p, p+1, 1, f, 8*f, 0)
	},
}

func otfWrite(pair func(w *otf.Writer, i, time uint64, process, function uint32) error,
	stub string, streams uint32, events uint64, level int,
) error {
	w := otf.NewWriter(stub, 0, otf.NewFileManager(100))
	w.SetCompression(level)
	if err := w.WriteDefTimerResolution(0, 1_000_000_000); err != nil {
		return err
	}
	time := uint64(1_000_000_000)
	for i := range events / 2 {
		time += 700 + i%7
		if err := pair(w, i, time, uint32(i%uint64(streams))+1, uint32(i%100)+1); err != nil {
			return err
		}
		time += 300
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
	message := func(time uint64, process, peer, group, tag, length, _ uint32) error {
		count++
		sum += time ^ uint64(process) ^ uint64(peer) ^ uint64(group) ^ uint64(tag) ^ uint64(length)
		return nil
	}
	_, err = r.ReadEvents(&otf.HandlerArray{
		Enter: event, Leave: event, SendMsg: message, RecvMsg: message,
		Counter: func(time uint64, process, counter uint32, value uint64) error {
			count++
			sum += time ^ uint64(process) ^ uint64(counter) ^ value
			return nil
		},
	})
	fmt.Printf("%d %x\n", count, sum)
	return err
}

// otfReadStreams reads the streams of a trace by themselves, some at a time.
func otfReadStreams(stub string, workers int) error {
	r, err := otf.OpenReader(stub, otf.NewFileManager(100))
	if err != nil {
		return err
	}
	defer r.Close()
	n, err := r.ReadStreams(workers, func(uint32) (*otf.HandlerArray, func() error) {
		var sum uint64
		event := func(time uint64, function, process, _ uint32) error {
			sum += time ^ uint64(function) ^ uint64(process)
			return nil
		}
		return &otf.HandlerArray{Enter: event, Leave: event}, nil
	})
	fmt.Println(n)
	return err
}
