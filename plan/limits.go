package plan

import "time"

// Limits of a plan. They keep sums of times far from overflow, and a run within a machine's memory.
const (
	MaxCandidates = 100_000
	MaxFaults     = 100_000
	MaxElections  = 1000
	// MaxDuration is ten years; no time in a plan may be longer.
	MaxDuration = 10 * year

	year = 365 * 24 * time.Hour
	// MaxWallShift is more than the offset and all jumps of one wall clock may add up to.
	MaxWallShift = 100 * year
	maxNameBytes = 253
	// maxFactor is the highest factor of a brownout.
	maxFactor   = 1_000_000
	MinDriftPPM = -999_999
	MaxDriftPPM = 9_000_000
)
