// Package terminal knows the user's terminal: its width, colours, progress, and words for
// numbers.
package terminal
