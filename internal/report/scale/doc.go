// Package scale prints a study of runs with several numbers of threads.
package scale
