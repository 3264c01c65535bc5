// Package sampling asks the kernel about a running program: when its threads were off the
// processor, which code they executed, and what counters counted.
package sampling
