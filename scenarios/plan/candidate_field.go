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
		field("id", func(c *Candidate) *string { return &c.ID }),
		field("identity", func(c *Candidate) *string { return &c.Identity }),
		field("profile", func(c *Candidate) *machine.Profile { return &c.Profile }).perElection(),
		field("lock", func(c *Candidate) *Lock { return &c.Lock }).perElection(),
		field("leaseDuration", func(c *Candidate) *time.Duration { return &c.LeaseDuration }).perElection(),
		field("renewDeadline", func(c *Candidate) *time.Duration { return &c.RenewDeadline }).perElection(),
		field("retryPeriod", func(c *Candidate) *time.Duration { return &c.RetryPeriod }).perElection(),
		field("releaseOnCancel", func(c *Candidate) *bool { return &c.ReleaseOnCancel }).perElection(),
		field("requestTimeout", func(c *Candidate) *time.Duration { return &c.RequestTimeout }).perElection(),
		field("client", func(c *Candidate) **Client { return &c.Client }).perElection(),
		{
			Name: "jitter", PerElection: true,
			In:    func(c *Candidate) any { return Draws{&c.Jitter, &c.FirstJitters} },
			Clear: func(c *Candidate) { c.Jitter, c.FirstJitters = nil, nil },
			Alike: func(a, b *Candidate) bool {
				return a.Jitter == b.Jitter && len(a.FirstJitters)+len(b.FirstJitters) == 0
			},
		},
		field("drain", func(c *Candidate) *time.Duration { return &c.Drain }).perElection(),
		field("returnsAfter", func(c *Candidate) *time.Duration { return &c.ReturnsAfter }).perElection(),
		field("writeEvery", func(c *Candidate) *time.Duration { return &c.WriteEvery }).perElection(),
		field("startAt", func(c *Candidate) *time.Duration { return &c.StartAt }),
		field("rejoin", func(c *Candidate) **time.Duration { return &c.Rejoin }).perElection(),
		field("sameElector", func(c *Candidate) *bool { return &c.SameElector }).perElection(),
		field("onLoss", func(c *Candidate) *OnLoss { return &c.OnLoss }).perElection(),
		fileField[Candidate]("elections"),
		field("livenessProbe", func(c *Candidate) **LivenessProbe { return &c.LivenessProbe }),
		field("clock", func(c *Candidate) *Clock { return &c.Clock }),
		field("now", func(c *Candidate) *Now { return &c.Now }).perElection(),
		field("precision", func(c *Candidate) *time.Duration { return &c.Precision }).perElection(),
		field("coordinated", func(c *Candidate) *bool { return &c.Coordinated }),
		field("binaryVersion", func(c *Candidate) *string { return &c.BinaryVersion }),
		field("emulationVersion", func(c *Candidate) *string { return &c.EmulationVersion }),
		field("strategy", func(c *Candidate) *string { return &c.Strategy }),
	}
	electionFields = slices.DeleteFunc(slices.Clone(candidateFields), func(f Field[Candidate]) bool { return !f.PerElection })
	probeFields    = []Field[LivenessProbe]{
		field("period", func(p *LivenessProbe) *time.Duration { return &p.Period }),
		field("failureThreshold", func(p *LivenessProbe) *int { return &p.FailureThreshold }),
		field("tolerance", func(p *LivenessProbe) *time.Duration { return &p.Tolerance }),
		field("restartAfter", func(p *LivenessProbe) *time.Duration { return &p.RestartAfter }),
	}
	clockFields = []Field[Clock]{
		field("offset", func(c *Clock) *time.Duration { return &c.Offset }),
		field("driftPPM", func(c *Clock) *int64 { return &c.DriftPPM }),
	}
)

// CandidateFields returns the fields of candidates, id first, in the order of scenario files. They must not be changed.
func CandidateFields() []Field[Candidate] { return candidateFields }

// ElectionFields returns those of CandidateFields that may differ between the elections of a candidate.
func ElectionFields() []Field[Candidate] { return electionFields }

// ProbeFields returns the fields of liveness probes, in the order of scenario files. They must not be changed.
func ProbeFields() []Field[LivenessProbe] { return probeFields }

// ClockFields returns the fields of clocks, in the order of scenario files. They must not be changed.
func ClockFields() []Field[Clock] { return clockFields }

// DefaultCandidate returns a candidate without an ID whose other fields have the values that a file need not give.
func DefaultCandidate() Candidate {
	return Candidate{
		Profile: machine.ClientGo, Lock: Lease,
		Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second},
	}
}
