// Package mpiwait finds what threads waited for in routines of MPI, from what ranks note of each
// other.
//
// A rank notes for others when it sent, was ready to receive (letters.go) or came to a meeting, and
// what it may have waited for itself (log.go). Package spill keeps these notes in parts. reader.go
// matches them after the replay.
package mpiwait
