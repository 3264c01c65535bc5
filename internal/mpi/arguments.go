package mpi

import (
	"slices"
	"strings"

	"opari/internal/pattern"
)

// All returns all routines, including the nonblocking variants of collective operations.
func All() []Routine {
	var all []Routine
	for _, r := range Routines {
		all = append(all, r)
		if r.Pattern == "" {
			continue
		}
		r.Name = "I" + strings.ToLower(r.Name[:1]) + r.Name[1:]
		r.Arguments += ", MPI_Request *request"
		all = append(all, r)
	}
	return all
}

// Argument is an argument of a routine.
type Argument struct {
	Name, Type string // the type without const and *
	Pointer    bool   // a pointer or an array
}

var argument = pattern.Lazy{Text: `^(?:const )?(\w+) (\**)(\w+)((?:\[\])?)$`}

// List returns the arguments of a routine.
func (r *Routine) List() []Argument {
	var list []Argument
	for text := range strings.SplitSeq(r.Arguments, ", ") {
		m := argument.Get().FindStringSubmatch(text)
		if m == nil {
			panic("MPI_" + r.Name + ": " + text)
		}
		list = append(list, Argument{Name: m[3], Type: m[1], Pointer: m[2] != "" || m[4] != ""})
	}
	return list
}

// Names returns the arguments as a call passes them on.
func (r *Routine) Names() string {
	var names []string
	for _, a := range r.List() {
		names = append(names, a.Name)
	}
	return strings.Join(names, ", ")
}

// Descriptors reports whether an implementation passes a descriptor to the routine, if it has
// descriptors for arguments of any type, TYPE(*), DIMENSION(..).
func (r *Routine) Descriptors() bool {
	switch r.Name {
	case "Buffer_detach", "Win_allocate", "Win_allocate_shared": // their argument is TYPE(C_PTR)
		return false
	}
	return slices.ContainsFunc(r.List(), func(a Argument) bool { return a.Type == "void" })
}

// Fortran returns the arguments of Fortran's routine as C declares them, and their names. Every
// argument is an address. The error code comes last, followed by the length of each CHARACTER.
func (r *Routine) Fortran() (declared, names string) {
	var d, n, lengths []string
	for _, a := range r.List() {
		n = append(n, a.Name)
		switch {
		case a.Type == "char":
			d = append(d, "char *"+a.Name)
			lengths = append(lengths, a.Name+"_length")
		case a.Type == "void":
			d = append(d, "void *"+a.Name)
		case a.Type == "MPI_Aint":
			d = append(d, "MPI_Aint *"+a.Name)
		default:
			d = append(d, "MPI_Fint *"+a.Name)
		}
	}
	d, n = append(d, "MPI_Fint *ierror"), append(n, "ierror")
	for _, l := range lengths {
		d, n = append(d, "size_t "+l), append(n, l)
	}
	return strings.Join(d, ", "), strings.Join(n, ", ")
}
