// Package pattern has regular expressions that are compiled when they are first used. opari starts
// for every file of a build, and needs hardly any of its expressions there.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy is a regular expression in the syntax of package regexp. It is a variable of a package and
// costs nothing until it is used.
type Lazy struct {
	Text string

	once     sync.Once
	compiled *regexp.Regexp
}

// Get returns the compiled expression. It panics if that is none.
func (l *Lazy) Get() *regexp.Regexp {
	l.once.Do(func() { l.compiled = regexp.MustCompile(l.Text) })
	return l.compiled
}
