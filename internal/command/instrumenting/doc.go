// Package instrumenting has the commands about source texts: opari FILE, cc, regions, coverage,
// diff, strip, golden, config, install and pomp2.
package instrumenting
