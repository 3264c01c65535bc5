// Package scaling says what more threads, or more ranks of MPI, bring.
//
// A study has runs of one program with several numbers of processors p: threads, or ranks times
// threads. The processor time T of a run is wall time times p, and analysis shares it out among
// regions and properties. So T/p of all regions add up to the wall time, and what T has more
// than with the smallest number is why the efficiency is below 1.
//
//	speedup    = wall time with the smallest number / wall time with p
//	efficiency = T with the smallest number / T with p = speedup times smallest number / p
//
// model.go fits a function to T, study.go compares runs, growth.go finds what grows.
package scaling
