// Package scale has the command that runs a program with several numbers of threads.
package scale
