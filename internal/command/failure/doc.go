// Package failure has the errors by which a command ends: mistakes in the command line, exit
// codes, and messages about files.
package failure
