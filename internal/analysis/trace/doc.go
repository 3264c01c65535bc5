// Package trace holds what a trace defines: threads, functions with their roles, counters, stacks.
package trace
