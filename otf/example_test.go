package otf_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"opari/otf"
)

// files limits the number of files that the examples have open at a time.
var files = otf.NewFileManager(10)

// folder makes a folder for an example's traces.
func folder() string {
	dir, err := os.MkdirTemp("", "otf-example")
	if err != nil {
		log.Fatal(err)
	}
	return dir
}

// writeTrace writes two processes: each runs main, which calls work twice, and the first one
// sends a message to the second.
func writeTrace(name string) error {
	w := otf.NewWriter(name, 2, files) // two streams: each process gets a file of its own
	var err error
	try := func(e error) {
		if err == nil {
			err = e
		}
	}
	// Definitions in stream 0 are those of all streams.
	try(w.WriteDefTimerResolution(0, 1_000_000)) // times are microseconds
	try(w.WriteDefFunction(0, 1, "main", 0, 0))
	try(w.WriteDefFunction(0, 2, "work", 0, 0))
	for process := uint32(1); process <= 2; process++ {
		try(w.WriteDefProcess(0, process, fmt.Sprintf("rank %d", process-1), 0))
		try(w.WriteBeginProcess(0, process))
		try(w.WriteEnter(10, 1, process, 0))
		for begin := uint64(100); begin < 300; begin += 100 {
			try(w.WriteEnter(begin, 2, process, 0))
			try(w.WriteLeave(begin+50*uint64(process)-20, 2, process, 0))
		}
		if process == 1 {
			try(w.WriteSendMsg(310, 1, 2, 0, 7, 64, 0))
		} else {
			try(w.WriteRecvMsg(350, 2, 1, 0, 7, 64, 0))
		}
		try(w.WriteLeave(400, 1, process, 0))
		try(w.WriteEndProcess(400, process))
	}
	try(w.Close())
	return err
}

// Write a trace: definitions first, then the events of each process in the order of their times.
func Example_write() {
	dir := folder()
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "run")
	w := otf.NewWriter(name, 1, files)
	if err := w.WriteDefProcess(0, 1, "rank 0", 0); err != nil {
		log.Fatal(err)
	}
	if err := w.WriteDefFunction(0, 1, "main", 0, 0); err != nil {
		log.Fatal(err)
	}
	if err := w.WriteEnter(10, 1, 1, 0); err != nil {
		log.Fatal(err)
	}
	if err := w.WriteLeave(400, 1, 1, 0); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil { // it writes the rest, and the master file
		log.Fatal(err)
	}

	paths, err := otf.Files(name)
	if err != nil {
		log.Fatal(err)
	}
	for _, path := range paths {
		fmt.Println(filepath.Base(path))
	}
	// Output:
	// run.otf
	// run.0.def
	// run.1.events
}

// Read a trace: the functions of a HandlerArray get the records. Definitions come first, because
// events name functions and processes by numbers only.
func Example_read() {
	dir := folder()
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "run")
	if err := writeTrace(name); err != nil {
		log.Fatal(err)
	}

	r, err := otf.OpenReader(name, files)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	functions := map[uint32]string{}
	if _, err := r.ReadDefinitions(&otf.HandlerArray{
		DefFunction: func(_, function uint32, name string, _, _ uint32) error {
			functions[function] = name
			return nil
		},
	}); err != nil {
		log.Fatal(err)
	}
	count := map[string]int{}
	events, err := r.ReadEvents(&otf.HandlerArray{
		Enter: func(_ uint64, function, _, _ uint32) error {
			count[functions[function]]++
			return nil
		},
		SendMsg: func(time uint64, sender, receiver, _, tag, length, _ uint32) error {
			fmt.Printf("%d: process %d sends %d bytes to %d, tag %d\n",
				time, sender, length, receiver, tag)
			return nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(events, "events;", count)
	// Output:
	// 310: process 1 sends 64 bytes to 2, tag 7
	// 18 events; map[main:2 work:4]
}

// Select records by process and time: the reader finds the begin of the interval in the files
// without reading what lies before it.
func ExampleReader_SetTimeInterval() {
	dir := folder()
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "run")
	if err := writeTrace(name); err != nil {
		log.Fatal(err)
	}

	r, err := otf.OpenReader(name, files)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	r.SetTimeInterval(150, 300) // 150 <= time < 300
	r.DisableProcess(1)
	if _, err := r.ReadEvents(&otf.HandlerArray{
		Any: func(record *otf.Record) error {
			fmt.Printf("%s\n", record.AppendText(nil))
			return nil
		},
	}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// Leave 180 func=2 proc=2 scl=0
	// Enter 200 func=2 proc=2 scl=0
	// Leave 280 func=2 proc=2 scl=0
}

// Merge copies a trace into another number of files and keeps all records.
func ExampleMerge() {
	dir := folder()
	defer os.RemoveAll(dir)
	name, merged := filepath.Join(dir, "run"), filepath.Join(dir, "merged")
	if err := writeTrace(name); err != nil {
		log.Fatal(err)
	}
	if err := otf.Merge(name, merged, files, otf.MergeOptions{Streams: 1}); err != nil {
		log.Fatal(err)
	}
	paths, err := otf.Files(merged)
	if err != nil {
		log.Fatal(err)
	}
	for _, path := range paths {
		fmt.Println(filepath.Base(path))
	}

	r, err := otf.OpenReader(merged, files)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	for _, entry := range r.MasterControl().Entries() {
		fmt.Println("stream", entry.Stream, "has the processes", entry.Processes)
	}
	first, last, _, err := r.TimeRange(otf.Events)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("events from", first, "to", last)
	// Output:
	// merged.otf
	// merged.0.def
	// merged.1.events
	// stream 1 has the processes [1 2]
	// events from 0 to 400
}

// Check reads all files of a trace and reports what breaks the rules of the format.
func ExampleCheck() {
	dir := folder()
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "run")
	w := otf.NewWriter(name, 1, files)
	if err := w.WriteDefProcess(0, 1, "rank 0", 0); err != nil {
		log.Fatal(err)
	}
	if err := w.WriteEnter(10, 1, 1, 0); err != nil { // function 1 is not defined
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	report := func(p otf.Problem) {
		fmt.Printf("%s:%d: %s\n", filepath.Base(p.Path), p.Line, p.What)
	}
	if err := otf.Check(name, files, report, nil); err != nil {
		log.Fatal(err)
	}
	// Output:
	// run.1.events:3: no definition of DefFunction 1
	// run.1.events:3: process 1 has not left 1 functions at the end
}
