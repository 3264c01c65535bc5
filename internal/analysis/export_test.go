package analysis

// What tests of packages above need of the tests of this one: random runs and windows of them, runs
// that are written down, and programs.
var (
	Play     = play
	PlayIn   = playIn
	OffRun   = offRun
	LateRank = lateRank
	Compile  = compile
	Traced   = traced
	Job      = job
	TryRuns  = tries
)
