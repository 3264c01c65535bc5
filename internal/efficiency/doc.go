// Package efficiency computes the POP metrics of a run and of its parallel regions: which part of
// the processor time is useful, and what the rest was lost to. Each metric is a factor from 0 to 1,
// and the factors multiply to the parallel efficiency exactly.
//
// # The published formulas
//
// For MPI and for hybrid programs they are those of the multiplicative hybrid model of the POP
// centre of excellence, https://co-design.pop-coe.eu/metrics/, pages hm/*.html and glossary.html:
//
//	parallel        = useful / (threads x runtime)      = MPI x OpenMP
//	MPI             = average outside MPI / runtime     = load balance x communication
//	load balance    = average / largest time outside MPI, of processes
//	communication   = largest time outside MPI / runtime = serialisation x transfer
//	serialisation   = largest time outside MPI / ideal runtime
//	transfer        = ideal runtime / runtime
//
// The ideal runtime is that on a network without latency and with infinite bandwidth. For the
// parts of OpenMP they are those of TALP (https://github.com/bsc-pm/dlb, TALP metrics), with the
// time outside MPI as the whole:
//
//	OpenMP          = serialisation x load balance x scheduling x undisturbed
//	serialisation   = what is not lost to serial code and exclusion
//	load balance    = of that, what is not lost to imbalance
//	scheduling      = of that, what is not lost to the runtime
//	undisturbed     = of that, what is the program's own code
//
// The last factor is opari's: what measuring took, and what the kernel gave to others. It is 1
// where neither is known.
//
// # From properties to classes
//
// Package analysis gives every nanosecond of every thread to one property. sums.go puts each
// property into one class. So the sums of classes are whole numbers of ns, and the factors are
// fractions of them. Useful is property Work alone, the program's own code. A job's start and end
// are in no class, as if the job had begun later and ended earlier.
//
// While the initial thread of a process is in MPI outside of parallel regions, its other threads
// are in MPI, too. So the time outside MPI of a process is that of its initial thread, as
// published. MPI inside of parallel regions counts for the thread that calls it. The time outside
// MPI of a process is taken relative to its own runtime, because ranks start and end at different
// times. Processes count by their number of threads.
//
// # Comparing runs with different numbers of threads
//
// Call Of for each run and take Run or, of the same Region, one of Regions:
//
//	computation scalability = Useful of the run with fewest threads / Useful
//	global efficiency       = Parallel x computation scalability
//
// Reserved of the run with fewest threads over Reserved is the efficiency by wall times, if that
// run has an efficiency of 1. Parts lists all factors with names, for tables.
package efficiency
