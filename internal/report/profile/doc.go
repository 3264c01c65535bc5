// Package profile reads the profiles that the library writes, tabulates them, and makes results of
// them.
//
// A profile has sums only. fromprofile.go makes paths of its samples, so that everything that is
// said of a trace can be said of a profile, as far as sums show it.
package profile
