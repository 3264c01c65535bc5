// Package compare says whether runs differ by more than their noise, and where.
package compare
