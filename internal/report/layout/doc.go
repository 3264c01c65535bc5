// Package layout fits tables and sentences into the width of a terminal.
package layout
