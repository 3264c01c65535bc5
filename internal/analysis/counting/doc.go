// Package counting shares out what the counters of a thread counted among the paths where it was.
package counting
