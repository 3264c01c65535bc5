// Command gen writes the generated C text of the MPI layer: src/routines.h, src/calls.c and
// src/fortran_calls.h.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"regexp"
	"strings"

	"opari/internal/mpi"
)

func main() {
	all := mpi.All()
	for name, text := range map[string][]byte{
		"src/routines.h": routines(all), "src/calls.c": calls(all),
		"src/fortran_calls.h": fortranCalls(all),
	} {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

const notice = "/* Generated from the table of routines (internal/mpi/table.go); do not edit, " +
	"run go generate ./internal/mpi. */\n"

func routines(all []mpi.Routine) []byte {
	var b bytes.Buffer
	b.WriteString(notice)
	for _, r := range all {
		fmt.Fprintf(&b, "LAYER_X(%s)\n", r.Name)
	}
	return b.Bytes()
}

// language says how an argument's value is written.
type language struct {
	fortran bool
}

// handles maps the types that Fortran passes as INTEGER to the functions that convert them to
// C's.
var handles = map[string]string{
	"MPI_Comm": "PMPI_Comm_f2c", "MPI_Datatype": "PMPI_Type_f2c", "MPI_Request": "PMPI_Request_f2c",
	"MPI_Win":     "PMPI_Win_f2c",
	"MPI_Message": "PMPI_Message_f2c",
}

var placeholder = regexp.MustCompile(`\{(\*?)([a-z_]+)(\[[a-z]+\])?\}`)

// expand replaces the placeholders in text with the values of arguments.
func (l language) expand(text string, r *mpi.Routine) string {
	return placeholder.ReplaceAllStringFunc(text, func(s string) string {
		m := placeholder.FindStringSubmatch(s)
		star, name, element := m[1], m[2], m[3]
		if name == "fortran" {
			return map[bool]string{true: "1", false: "0"}[l.fortran]
		}
		if name == "status" && l.fortran {
			return "layer_status(status, &converted)"
		}
		for _, a := range r.List() {
			switch {
			case a.Name != name:
			case !l.fortran:
				return star + name + element
			case handles[a.Type] != "" && (!a.Pointer || star != "" || element != ""):
				if element != "" {
					return handles[a.Type] + "(" + name + element + ")"
				}
				return handles[a.Type] + "(*" + name + ")"
			case !a.Pointer || star != "":
				return "*" + name
			default:
				return name + element
			}
		}
		log.Fatalf("MPI_%s: no argument %s", r.Name, name)
		return ""
	})
}

// indent writes statements, indented by n levels.
func indent(b *bytes.Buffer, n int, text string) {
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if line != "" {
			fmt.Fprintf(b, "%s%s\n", strings.Repeat("    ", n), line)
		}
	}
}

// before returns the statements before the call.
func (l language) before(r *mpi.Routine) string {
	text := r.Before
	if r.Pattern != "" {
		root := "-1"
		for _, a := range r.List() {
			if a.Name == "root" {
				root = "{root}"
			}
		}
		text = fmt.Sprintf("layer_collective({comm}, LAYER_%s, %s, %s,\n                 %s,\n   "+
			"              %s);", r.Name, r.Pattern, root, r.Sent, r.Received)
	}
	return l.expand(text, r)
}

func calls(all []mpi.Routine) []byte {
	var b bytes.Buffer
	b.WriteString(notice + "\n#include \"layer.h\"\n")
	for i := range all {
		r := &all[i]
		if r.ByHand {
			continue
		}
		var l language
		names := r.Names()
		fmt.Fprintf(&b, "\nLAYER_API int MPI_%s(%s)\n{\n", r.Name, r.Arguments)
		if r.Status {
			b.WriteString("    MPI_Status own;\n")
		}
		before := l.before(r)
		if r.Always {
			b.WriteString("    const int measured = layer_on();\n" +
				"    if (!measured && !layer_keeps())\n")
		} else {
			b.WriteString("    if (!layer_on())\n")
		}
		fmt.Fprintf(&b, "        return PMPI_%s(%s);\n", r.Name, names)
		if r.Always {
			fmt.Fprintf(&b, "    struct ompregdescr *d = measured ? layer_enter(LAYER_%s, "+
				"LAYER_CALLER) : NULL;\n", r.Name)
		} else {
			fmt.Fprintf(&b,
				"    struct ompregdescr *d = layer_enter(LAYER_%s, LAYER_CALLER);\n", r.Name)
		}
		if r.Status {
			b.WriteString("    if (status == MPI_STATUS_IGNORE)\n        status = &own;\n")
		}
		indent(&b, 1, before)
		fmt.Fprintf(&b, "    const int error = PMPI_%s(%s);\n", r.Name, names)
		if r.After != "" {
			b.WriteString("    if (error == MPI_SUCCESS) {\n")
			indent(&b, 2, l.expand(r.After, r))
			b.WriteString("    }\n")
		}
		if r.Always {
			b.WriteString("    if (measured)\n        layer_leave(d);\n")
		} else {
			b.WriteString("    layer_leave(d);\n")
		}
		b.WriteString("    return error;\n}\n")
	}
	return b.Bytes()
}

func fortranCalls(all []mpi.Routine) []byte {
	var b bytes.Buffer
	b.WriteString(notice)
	for i := range all {
		r := &all[i]
		if r.ByHand {
			continue
		}
		l := language{fortran: true}
		declared, names := r.Fortran()
		lower := strings.ToLower(r.Name)
		if r.Descriptors() {
			b.WriteString("\n#ifndef LAYER_DESCRIPTORS")
		}
		fmt.Fprintf(&b, "\nvoid LAYER_PROFILED(%s)(%s) LAYER_DECLARED;\nLAYER_FORTRAN(%s)(%s)\n{\n",
			lower, declared, lower, declared)
		b.WriteString("    MPI_Fint missing;\n")
		if r.Status {
			b.WriteString("    MPI_Fint own[LAYER_STATUS_SIZE];\n    MPI_Status converted;\n")
		}
		b.WriteString("    if (ierror == NULL)\n        ierror = &missing;\n")
		active := "layer_on()"
		if r.Always {
			b.WriteString("    const int measured = layer_on();\n")
			active = "measured || layer_keeps()"
		}
		fmt.Fprintf(&b, "    if (!(%s)) {\n        LAYER_PROFILED(%s)(%s);\n        return;\n    "+
			"}\n", active, lower, names)
		enter := fmt.Sprintf("layer_enter(LAYER_%s, LAYER_CALLER)", r.Name)
		if r.Always {
			enter = "measured ? " + enter + " : NULL"
		}
		fmt.Fprintf(&b, "    struct ompregdescr *d = %s;\n", enter)
		if r.Status {
			b.WriteString("    if (layer_ignored(status))\n        status = own;\n")
		}
		indent(&b, 1, l.before(r))
		fmt.Fprintf(&b, "    LAYER_PROFILED(%s)(%s);\n", lower, names)
		if r.After != "" {
			b.WriteString("    if (*ierror == MPI_SUCCESS) {\n")
			indent(&b, 2, l.expand(r.After, r))
			b.WriteString("    }\n")
		}
		if r.Always {
			b.WriteString("    if (measured)\n        layer_leave(d);\n}\n")
		} else {
			b.WriteString("    layer_leave(d);\n}\n")
		}
		if r.Descriptors() {
			b.WriteString("#endif\n")
		}
	}
	return b.Bytes()
}
