package analysis

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"opari/internal/omp"
)

// Region is a place in the source that a thread can be in.
type Region struct {
	Kind omp.Kind
	Word string // replaces Kind's name where it differs or does not exist; see KindName
	Name string // for people: "critical(gate)"
	File string // as the compiler got it; "" for none
	Line int
	End  int // last line of the construct; 0 if unknown or not beyond Line

	Creation bool // the creation of a task
}

// The words for regions that are not constructs, in place of a kind.
const (
	wordProgram  = "program" // the root
	WordSerial   = "serial"  // code outside of parallel regions
	WordAbsent   = "absent"  // a process that has not started or has ended
	WordCreation = "task creation"
	WordUnknown  = "unknown"
)

// KindName returns the name of the region's kind, for people and in files.
func (g *Region) KindName() string {
	if g.Word != "" || g.Kind == omp.KindNone {
		return g.Word
	}
	return g.Kind.String()
}

// SetKind sets the kind by its name in a profile or a trace. A name that is not a kind's is
// another writer's and stays as the word.
func (g *Region) SetKind(name string) {
	g.Kind, g.Word = omp.KindNamed(name), ""
	if g.Kind == omp.KindNone || g.Kind.String() != name {
		g.Word = name
	}
}

// OnlyWaits reports whether a thread in the region does nothing but wait for others or carry out
// the construct itself.
func (g *Region) OnlyWaits() bool { return g.Creation || g.Kind.OnlyWaits() }

// Place returns the region's place in the source as messages name it; "" for none.
func (g *Region) Place() string {
	if g.File == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", filepath.Base(g.File), g.Line)
}

// String returns place and name.
func (g *Region) String() string {
	if place := g.Place(); place != "" {
		return place + " " + g.Name
	}
	return g.Name
}

// SetsUpMPI reports whether the region is a routine that begins or ends MPI. Its time depends on
// the launcher and the network, not on what the program does.
func (g *Region) SetsUpMPI() bool {
	return g.Kind == omp.KindMPI && slices.Contains(setup, g.Name)
}

var setup = []string{"MPI_Init", "MPI_Init_thread", "MPI_Finalize"}

// Is reports whether a region has that name or place, or both. A file may be given with the end
// of its path.
func (g *Region) Is(name string) bool {
	if name == g.Name || name == g.String() {
		return true
	}
	place, rest, both := strings.Cut(name, " ")
	i := strings.LastIndexByte(place, ':')
	if i <= 0 || g.File == "" || both && rest != g.Name || !both && g.Word == WordSerial {
		return false // serial code has the place of the region after it
	}
	line, err := strconv.Atoi(place[i+1:])
	file := place[:i]
	return err == nil && line == g.Line && (file == g.File || strings.HasSuffix(g.File, "/"+file))
}
