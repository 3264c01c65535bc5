// Package starvation follows why threads of a team have no task to execute.
package starvation
