// Package scan finds out quickly whether sources may contain OpenMP directives or lock calls.
package scan

import (
	"bytes"

	"opari/fortran"
	"opari/internal/omp"
)

// MayHoldDirectives looks for a directive or a lock call in a preprocessed text. It may return
// true without one, for instance because of a system header, but never false with one.
func MayHoldDirectives(text []byte, lang omp.Language) bool {
	if lang == omp.Fortran {
		return fortran.MayHoldDirectives(text)
	}
	return mayHoldCDirectives(text)
}

func mayHoldCDirectives(text []byte) bool {
	word := []byte("pragma")
	for rest := text; ; {
		i := bytes.Index(rest, word)
		if i < 0 {
			break
		}
		rest = bytes.TrimLeft(rest[i+len(word):], " \t")
		if bytes.HasPrefix(rest, []byte("omp")) || bytes.HasPrefix(rest, []byte("pomp")) ||
			bytes.HasPrefix(rest, []byte("\\")) || bytes.HasPrefix(rest, []byte("/*")) {
			return true
		}
	}
	if bytes.Contains(text, []byte("[[omp")) || bytes.Contains(text, []byte("[[ omp")) {
		return true
	}
	return mayCallLocks(text)
}

var lockVerbs = []string{"set_", "unset_", "test_", "init_", "destroy_"}

// mayCallLocks looks for the name of a lock routine outside the prototypes of omp.h, which it
// knows by the word "extern" at the start of the line.
func mayCallLocks(text []byte) bool {
	for rest := text; ; {
		i := bytes.Index(rest, []byte("omp_"))
		if i < 0 {
			return false
		}
		line := bytes.LastIndexByte(rest[:i], '\n') + 1
		prototype := bytes.HasPrefix(rest[line:i], []byte("extern "))
		rest = rest[i+len("omp_"):]
		for _, v := range lockVerbs {
			if !bytes.HasPrefix(rest, []byte(v)) {
				continue
			}
			name := bytes.TrimPrefix(rest[len(v):], []byte("nest_"))
			if bytes.HasPrefix(name, []byte("lock")) && !prototype {
				return true
			}
		}
	}
}
