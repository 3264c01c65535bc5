// Package sarif writes the Static Analysis Results Interchange Format 2.1.0, which editors and code
// hosts read to show findings beside the source.
package sarif
