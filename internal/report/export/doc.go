// Package export writes results and timelines in the formats of other tools.
package export
