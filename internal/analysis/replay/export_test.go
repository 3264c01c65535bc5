package replay

// What tests of packages above need of the tests of this one: random runs and windows of them, and
// runs that are written down.
var (
	Play     = play
	PlayIn   = playIn
	OffRun   = offRun
	LateRank = lateRank
)
