// Package summary says in a few lines what a run was: its times, its efficiency and its notes.
package summary
