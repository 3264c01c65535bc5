// Package demo has the command that shows on a small program what opari does.
package demo
