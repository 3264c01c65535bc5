// Package race has the command that builds and runs a program to find its data races.
package race
