// Package disk reads sources, and writes outputs that never overwrite anything of the user's.
// Temporary files are gone whatever ends the program.
package disk
