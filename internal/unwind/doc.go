// Package unwind finds the callers of code that keeps no frame pointers, by the call frame
// information (CFI) in the section .eh_frame of ELF files, which compilers write for exceptions.
//
// Table reads the section. rules.go executes the instructions of CFI up to a place, and gives a
// Row: how the registers of the caller are found there. Walk follows rows from frame to frame, with
// nothing but registers and a copy of the stack. It knows amd64 alone.
package unwind
