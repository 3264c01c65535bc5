// Command bench measures what opari costs, beside its predecessors, in one run on one machine:
//
//	go run ./bench overhead   per OpenMP construct, off and measured
//	go run ./bench speed      instrumenting generated files of many regions
//	go run ./bench start      what a process of opari takes for a small file, beside OPARI2
//	go run ./bench compile    what `opari cc` adds to a compilation
//	go run ./bench contention what the profile costs where threads compete for a lock
//	go run ./bench ompt       what a tool with empty callbacks adds, beside LLVM's runtime
//	go run ./bench instructions  the same in instructions, in C and in Fortran
//	go run ./bench functions  a program of small functions as regions, and switched off by rate
//	go run ./bench target     a target region, with and without a tool that traces it
//	go run ./bench mpi        what a call of MPI costs, off and traced
//	go run ./bench otf        traces, written and read, beside libotf
//	go run ./bench otf2       archives, written and read, beside libotf2
//	go run ./bench record     what an event costs that is recorded in a trace
//	go run ./bench analysis   finding out what is in a trace (-events: of how many)
//	go run ./bench world      one trace of many MPI ranks, made and analysed (-events, -ranks)
//	go run ./bench export     writing a trace in the formats of other tools (-events: of how many)
//	go run ./bench whatif     what changes are predicted to save, and what they save once made
//	go run ./bench race       what tools for data races find in kernels (-rounds: runs of each)
//	go run ./bench page       the HTML report of a million intervals in Chromium: loading, frames
//	go run ./bench            the first four
//
// OPARI names the opari binary (default: bin/opari). Nothing is compared with numbers of another
// day.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// setting holds what all measurements share.
type setting struct {
	opari string // binary
	root  string // of the repository
	work  string // an empty folder

	ownLocks bool // each thread has its own locks
	// variables for the programs of bench/overhead: the distance from one lock to the next, see
	// overhead.h
	distance []string
}

func main() {
	rounds := flag.Int("rounds", 11, "alternating rounds of the overhead measurement")
	threads := flag.Int("threads", 2, "threads of the overhead measurement")
	largest := flag.Int("regions", 1_000_000, "regions of the largest generated file")
	events := flag.Uint64("events", 10_000_000, "events of the traces")
	ranks := flag.Int("ranks", 10_000, "ranks of the MPI program")
	intervals := flag.Int("intervals", 1_000_000, "intervals of the HTML report")
	delay := flag.Int("delay", 0, "cycles, of the measurement of tools: half of them a lock is "+
		"held, half of them lie between locks")
	apart := flag.Int("apart", 0, "cycles from one lock to the next, besides")
	own := flag.Bool("own", false, "each thread has locks of its own, in the measurement of tools")
	only := flag.String("only", "",
		"constructs, with commas between them, of the measurement of tools, or programs of "+
			"whatif or race; empty: all")
	flag.BoolVar(&realtime, "realtime", false,
		"run the programs of whatif before all else, for a busy machine; needs chrt and root")
	flag.Parse()
	if *only != "" {
		measuredPrograms = strings.Split(*only, ",")
		measuredConstructs = slices.DeleteFunc(measuredConstructs,
			func(c construct) bool { return !slices.Contains(strings.Split(*only, ","), c.name) })
	}
	var distance []string
	if *delay+*apart > 0 {
		distance = []string{
			"OVERHEAD_DELAY=" + strconv.Itoa(*delay),
			"OVERHEAD_APART=" + strconv.Itoa(*apart),
		}
	}
	what := flag.Args()
	if len(what) > 0 && what[0] == "otf-work" { // the process to measure
		if err := otfWork(what[1:]); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if len(what) > 0 && what[0] == "otf2-work" {
		if err := otf2Work(what[1:]); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if len(what) == 0 {
		what = []string{"overhead", "contention", "speed", "compile"}
	}
	if err := run(what, distance, *own, *rounds, *threads, *largest, *intervals, *ranks,
		*events); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(what, distance []string, own bool, rounds, threads, largest, intervals, ranks int,
	events uint64,
) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	s := setting{root: root, opari: os.Getenv("OPARI"), distance: distance, ownLocks: own}
	if s.opari == "" {
		s.opari = filepath.Join(root, "bin", "opari")
	}
	if _, err := os.Stat(s.opari); err != nil && !slices.Equal(what, []string{"otf"}) &&
		!slices.Equal(what, []string{"otf2"}) {
		return fmt.Errorf("%w (run make first)", err)
	}
	if s.work, err = os.MkdirTemp("", "opari-bench"); err != nil {
		return err
	}
	defer os.RemoveAll(s.work)
	fmt.Printf("%d processors, %s\n", runtime.NumCPU(), runtime.GOARCH)
	for _, w := range what {
		switch w {
		case "overhead":
			err = s.overhead(rounds, threads)
		case "functions":
			err = s.functions(rounds, threads)
		case "mpi":
			err = s.mpi(rounds)
		case "target":
			err = s.target(rounds)
		case "contention":
			err = s.contention(rounds, threads)
		case "speed":
			err = s.speed(largest)
		case "start":
			err = s.start(rounds)
		case "compile":
			err = s.compile()
		case "ompt":
			err = s.ompt(rounds, threads)
		case "instructions":
			err = s.instructions()
		case "otf":
			err = s.traces(rounds, events)
		case "otf2":
			err = s.archives(rounds, events)
		case "record":
			err = s.record(rounds, threads)
		case "analysis":
			err = s.analysis(rounds, events)
		case "world":
			err = s.ranks(ranks, events)
		case "export":
			err = s.export(rounds, events)
		case "whatif":
			err = s.whatIf(rounds)
		case "race":
			err = s.races(rounds)
		case "page":
			err = s.page(rounds, intervals)
		default:
			err = fmt.Errorf("what is %s? (overhead, contention, speed, start, compile, ompt, "+
				"instructions, functions, target, mpi, otf, otf2, record, analysis, world, "+
				"export, whatif, race or page)", w)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
