package mpi

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"opari/pomp"
)

//go:embed src/*.c src/*.h
var sources embed.FS

const archive = "libopari_mpi.a"

// units are the translation units, each an object of the archive: C's routines, those of mpif.h
// and module mpi, and those of module mpi_f08.
var units = []string{"mpi_layer.c", "fortran.c", "fortran08.c"}

// Build returns the archive of the layer for one MPI; mpicc is its command with options. It
// caches the archive as pomp.Build does.
func Build(mpicc []string, dir string) (string, error) {
	files, err := pomp.Headers()
	if err != nil {
		return "", err
	}
	list, err := fs.ReadDir(sources, "src")
	if err != nil {
		return "", err
	}
	for _, e := range list {
		if files[e.Name()], err = sources.ReadFile("src/" + e.Name()); err != nil {
			return "", err
		}
	}
	dir, err = pomp.BuildLayer(mpicc, dir, archive, files, units)
	return filepath.Join(dir, "lib", archive), err
}

// Install copies the layer for the MPI of mpicc to prefix, beside the measurement library:
// lib/libopari_mpi.a and lib/pkgconfig/opari_mpi.pc.
func Install(mpicc []string, prefix, version string) error {
	built, err := Build(mpicc, "")
	if err != nil {
		return err
	}
	text, err := os.ReadFile(built)
	if err != nil {
		return err
	}
	if prefix, err = filepath.Abs(prefix); err != nil {
		return err
	}
	if err := pomp.InstallFile(filepath.Join(prefix, "lib", archive), text); err != nil {
		return err
	}
	return pomp.InstallFile(filepath.Join(prefix, "lib", "pkgconfig", "opari_mpi.pc"),
		[]byte(`prefix=`+prefix+`
libdir=${prefix}/lib

Name: opari_mpi
Description: layer before MPI for programs that are measured; built for the MPI of `+
			strings.Join(mpicc, " ")+`
Version: `+version+`
Requires: pomp
Libs: -L${libdir} -Wl,-u,opari_mpi_1 -lopari_mpi
`))
}

// Libs returns the options that link the layer into a program; the measurement library's options
// follow them. given are the words of the link that name MPI's libraries. They must come after
// the layer, or the linker would resolve the program's calls there and skip the layer.
func Libs(path string, given []string) []string {
	words := []string{"-Wl,-u,opari_mpi_1"}
	for _, l := range []struct{ symbol, libraries string }{
		{"opari_mpi_fortran_1", "mpi_mpifh mpifort mpifort-mpich mpichfort mpichf90"},
		{"opari_mpi_fortran08_1", "mpi_usempif08 mpifort mpifort-mpich mpichfort"},
	} {
		if slices.ContainsFunc(given,
			func(w string) bool { return IsLibrary(w, strings.Fields(l.libraries)...) }) {
			words = append(words, "-Wl,-u,"+l.symbol)
		}
	}
	// The layer needs MPI's libraries, too, and the linker may have passed them already.
	return append(append(words, path), given...)
}

// IsLibrary reports whether a word of a link names one of these libraries: -lNAME, or a file
// libNAME.so.
func IsLibrary(word string, names ...string) bool {
	name, is := strings.CutPrefix(word, "-l")
	if !is {
		name, is = strings.CutPrefix(filepath.Base(word), "lib")
		name, _, _ = strings.Cut(name, ".")
	}
	return is && slices.Contains(names, name)
}
