// Package symbols names code: the functions and source lines at an address of an ELF file,
// with the calls that the compiler has inlined there.
//
// It reads DWARF from the file itself or from a separate file, which it finds by the build-id or
// by .gnu_debuglink (module.go). Without DWARF, the symbol table names the function. units.go
// reads the lines and the functions of a compilation unit when an address in it is first looked
// up. Code of opari's measurement library, and text that opari added to the source, is one
// function, Library.
package symbols
