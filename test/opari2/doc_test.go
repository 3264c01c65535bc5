// Package opari2 tests opari in OPARI2's place with its clients, which know nothing of opari.
package opari2
