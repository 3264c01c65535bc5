// Package offcpu sums up when threads were off the CPU, and what that did to a team that meets.
package offcpu
