package plan

import (
	"slices"
	"time"

	"interregnum/elector/machine"
)

// Draws are a candidate's Jitter and FirstJitters, which are one field in files.
type Draws struct {
	Rest  **float64
	First *[]float64
}

var (
	candidateFields = []Field[Candidate]{
		FieldAt("id", func(c *Candidate) *string { return &c.ID }),
		FieldAt("identity", func(c *Candidate) *string { return &c.Identity }),
		FieldAt("profile", func(c *Candidate) *machine.Profile { return &c.Profile }),
		FieldAt("lock", func(c *Candidate) *Lock { return &c.Lock }),
		FieldAt("leaseDuration", func(c *Candidate) *time.Duration { return &c.LeaseDuration }),
		FieldAt("renewDeadline", func(c *Candidate) *time.Duration { return &c.RenewDeadline }),
		FieldAt("retryPeriod", func(c *Candidate) *time.Duration { return &c.RetryPeriod }),
		FieldAt("releaseOnCancel", func(c *Candidate) *bool { return &c.ReleaseOnCancel }),
		FieldAt("requestTimeout", func(c *Candidate) *time.Duration { return &c.RequestTimeout }),
		FieldAt("client", func(c *Candidate) **Client { return &c.Client }),
		{
			Name:  "jitter",
			In:    func(c *Candidate) any { return Draws{&c.Jitter, &c.FirstJitters} },
			Clear: func(c *Candidate) { c.Jitter, c.FirstJitters = nil, nil },
			Alike: func(a, b *Candidate) bool {
				return a.Jitter == b.Jitter && len(a.FirstJitters)+len(b.FirstJitters) == 0
			},
		},
		FieldAt("drain", func(c *Candidate) *time.Duration { return &c.Drain }),
		FieldAt("returnsAfter", func(c *Candidate) *time.Duration { return &c.ReturnsAfter }),
		FieldAt("writeEvery", func(c *Candidate) *time.Duration { return &c.WriteEvery }),
		FieldAt("startAt", func(c *Candidate) *time.Duration { return &c.StartAt }),
		FieldAt("rejoin", func(c *Candidate) **time.Duration { return &c.Rejoin }),
		FieldAt("sameElector", func(c *Candidate) *bool { return &c.SameElector }),
		FieldAt("onLoss", func(c *Candidate) *OnLoss { return &c.OnLoss }),
		FileField[Candidate]("elections"),
		FieldAt("livenessProbe", func(c *Candidate) **LivenessProbe { return &c.LivenessProbe }),
		FieldAt("clock", func(c *Candidate) *Clock { return &c.Clock }),
		FieldAt("now", func(c *Candidate) *Now { return &c.Now }),
		FieldAt("precision", func(c *Candidate) *time.Duration { return &c.Precision }),
		FieldAt("coordinated", func(c *Candidate) *bool { return &c.Coordinated }),
		FieldAt("binaryVersion", func(c *Candidate) *string { return &c.BinaryVersion }),
		FieldAt("emulationVersion", func(c *Candidate) *string { return &c.EmulationVersion }),
		FieldAt("strategy", func(c *Candidate) *string { return &c.Strategy }),
	}
	// ofProcess are the fields that belong to the process as a whole: all its elections have the same.
	ofProcess = []string{
		"id", "identity", "startAt", "elections", "livenessProbe", "clock", "coordinated", "binaryVersion", "emulationVersion", "strategy",
	}
	electionFields = slices.DeleteFunc(slices.Clone(candidateFields), func(f Field[Candidate]) bool { return slices.Contains(ofProcess, f.Name) })
)

// CandidateFields returns the fields of candidates, id first, in the order of scenario files. They must not be changed.
func CandidateFields() []Field[Candidate] { return candidateFields }

// ElectionFields returns those of CandidateFields that may differ between the elections of a candidate.
func ElectionFields() []Field[Candidate] { return electionFields }

// DefaultCandidate returns a candidate without an ID whose other fields have the values that a file need not give.
func DefaultCandidate() Candidate {
	return Candidate{
		Profile: machine.ClientGo, Lock: Lease,
		Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second},
	}
}
