// Package traces has the commands of opari trace, and opens traces for other commands.
package traces
