// Package finding says what the largest losses in a result are, their causes, and what to try.
//
// A finding is a property and a region. advice.go says what to try against it, by numbers of the
// run alone. group.go makes one of those that differ in the region only.
package finding
