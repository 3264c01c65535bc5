// Package arguments checks the arguments of commands, and has the flags that several commands
// share.
package arguments
