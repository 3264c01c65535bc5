// Package running has the commands that run programs, run and tool-log, and makes traces of what
// they recorded.
package running
